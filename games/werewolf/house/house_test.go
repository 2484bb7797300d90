package house_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
	"github.com/matchreferee/arena/referee"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// failer is what testing.TB and *rapid.T share.
type failer interface {
	Helper()
	Context() context.Context
	Fatal(...any)
	Fatalf(string, ...any)
}

func setup(t failer, ruleset string, seats int, seed uint64) referee.Setup {
	t.Helper()
	table, err := werewolf.New().Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	return referee.Setup{ID: "house", Table: table, Secret: game.SeedFrom(seed), Seats: make([]referee.SeatInfo, seats)}
}

// play plays a match to its end by the rules.
func play(t failer, s referee.Setup, players ...referee.Player) *referee.Result {
	t.Helper()
	return record(t, s, nil, players...)
}

// record plays a match into log, at a time that stands still.
func record(t failer, s referee.Setup, log referee.Log, players ...referee.Player) *referee.Result {
	t.Helper()
	now := func() referee.Time { return 1_800_000_000_000 }
	result, err := (&referee.Local{Config: referee.Config{Log: log, Now: now}}).Play(t.Context(), s, players...)
	if err != nil || result.Cause != referee.CausePlay {
		t.Fatalf("%+v, %v", result, err)
	}
	return result
}

func all(seats int, p referee.Player) []referee.Player {
	players := make([]referee.Player, seats)
	for i := range players {
		players[i] = p
	}
	return players
}

func TestByName(t *testing.T) {
	if names := house.Names(); len(names) != 2 || names[0] != "random" || names[1] != "reasoner" {
		t.Errorf("%v", names)
	}
	for _, name := range house.Names() {
		p, err := house.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		play(t, setup(t, "", 6, 3), all(6, p)...)
	}
	if _, err := house.ByName("Reasoner"); err == nil || !strings.Contains(err.Error(), "random, reasoner") {
		t.Errorf("an unknown name: %v", err)
	}
}

// TestSameAgain: a match repeats to the byte, also beside others with the very same players.
func TestSameAgain(t *testing.T) {
	for _, name := range house.Names() {
		p, err := house.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		logs := make([]referee.Memory, 6)
		var wg sync.WaitGroup
		for i := range logs {
			wg.Go(func() {
				s := setup(t, "", 9, uint64(i/3))
				now := func() referee.Time { return 1_800_000_000_000 }
				if _, err := (&referee.Local{Config: referee.Config{Log: &logs[i], Now: now}}).Play(t.Context(), s, all(9, p)...); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		for i := range logs {
			if same := bytes.Equal(logs[i].Bytes(), logs[i/3*3].Bytes()); !same || len(logs[i].Bytes()) < 1000 {
				t.Errorf("%s: match %d is not what it was", name, i)
			}
		}
		if bytes.Equal(logs[0].Bytes(), logs[3].Bytes()) {
			t.Errorf("%s: other seeds make no other match", name)
		}
	}
}

// TestMisplaced: at another game the reasoner forfeits, and says why; Random plays what is listed.
func TestMisplaced(t *testing.T) {
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := referee.Setup{ID: "other", Table: table, Secret: game.SeedFrom(1), Seats: make([]referee.SeatInfo, 2)}
	log := new(referee.Memory)
	result, err := (&referee.Local{Config: referee.Config{Log: log}}).Play(t.Context(), s, house.Random(), house.Reasoner())
	if err != nil || result.Cause != referee.CauseForfeit || !result.Seats[1].Out || !strings.Contains(string(log.Bytes()), "this is not Werewolf") {
		t.Errorf("%+v, %v\n%s", result, err, log.Bytes())
	}
}

// TestRandomTalks: it plays each kind of action, and says nothing that accuses or claims.
func TestRandomTalks(t *testing.T) {
	log := new(referee.Memory)
	record(t, setup(t, "", 9, 2), log, all(9, house.Random())...)
	text := string(log.Bytes())
	for _, want := range []string{`"Good morning."`, `"text":""`, `"type":"vote"`, `"type":"kill"`, `"type":"peek"`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "seer:") || strings.Contains(text, "suspect") {
		t.Errorf("it accuses:\n%s", text)
	}
}

// nights plays the first night of some matches of nine, and counts who was killed, how often the seer looked at who was, and how often who was
// sat next to a werewolf, on its left.
func nights(t *testing.T, matches int) (killed map[game.Seat]int, wasted, beside int) {
	t.Helper()
	killed = map[game.Seat]int{}
	for n := range uint64(matches) {
		log := new(referee.Memory)
		record(t, setup(t, `{"max_days":1}`, 9, n), log, all(9, house.Reasoner())...)
		var peek, victim game.Seat
		var roles string
		for e, err := range referee.Events(t.Context(), log) {
			if err != nil {
				t.Fatal(err)
			}
			var a werewolf.Action
			if json.Unmarshal([]byte(e.Action), &a) != nil {
				continue
			}
			switch a.Type {
			case werewolf.Deal:
				roles = a.Text
			case werewolf.Kill, werewolf.Lot: // the newest decides
				victim = a.Target
			case werewolf.Peek:
				peek = a.Target
			}
		}
		killed[victim]++
		if peek == victim {
			wasted++
		}
		if roles[(victim+8)%9] == 'w' {
			beside++
		}
	}
	return killed, wasted, beside
}

// TestNoSeatComesFirst: in the first night, where all seats look alike, the victims are spread over the table and tell nothing of the
// pack, and the seer does not go its way: of seven seats it meets the victim at one, and two at most are next to a werewolf.
func TestNoSeatComesFirst(t *testing.T) {
	const matches = 60
	killed, wasted, beside := nights(t, matches)
	for i := range game.Seat(9) {
		if n := killed[i]; n == 0 || n > matches/3 {
			t.Errorf("seat %d was killed in %d of %d first nights", i, n, matches)
		}
	}
	if wasted > matches/3 || beside > matches/2 {
		t.Errorf("of %d first nights, the seer looked at the victim in %d, and a werewolf sat before it in %d", matches, wasted, beside)
	}
}

// TestSeedDecides: a match under another name plays the same, for nothing but the seed decides.
func TestSeedDecides(t *testing.T) {
	for _, name := range house.Names() {
		p, err := house.ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		var games [2]string
		for i, id := range []string{"monday", "tuesday"} {
			s, log := setup(t, "", 9, 5), new(referee.Memory)
			s.ID = id
			record(t, s, log, all(9, p)...)
			for e, err := range referee.Events(t.Context(), log) {
				if err != nil {
					t.Fatal(err)
				}
				games[i] += string(e.Action)
			}
		}
		if games[0] != games[1] || len(games[0]) < 1000 {
			t.Errorf("%s: the match's name decides:\n%s\n%s", name, games[0], games[1])
		}
	}
}
