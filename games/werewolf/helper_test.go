package werewolf_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// tester is what testing.TB and *rapid.T share.
type tester interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
	Errorf(string, ...any)
}

// round is a match that a test moves on.
type round struct {
	tester
	*game.State
}

// dealt starts a match with these roles, a letter a seat.
func dealt(t tester, ruleset, roles string) round {
	t.Helper()
	table, err := werewolf.New().Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: len(roles)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Play(game.Chance, game.Action(`{"roles":"`+roles+`","type":"deal"}`)); err != nil {
		t.Fatal(err)
	}
	return round{t, s}
}

// act makes one step. Each move is a seat, a colon and the text of an action; the acting seats that are not named play their default.
func (x round) act(moves ...string) {
	x.Helper()
	texts := map[game.Seat]string{}
	for _, m := range moves {
		number, text, ok := strings.Cut(m, ":")
		seat, err := strconv.Atoi(number)
		if !ok || err != nil || !x.Turn().May(game.Seat(seat)) {
			x.Fatalf("%q: not a move of one of the seats %v, who act in %s", m, slices.Collect(x.Turn().Seats.All()), x.Turn().Phase)
		}
		texts[game.Seat(seat)] = text
	}
	var step game.Step
	for seat := range x.Turn().Seats.All() {
		a, _ := x.Default(seat)
		if text, ok := texts[seat]; ok {
			var err error
			if a, err = x.Parse(seat, text); err == nil {
				a, err = x.Check(seat, a)
			}
			if err != nil {
				x.Fatalf("seat %d: %q: %v", seat, text, err)
			}
		}
		step = append(step, game.Move[game.Action]{Seat: seat, Action: a})
	}
	if err := x.Apply(step); err != nil {
		x.Fatal(err)
	}
}

// lot settles a tie of the pack.
func (x round) lot(seat game.Seat) {
	x.Helper()
	if _, err := x.Play(game.Chance, game.Action(`{"target":`+seat.String()+`,"type":"lot"}`)); err != nil {
		x.Fatal(err)
	}
}

// silence lets the whole discussion pass, and gives the speakers in order.
func (x round) silence() (speakers []game.Seat) {
	x.Helper()
	for x.Turn().Phase == "day_discussion" {
		speakers = append(speakers, x.Turn().Seats.First())
		x.act()
	}
	return speakers
}

// look gives what a seat sees.
func (x round) look(seat game.Seat) werewolf.View { return x.View(seat).(werewolf.View) }

// alive are the living seats.
func (x round) alive() (seats []game.Seat) {
	for _, p := range x.look(game.Spectator).Players {
		if p.Alive {
			seats = append(seats, p.Seat)
		}
	}
	return seats
}

// state names the phase, even that of a turn of Chance.
func (x round) state() string {
	if x.Turn().Chance {
		return "chance"
	}
	return x.look(game.Spectator).Phase
}

func asJSON(t tester, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func seats(list ...game.Seat) []game.Seat { return list }
