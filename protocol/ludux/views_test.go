package ludux

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/internal/jsontext"
	"pgregory.net/rapid"
)

// TestViews: what is written by hand of a view is what encoding/json writes, in the same order, for seats and spectators, from the first
// position to the last.
func TestViews(t *testing.T) {
	tables := map[string][]*game.Table{}
	for _, tt := range []struct {
		game     game.Game
		rulesets []string
	}{
		{connectfour.New(), []string{`{}`, `{"columns":16,"rows":7}`, `{"columns":4,"rows":4,"connect":3}`}},
		{werewolf.New(), []string{`{}`, `{"reveal_roles":false}`}},
	} {
		for _, r := range tt.rulesets {
			table, err := tt.game.Table([]byte(r))
			if err != nil {
				t.Fatal(err)
			}
			tables[table.Info().Name] = append(tables[table.Info().Name], table)
		}
	}
	for name, list := range tables {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				table := rapid.SampledFrom(list).Draw(t, "ruleset")
				n := rapid.IntRange(table.Info().MinSeats, table.Info().MaxSeats).Draw(t, "seats")
				names := make([]string, n)
				for i := range names {
					names[i] = texts.Draw(t, "name")
				}
				s, err := table.Start(game.Setup{Seats: n, Names: names})
				if err != nil {
					t.Skip(err)
				}
				for range rapid.IntRange(0, 60).Draw(t, "plies") {
					sameView(t, s.View(game.Seat(rapid.IntRange(0, n-1).Draw(t, "seat"))))
					sameView(t, s.View(game.Spectator))
					if s.Turn().Over() {
						break
					}
					step(t, s)
				}
			})
		})
	}
}

// step makes the moves of one turn.
func step(t *rapid.T, s *game.State) {
	turn := s.Turn()
	if turn.Chance {
		a, ok := s.Chance(game.SeedFrom(rapid.Uint64().Draw(t, "chance")))
		if !ok {
			t.Fatal("no chance move")
		}
		if _, err := s.Play(game.Chance, a); err != nil {
			t.Fatal(err)
		}
		return
	}
	var moves game.Step
	for seat := range turn.Seats.All() {
		a := rapid.SampledFrom(s.Legal(nil, seat)).Draw(t, "move")
		if s.Form(seat) != nil {
			text, _ := json.Marshal(map[string]any{"type": "say", "text": texts.Draw(t, "words")})
			a = game.Action(text)
		}
		a, err := s.Check(seat, a)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, game.Move[game.Action]{Seat: seat, Action: a})
	}
	if err := s.Apply(moves); err != nil {
		t.Fatal(err)
	}
}

// sameView compares with encoding/json, escapes resolved.
func sameView(t tester, view any) {
	t.Helper()
	got, err := appendView([]byte("x"), view)
	if err != nil || got[0] != 'x' {
		t.Fatalf("%v: %s", err, got)
	}
	want, err := json.Marshal(view)
	if err != nil {
		t.Fatal(err)
	}
	if g, w := flat(t, string(got[1:])), flat(t, string(want)); !reflect.DeepEqual(g, w) {
		t.Fatalf("%s\n%s", cmp.Diff(w, g), got)
	}
}

// flat lists the kinds, names and contents of a text in their order.
func flat(t tester, text string) []string { return flatten(nil, parsed(t, text)) }

func flatten(dst []string, v *jsontext.Value) []string {
	dst = append(dst, v.Name, v.Kind.String(), v.Text)
	if v.Kind == jsontext.Number {
		dst = append(dst, v.Raw)
	}
	for i := range v.Items {
		dst = flatten(dst, &v.Items[i])
	}
	return append(dst, "end")
}
