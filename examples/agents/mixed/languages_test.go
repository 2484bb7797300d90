package mixed_test

import (
	"fmt"
	"testing"

	arena "github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
)

// tables is who plays what, in Go, JavaScript and Python: each with each, each way round, and three of each in one village. Agents in Python
// are one process behind several paths, all others have a process or a connection each.
type tables struct {
	h      *hall
	seats  map[string][]arena.Seat // by language
	nodes  []*process
	python *process
}

var languages = []string{"go", "javascript", "python"}

func newTables(t *testing.T) *tables {
	t.Helper()
	dir := installed(t)
	s := &tables{h: newHall(t), seats: map[string][]arena.Seat{}}
	s.python = python(t, s.h)
	for i := range 3 {
		slug := func(language string) string { return fmt.Sprint(language, "-", i) }
		s.seats["go"] = append(s.seats["go"], s.h.connected(t, slug("go")))
		s.nodes = append(s.nodes, node(t, s.h, dir, slug("javascript")))
		s.seats["javascript"] = append(s.seats["javascript"], seat(slug("javascript"), "websockets"))
		s.seats["python"] = append(s.seats["python"], s.h.postedAt(t, slug("python"), s.python.said))
	}
	return s
}

// village mixes the languages.
func (s *tables) village() (seats []arena.Seat) {
	for i := range 9 {
		seats = append(seats, s.seats[languages[i%3]][i/3])
	}
	return seats
}

// TestLanguages plays all of that, and nobody is at fault.
func TestLanguages(t *testing.T) {
	if testing.Short() {
		t.Skip("starts four processes")
	}
	s := newTables(t)
	for i, x := range languages {
		for j := range languages { // the last one is itself
			o := languages[(i+j+1)%3]
			for _, g := range []game.Game{connectfour.New(), chess.New()} {
				id := fmt.Sprintf("%s-%s-%s", g.Info().Name, x, o)
				t.Run(id, func(t *testing.T) {
					only(t, s.h.match(t, id, g, s.seats[x][0], s.seats[o][0]))
				})
			}
		}
	}
	t.Run("werewolf", func(t *testing.T) {
		only(t, s.h.match(t, "werewolf", werewolf.New(), s.village()...))
	})
}

// TestKilled kills the agents in JavaScript and in Python by turns in the middle of matches, and starts them again. That is on record, and
// costs nobody anything.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes again and again")
	}
	s := newTables(t)
	for _, c := range []struct {
		game  game.Game
		seats []arena.Seat
		nodes []*process // of those at the table
		every int        // answers between two kills
	}{
		{connectfour.New(), []arena.Seat{s.seats["javascript"][0], s.seats["python"][0]}, s.nodes[:1], 3},
		{chess.New(), []arena.Seat{s.seats["python"][0], s.seats["javascript"][0]}, s.nodes[:1], 10},
		{werewolf.New(), s.village(), s.nodes, 10},
	} {
		name := c.game.Info().Name
		t.Run(name, func(t *testing.T) {
			killed := 0
			running := make(chan error, 1) // holds what became of the last start
			running <- nil
			s.h.onAnswer(func(answers int) {
				if answers%c.every != 0 || killed == 6 {
					return
				}
				if err := <-running; err != nil {
					t.Error(err)
				}
				p := s.python
				if killed%2 == 0 {
					p = c.nodes[killed/2%len(c.nodes)]
				}
				killed++
				p.kill()
				go func() { running <- p.run() }()
			})
			wrong := s.h.match(t, name, c.game, c.seats...)
			s.h.onAnswer(nil)
			if err := <-running; err != nil {
				t.Error(err)
			}
			only(t, wrong, "gone", "unreachable", "disconnected")
			if killed < 2 || wrong["gone"] == 0 {
				t.Errorf("killed %d times: %v", killed, wrong)
			}
			t.Logf("killed %d times: %v", killed, wrong)
		})
	}
}
