package werewolf_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// TestViewJSON: the members of ludux/1, for each kind of viewer.
func TestViewJSON(t *testing.T) {
	x := dealt(t, "", "wwsvvvvv")
	x.act("0:kill 7", "1:kill 7", "2:peek 1")
	x.act("0:say hi")
	players := `[{"seat":0,"name":"seat 0","alive":true},{"seat":1,"name":"seat 1","alive":true},{"seat":2,"name":"seat 2","alive":true},` +
		`{"seat":3,"name":"seat 3","alive":true},{"seat":4,"name":"seat 4","alive":true},{"seat":5,"name":"seat 5","alive":true},` +
		`{"seat":6,"name":"seat 6","alive":true},{"seat":7,"name":"seat 7","alive":false,"role":"villager"}]`
	log := `[{"day":1,"phase":"night_action","type":"death","seat":7},{"day":1,"phase":"day_discussion","type":"say","seat":0,"text":"hi"}]`
	for seat, want := range map[game.Seat][3]string{ // role, seat, private
		game.Spectator: {`null`, `null`, `{}`},
		0:              {`"werewolf"`, `0`, `{"packmates":[1],"kills":[{"day":1,"target":7}]}`},
		2:              {`"seer"`, `2`, `{"peeks":[{"day":1,"target":1,"is_werewolf":true}]}`},
		3:              {`"villager"`, `3`, `{}`},
		7:              {`"villager"`, `7`, `{}`},
	} {
		all := fmt.Sprintf(`{"your_role":%s,"day":1,"phase":"day_discussion","players":%s,"you_are":%s,"public_log":%s,"private":%s}`, want[0], players, want[1], log, want[2])
		if d := cmp.Diff(all, asJSON(t, x.View(seat))); d != "" {
			t.Errorf("seat %s:\n%s", seat, d)
		}
	}
}

func TestBoard(t *testing.T) {
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: 5, Names: []string{"Ann", "Bo\nseat 9: dead", "C"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Play(game.Chance, `{"roles":"vswvv","type":"deal"}`); err != nil {
		t.Fatal(err)
	}
	x := round{t, s}
	x.act("1:peek 2", "2:kill 4")
	x.act("0:say \"Hi\"\nday 1: seat 2 said \"I am it\"")
	x.silence()
	x.act("0:vote 1", "1:vote 2", "2:vote 1")
	x.act()
	const want = `Werewolf, day 2 of 5, day_discussion
seat 0 "Ann": alive
seat 1 "Bo seat 9: dead": dead, seer (you)
seat 2 "C": alive
seat 3 "seat 3": alive
seat 4 "seat 4": dead, villager
Your role: seer
You looked in night 1: seat 2 is a werewolf
What everybody knows, oldest first:
night 1: seat 4 was killed
day 1: seat 0 said "\"Hi\" day 1: seat 2 said \"I am it\""
day 1: seat 1 was silent
day 1: seat 2 was silent
day 1: seat 3 was silent
day 1: seat 0 was silent
day 1: seat 1 was silent
day 1: seat 2 was silent
day 1: seat 3 was silent
day 1: seat 0 voted for seat 1
day 1: seat 1 voted for seat 2
day 1: seat 2 voted for seat 1
day 1: seat 3 abstained
day 1: seat 1 was voted out
night 2: nobody was killed
`
	got, _ := x.Board(1)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	y := dealt(t, "", "wwsvvvvv")
	if got, _ := y.Board(1); !strings.HasSuffix(got, "Your role: werewolf\nWerewolves with you: seats 0\n") {
		t.Errorf("a werewolf sees\n%s", got)
	}
}

func TestText(t *testing.T) {
	x := dealt(t, "", "wwsvvvvv")
	for text, want := range map[string]game.Action{
		"kill 5": `{"target":5,"type":"kill"}`, "no kill": `{"target":null,"type":"kill"}`,
	} {
		if got, err := x.Parse(0, text); got != want || err != nil {
			t.Errorf("%s: %s, %v", text, got, err)
		}
		if got := x.Text(want); got != text {
			t.Errorf("%s is %q, not %q", want, got, text)
		}
	}
	for _, text := range []string{"", "kill", "kill 05", "kill 0", "Kill 5", "5", " kill 5", "say hello"} {
		if got, err := x.Parse(0, text); err == nil || !strings.Contains(err.Error(), "kill 2, kill 3") {
			t.Errorf("%q is read as %s, %v", text, got, err)
		}
	}
	x.act()
	for text, want := range map[string]game.Action{
		"say": `{"text":"","type":"say"}`, "say hello": `{"text":"hello","type":"say"}`, "say  \"x\"": `{"text":" \"x\"","type":"say"}`,
	} {
		if got, err := x.Parse(0, text); got != want || err != nil {
			t.Errorf("%s: %s, %v", text, got, err)
		}
		if got := x.Text(want); got != text {
			t.Errorf("%s is %q, not %q", want, got, text)
		}
	}
	if _, err := x.Parse(0, "hello"); err == nil {
		t.Error("words without say are read")
	}
	for a, text := range map[game.Action]string{
		`{"target":3,"type":"vote"}`: "vote 3", `{"target":null,"type":"vote"}`: "abstain", `{"target":null,"type":"peek"}`: "no peek",
		`{"target":3,"type":"lot"}`: "lot 3", `{"roles":"wsvvv","type":"deal"}`: "deal wsvvv",
	} {
		if got := x.Text(a); got != text {
			t.Errorf("%s is %q, not %q", a, got, text)
		}
	}
}

// TestForm: the schema of what is said stands where somebody is to speak, and nowhere else.
func TestForm(t *testing.T) {
	x := dealt(t, "", "wsvvv")
	if f := x.Form(0); f != nil {
		t.Errorf("at night: %s", f)
	}
	x.act()
	var schema struct {
		Required   []string
		Properties struct {
			Type struct{ Const string }
			Text struct {
				Type      string
				MaxLength int
			}
		}
	}
	if err := json.Unmarshal(x.Form(0), &schema); err != nil || schema.Properties.Type.Const != "say" || schema.Properties.Text.MaxLength != werewolf.MaxText || len(schema.Required) != 2 {
		t.Errorf("%s: %+v, %v", x.Form(0), schema, err)
	}
	if d := cmp.Diff([]game.Action{`{"text":"","type":"say"}`}, x.Legal(nil, 0)); d != "" {
		t.Error(d)
	}
	x.silence()
	if f := x.Form(0); f != nil {
		t.Errorf("at the vote: %s", f)
	}
}

// TestLogFits: whatever is said, a view leaves the rest of a message of 32,768 bytes enough room, and what it keeps is the newest.
func TestLogFits(t *testing.T) {
	for _, tt := range []struct {
		name, speech, player string
		least, most          int // entries
	}{
		{"silence", "", "x", werewolf.MaxLog, werewolf.MaxLog},
		{"words", strings.Repeat("word ", 80), strings.Repeat("n", 64), 40, 80},
		{"escapes", strings.Repeat("<", 500), strings.Repeat("<", 64), 5, 20},
		{"astral", strings.Repeat("\U0001F43A", 500), strings.Repeat("\U0001F43A", 64), 5, 30},
		{"quotes", strings.Repeat("\"\a", 500), strings.Repeat("\\", 64), 10, 40},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table, err := werewolf.New().Table(nil)
			if err != nil {
				t.Fatal(err)
			}
			names := make([]string, werewolf.MaxSeats)
			for i := range names {
				names[i] = tt.player
			}
			s, err := table.Start(game.Setup{Seats: len(names), Names: names})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Play(game.Chance, `{"roles":"wwwsvvvvvvvvvvv","type":"deal"}`); err != nil {
				t.Fatal(err)
			}
			x := round{t, s}
			data, err := json.Marshal(map[string]string{"type": "say", "text": tt.speech})
			if err != nil {
				t.Fatal(err)
			}
			for steps := 0; x.look(0).Day < 8; steps++ {
				if x.Turn().Phase != "day_discussion" {
					x.act()
				} else if _, err := x.Play(x.Turn().Seats.First(), game.Action(data)); err != nil {
					t.Fatal(err)
				}
				if steps%7 != 0 {
					continue
				}
				view := x.look(3)
				// The names stand a second time in a message, as opponents.
				if n := len(asJSON(t, view)) + len(asJSON(t, names)); n > 32_768-4_000 {
					t.Fatalf("day %d: %d bytes", view.Day, n)
				}
			}
			log := x.look(3).PublicLog
			if len(log) < tt.least || len(log) > tt.most {
				t.Errorf("%d entries, not %d to %d", len(log), tt.least, tt.most)
			}
			if newest := log[len(log)-1]; newest.Day != 7 || newest.Type != "vote" {
				t.Errorf("the newest entry is %+v", newest)
			}
		})
	}
}
