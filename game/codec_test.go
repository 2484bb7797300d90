package game_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

// anyMove accepts every move that its type can hold; nothing is listed.
type anyMove[A comparable] struct{ dice }

func (anyMove[A]) Turn(*diceState) game.Turn                       { return game.Turn{Seats: game.Seats(0)} }
func (anyMove[A]) Legal(dst []A, _ *diceState, _ game.Seat) []A    { return dst }
func (anyMove[A]) Check(_ *diceState, _ game.Seat, a A) (A, error) { return a, nil }
func (anyMove[A]) Apply(*diceState, []game.Move[A])                {}
func (anyMove[A]) Form(*diceState, game.Seat) json.RawMessage      { return nil }

type cell struct {
	Col   int64         `json:"col"`
	Row   int           `json:"row"`
	Note  string        `json:"note,omitempty"`
	Extra game.Opt[int] `json:"extra,omitzero"`
	Sub   struct {
		Deep *bool   `json:"-"`
		A    [2]int8 `json:"a"`
	} `json:"sub,omitzero"`
}

func check(t testing.TB, g game.Game, a string) (game.Action, error) {
	t.Helper()
	s := begin(t, g, "")
	recorded, err := s.Check(0, game.Action(a))
	if err != nil {
		if !errors.Is(err, game.ErrIllegal) || recorded != "" {
			t.Fatalf("%s: %q beside %v", a, recorded, err)
		}
		if len(err.Error()) > 700 {
			t.Fatalf("%.40s: an error of %d bytes", a, len(err.Error()))
		}
		return "", err
	}
	again, err := s.Check(0, recorded)
	if err != nil || again != recorded {
		t.Fatalf("%s is recorded as %s, and that as %s, %v", a, recorded, again, err)
	}
	return recorded, nil
}

func TestCodecShapes(t *testing.T) {
	ints, texts, cells, opts, floats := game.New(anyMove[int]{}), game.New(anyMove[string]{}), game.New(anyMove[cell]{}),
		game.New(anyMove[game.Opt[bool]]{}), game.New(anyMove[float64]{})
	tests := []struct {
		g              game.Game
		in, want, fail string
	}{
		{ints, "3", "3", ""}, {ints, " 3.0e0 ", "3", ""}, {ints, "-7", "-7", ""}, {ints, "-0", "0", ""},
		{ints, "1.5", "", "number 1.5"}, {ints, "1e400", "", "float64"}, {ints, "1e30", "", "number"}, {ints, `"3"`, "", "string"},
		{ints, "null", "", "null"}, {ints, "[3]", "", "array"}, {ints, "{}", "", "object"}, {ints, "true", "", "bool"}, {ints, "", "", "unexpected end"},
		{ints, "3 4", "", "after the value"}, {ints, "\xff", "", "unexpected"},
		{texts, `"e2e4"`, `"e2e4"`, ""}, {texts, `"\u0065"`, `"e"`, ""}, {texts, `"<\u0000>"`, `"<\u0000>"`, ""}, {texts, `""`, `""`, ""},
		{texts, "null", "", "null"}, {texts, "e2e4", "", "unexpected"}, {texts, `"\ud800"`, "", "surrogate"},
		{cells, `{"row":4,"col":1}`, `{"col":1,"row":4}`, ""},
		{cells, `{"row":4,"col":1,"why":[{"x":1}]}`, `{"col":1,"row":4}`, ""},
		{cells, `{"row":4}`, "", "col is missing"},
		{cells, `{"row":4,"COL":1}`, "", "col is missing"},
		{cells, `{"row":4,"col":2,"COL":1}`, "", "but for their case"},
		{cells, `{"row":4,"col":2,"x":{"\u212a":1,"k":2}}`, "", "but for their case"}, // the Kelvin sign folds to k
		{cells, `{"row":4,"col":null}`, "", "col is null"},
		{cells, `{"row":4,"col":2,"note":null}`, `{"col":2,"row":4}`, ""},
		{cells, `{"row":4,"col":2,"note":""}`, `{"col":2,"row":4}`, ""},
		{cells, `{"row":4,"col":2,"extra":null}`, `{"col":2,"extra":null,"row":4}`, ""},
		{cells, `{"row":4,"col":2,"extra":0}`, `{"col":2,"extra":0,"row":4}`, ""},
		{cells, `{"row":4,"col":2,"extra":"0"}`, "", "string"},
		{cells, `{"row":4,"col":2,"sub":{"a":[1,2]}}`, `{"col":2,"row":4,"sub":{"a":[1,2]}}`, ""},
		{cells, `{"row":4,"col":2,"sub":{"a":[1]}}`, "", "sub.a has length 1, not 2"},
		{cells, `{"row":4,"col":2,"sub":{"a":[1,2,3]}}`, "", "sub.a has length 3, not 2"},
		{cells, `{"row":4,"col":2,"sub":{"a":[1,null]}}`, "", "sub.a[1] is null"},
		{cells, `{"row":4,"col":2,"sub":{"a":[1,128]}}`, "", "number 128"},
		{cells, `{"row":4,"col":2,"row":4}`, "", "duplicate"},
		{cells, `[4,2]`, "", "array"},
		{opts, "null", "null", ""}, {opts, "true", "true", ""}, {opts, "1", "", "number"},
		{floats, "1.50", "1.5", ""}, {floats, "1e-400", "0", ""}, {floats, `"1"`, "", "string"},
		{texts, nested(33), "", "deep"}, {texts, `"` + strings.Repeat("x", 1<<20) + `"`, "", "1 MiB"},
	}
	for _, tt := range tests {
		got, err := check(t, tt.g, tt.in)
		if string(got) != tt.want || (err == nil) != (tt.fail == "") || err != nil && !strings.Contains(err.Error(), tt.fail) {
			t.Errorf("%.60s: %s, %v; want %s%s", tt.in, got, err, tt.want, tt.fail)
		}
	}
}

// TestCodecRoundTrip: whatever a move type can hold comes back as it was.
func TestCodecRoundTrip(t *testing.T) {
	g := game.New(anyMove[cell]{})
	rapid.Check(t, func(t *rapid.T) {
		c := cell{
			Col: rapid.Int64Range(-1<<53, 1<<53).Draw(t, "col"), Row: rapid.IntRange(-9, 9).Draw(t, "row"), Note: rapid.String().Draw(t, "note"),
			Extra: rapid.SampledFrom([]game.Opt[int]{{}, game.Null[int](), game.Some(0), game.Some(5)}).Draw(t, "extra"),
		}
		c.Sub.A = [2]int8{rapid.Int8().Draw(t, "a0"), rapid.Int8().Draw(t, "a1")}
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		table, err := g.Table(nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := table.Start(game.Setup{Seats: 1})
		if err != nil {
			t.Fatal(err)
		}
		recorded, err := s.Check(0, game.Action(text))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if want, err := game.Canonical(text); err != nil || recorded != want {
			t.Fatalf("%s is recorded as %s, want %s, %v", text, recorded, want, err)
		}
		var back cell
		if err := json.Unmarshal([]byte(recorded), &back); err != nil || back != c {
			t.Fatalf("%s came back as %+v, %v", recorded, back, err)
		}
	})
}

// columns is a finite move space; the fields let tests break it.
type columns struct {
	heap
	actions []string
	shift   int
}

func (c columns) Legal(dst []string, s *heapState, _ game.Seat) []string {
	return append(dst, c.actions[:min(len(c.actions), s.left)]...)
}
func (c columns) Apply(s *heapState, moves []game.Move[string]) { s.left = 0 }
func (c columns) Actions() []string                             { return c.actions }
func (c columns) Index(a string) int {
	for i, b := range c.actions {
		if a == b {
			return i + c.shift
		}
	}
	return -1
}

func TestIndexed(t *testing.T) {
	table, err := game.New(columns{heap: heap{Size: 2}, actions: []string{"a", "b", "long"}}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	actions := table.Actions()
	if fmt.Sprint(actions) != `["a" "b" "long"]` {
		t.Errorf("Actions: %s", actions)
	}
	actions[0] = "mine"
	for i, a := range table.Actions() {
		if n, ok := table.Index(a); n != i || !ok {
			t.Errorf("Index(%s) = %d, %v", a, n, ok)
		}
	}
	for _, a := range []game.Action{"", "0", "a", `"c"`, ` "a"`, "\xff"} {
		if n, ok := table.Index(a); ok {
			t.Errorf("Index(%q) = %d", a, n)
		}
	}
	s, err := table.Start(game.Setup{Seats: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		in, want game.Action
	}{{`"a"`, `"a"`}, {` "\u0061"`, `"a"`}, {`"long"`, ""}, {`"c"`, ""}, {"0", ""}} {
		got, err := s.Check(0, tt.in)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("Check(%s): %s, %v", tt.in, got, err)
		}
	}

	// No table: no index.
	plain, err := game.New(heap{Size: 2}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := plain.Index("1"); ok || plain.Actions() != nil {
		t.Error("an index without Indexed")
	}
	for name, broken := range map[string]columns{
		"both":  {actions: []string{"a", "b", "a"}},
		"Index": {actions: []string{"a", "b"}, shift: 1},
	} {
		if _, err := game.New(broken).Table(nil); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type boxed struct{ V any }

type infoOnly struct {
	dice
	info game.Info
}

func (g infoOnly) Info() game.Info { return g.info }

// TestUnfit: rules that could panic on an agent's bytes, or that no seats fit, get no table.
func TestUnfit(t *testing.T) {
	for name, g := range map[string]game.Game{
		"interface": game.New(anyMove[any]{}), "V has kind interface": game.New(anyMove[boxed]{}), "[].V": game.New(anyMove[[2]boxed]{}),
		"chan": game.New(anyMove[chan int]{}), "0 to 0 seats": game.New(infoOnly{}),
		"2 to 65 seats": game.New(infoOnly{info: game.Info{MinSeats: 2, MaxSeats: 65}}), "3 to 2 seats": game.New(infoOnly{info: game.Info{MinSeats: 3, MaxSeats: 2}}),
	} {
		if table, err := g.Table(nil); err == nil || table != nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzCheck sends any bytes to seats of several games, one move each.
func FuzzCheck(f *testing.F) {
	seeds := append(jsonSeeds(), `{"type":"say","text":"hello world"}`, `{"type":"vote","target":null}`, `{"type":"lot","target":1}`, `{"target":0,"Target":1,"type":"vote"}`)
	if len(seeds) < 10 {
		f.Fatal("the seeds are gone")
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	games := []game.Game{
		newSalon("one"), newSalon("lot"), newSalon("host"), game.New(heap{Size: 9, Most: 3}), game.New(anyMove[cell]{}), game.New(anyMove[string]{}),
		game.New(columns{heap: heap{Size: 2}, actions: []string{"a", "b"}}),
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for i, g := range games {
			s := begin(t, g, "")
			for _, seat := range []game.Seat{0, 1, game.Chance, game.Host} {
				recorded, err := s.Check(seat, game.Action(data))
				s.Text(game.Action(data))
				if _, perr := s.Parse(seat, string(data)); perr != nil && !errors.Is(perr, game.ErrIllegal) {
					t.Fatal(perr)
				}
				if err != nil {
					if !errors.Is(err, game.ErrIllegal) {
						t.Fatalf("game %d, seat %s: %v", i, seat, err)
					}
					continue
				}
				if canonical, err := game.Canonical([]byte(recorded)); err != nil || canonical != recorded {
					t.Fatalf("recorded %q, canonical %q, %v", recorded, canonical, err)
				}
				if again, err := s.Check(seat, recorded); err != nil || again != recorded {
					t.Fatalf("game %d: %q is recorded as %q, and that as %q, %v", i, data, recorded, again, err)
				}
				if err := s.Clone().Apply(game.Step{{Seat: seat, Action: recorded}}); err != nil {
					t.Fatalf("game %d: Apply of checked %q: %v", i, recorded, err)
				}
			}
		}
	})
}
