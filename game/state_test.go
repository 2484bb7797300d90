package game_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
)

type move = game.Move[game.Action]

func TestStart(t *testing.T) {
	table, err := newSalon("one").Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name  string
		setup game.Setup
		want  []string
	}{
		{"no seats", game.Setup{}, []string{"seats: 0, not 3 to 3"}},
		{"too many seats", game.Setup{Seats: 4}, []string{"seats: 4"}},
		{"below none", game.Setup{Seats: -1, Names: []string{"a"}}, []string{"seats: -1", "names: 1"}},
		{"too many names", game.Setup{Seats: 3, Names: make([]string, 4)}, []string{"names: 4 of them for 3 seats"}},
		{"the rules' own", game.Setup{Seats: 3, Position: "nowhere"}, []string{"nowhere is no place"}},
		{"a long position", game.Setup{Seats: 3, Position: strings.Repeat("x", 1<<17)}, []string{"position: over"}},
	}
	for _, tt := range tests {
		s, err := table.Start(tt.setup)
		if s != nil || !errors.Is(err, game.ErrSetup) {
			t.Errorf("%s: %v", tt.name, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%s: %q is not in: %v", tt.name, want, err)
			}
		}
	}
	plain, err := game.New(heap{Size: 3, Most: 2}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Start(game.Setup{Seats: 2, Position: "x"}); !errors.Is(err, game.ErrSetup) {
		t.Errorf("a position for rules without: %v", err)
	}

	names := []string{"ann"}
	s, err := table.Start(game.Setup{Seats: 3, Names: names, Position: "p"})
	if err != nil {
		t.Fatal(err)
	}
	names[0] = "changed"
	want := []string{"ann", "seat 1", "seat 2"}
	if d := cmp.Diff(want, s.View(0).(salonView).Names); d != "" {
		t.Error(d)
	}
	if typed, ok := game.As[salonState](s); !ok || typed.from != "p" {
		t.Errorf("the position did not reach Start: %+v", typed)
	}
	if _, ok := game.As[heapState](s); ok {
		t.Error("As gave a state of another type")
	}
}

// TestTurns plays through every kind of turn: what is refused, and that a refusal changes nothing.
func TestTurns(t *testing.T) {
	s := begin(t, newSalon("one", "joint", "independent", "free", "host", "lot"), "")
	vote, news, lot := game.Action(`{"type":"vote"}`), game.Action(`{"type":"news"}`), game.Action(`{"target":3,"type":"lot"}`)
	refused := func(name string, step ...move) {
		t.Helper()
		before := game.Dump(s)
		err := s.Apply(step)
		if err == nil {
			t.Fatalf("%s: %s was applied", s.Turn().Phase, name)
		}
		if after := game.Dump(s); after != before {
			t.Fatalf("%s: %s was refused (%v) but changed the state:\n%s", s.Turn().Phase, name, err, cmp.Diff(before, after))
		}
	}
	nobody := func(seats ...game.Seat) {
		t.Helper()
		for _, seat := range seats {
			for _, a := range []game.Action{vote, news, lot} {
				if _, err := s.Check(seat, a); !errors.Is(err, game.ErrIllegal) {
					t.Fatalf("%s: Check of %s by %s: %v", s.Turn().Phase, a, seat, err)
				}
				if _, err := s.Play(seat, a); !errors.Is(err, game.ErrIllegal) {
					t.Fatalf("%s: Play of %s by %s: %v", s.Turn().Phase, a, seat, err)
				}
				refused("a move of "+seat.String(), move{Seat: seat, Action: a})
			}
			if len(s.Legal(nil, seat)) > 0 || s.Form(seat) != nil {
				t.Fatalf("%s: %s has moves", s.Turn().Phase, seat)
			}
			if _, ok := s.Default(seat); ok {
				t.Fatalf("%s: %s has a default", s.Turn().Phase, seat)
			}
			if _, err := s.Parse(seat, "vote"); !errors.Is(err, game.ErrIllegal) {
				t.Fatalf("%s: Parse for %s: %v", s.Turn().Phase, seat, err)
			}
		}
	}
	steps := 0
	applied := func(want ...game.Seat) {
		t.Helper()
		if steps++; s.Steps() != steps {
			t.Fatalf("%d steps, want %d", s.Steps(), steps)
		}
		if s.Turn().Seats != game.Seats(want...) {
			t.Fatalf("%b are to move, want %v", s.Turn().Seats, want)
		}
	}

	nobody(0, 2, 63, -4, game.Spectator, game.Chance, game.Host)
	refused("nothing")
	refused("two moves", move{1, vote}, move{1, vote})
	refused("an illegal move", move{1, news})
	refused("text that is not as recorded", move{1, `{"text":"too long","type":"say"}`})
	refused("what is not canonical", move{1, ` {"type":"vote"}`})
	apply(t, s, move{1, vote})
	applied(0, 2)

	nobody(1, game.Spectator, game.Chance, game.Host)
	if _, err := s.Play(0, vote); err == nil || errors.Is(err, game.ErrIllegal) {
		t.Fatalf("Play in a joint turn: %v", err)
	}
	for _, seat := range []game.Seat{0, 2} {
		if _, err := s.Check(seat, vote); err != nil {
			t.Fatal(err)
		}
	}
	refused("one of two", move{0, vote})
	refused("the wrong order", move{2, vote}, move{0, vote})
	refused("twice the same", move{0, vote}, move{0, vote})
	refused("three", move{0, vote}, move{1, vote}, move{2, vote})
	refused("a second illegal one", move{0, vote}, move{2, lot})
	apply(t, s, move{0, vote}, move{2, vote})
	applied(0, 2)

	nobody(1, game.Chance, game.Host)
	refused("both at once", move{0, vote}, move{2, vote})
	apply(t, s, move{2, vote})
	applied(0)
	nobody(2)
	if recorded, err := s.Play(0, ` {"text":"abcdefgh", "x":1, "type":"say"}`); err != nil || recorded != `{"text":"abcde","type":"say"}` {
		t.Fatalf("%s, %v", recorded, err)
	}
	applied(0, 1, 2)

	nobody(game.Chance, game.Spectator)
	if asks := s.Asks(); len(asks) != 1 || asks[0].ID != 3 {
		t.Fatalf("asks %+v", asks)
	}
	refused("the host's beside a seat's", move{0, vote}, move{game.Host, news})
	refused("a seat's by the host", move{game.Host, vote})
	refused("the host's by a seat", move{0, news})
	apply(t, s, move{game.Host, news})
	applied(0, 1, 2)
	apply(t, s, move{1, vote})
	applied(0, 2)
	apply(t, s, move{0, vote})
	applied(2)
	apply(t, s, move{2, vote})
	applied()

	nobody(0, 1, 2, game.Chance)
	if _, ok := s.Chance(game.SeedFrom(1)); ok {
		t.Fatal("chance in the host's turn")
	}
	apply(t, s, move{game.Host, news})
	applied()

	nobody(0, 1, 2, game.Host)
	if asks := s.Asks(); asks != nil {
		t.Fatalf("asks %+v in the turn of chance", asks)
	}
	refused("a seat's by chance", move{game.Chance, vote})
	if d := cmp.Diff(game.Outcome{}, s.Outcome()); d != "" {
		t.Fatalf("an outcome before the end: %s", d)
	}
	drawn, ok := s.Chance(game.SeedFrom(1))
	if !ok {
		t.Fatal("no chance")
	}
	if again, _ := s.Chance(game.SeedFrom(1)); again != drawn {
		t.Fatalf("drew %s, then %s", drawn, again)
	}
	apply(t, s, move{game.Chance, drawn})
	applied()

	nobody(0, 1, 2, game.Host, game.Chance, game.Spectator)
	if !s.Turn().Over() {
		t.Fatal("not over")
	}
	if d := cmp.Diff(game.Outcome{Returns: []float64{1, 0, -1}, Scores: []int64{11, 0, 0}, Reason: "closed"}, s.Outcome()); d != "" {
		t.Fatal(d)
	}
}

// TestOptional calls every method that the rules may or may not have an answer to.
func TestOptional(t *testing.T) {
	rich, plain := begin(t, newSalon("one"), ""), begin(t, game.New(heap{Size: 3, Most: 2}), "")
	got := map[string]any{}
	for name, s := range map[string]*game.State{"rich": rich, "plain": plain} {
		seat := s.Turn().Seats.First()
		def, hasDef := s.Default(seat)
		board, hasBoard := s.Board(seat)
		svg, hasSVG := s.SVG([]byte("x"), game.Spectator)
		at, hasAt := s.Position()
		out, hasOut := s.Forfeit(game.Seats(0))
		re, hasRe := s.Resample(seat, rand.New(rand.NewPCG(1, 2)))
		got[name] = []any{def, hasDef, board, hasBoard, string(svg), hasSVG, at, hasAt, out.Reason, hasOut, string(s.Form(seat)), hasRe}
		if hasRe && (game.Dump(re) == game.Dump(s) || re.Turn() != s.Turn()) {
			t.Errorf("%s: resampled to %s", name, game.Dump(re))
		}
		for _, nobody := range []game.Seat{game.Chance, game.Host, -9} {
			if v := s.View(nobody); v != nil {
				t.Errorf("%s: %s sees %v", name, nobody, v)
			}
			if b, ok := s.Board(nobody); ok || b != "" {
				t.Errorf("%s: %s sees %s", name, nobody, b)
			}
			if b, ok := s.SVG([]byte("x"), nobody); ok || string(b) != "x" {
				t.Errorf("%s: %s sees %s", name, nobody, b)
			}
		}
		if s.View(game.Spectator) == nil {
			t.Errorf("%s: a spectator sees nothing", name)
		}
	}
	want := map[string]any{
		"rich": []any{game.Action(`{"type":"say"}`), true, "board of 1", true, "x<svg>spectator</svg>", true, "after 0", true,
			"forfeit", true, `{"type":"object"}`, true},
		"plain": []any{game.Action(""), false, "", false, "x", false, "", false, "", false, "", false},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestText(t *testing.T) {
	s := begin(t, newSalon("one"), "")
	for a, want := range map[game.Action]string{`{"target":0,"type":"vote"}`: "vote 0", `{"type":"say"}`: "say", `"x y"`: "x y", `{`: "{", "": "", `"a\"`: `"a\"`} {
		if got := s.Text(a); got != want {
			t.Errorf("Text(%s) = %q, want %q", a, got, want)
		}
	}
	tests := []struct {
		text, want, err string
	}{
		{"vote 0", `{"target":0,"type":"vote"}`, ""},
		{"vote", `{"target":null,"type":"vote"}`, ""},
		{"say", `{"type":"say"}`, ""},
		{"say hello", `{"text":"hello","type":"say"}`, ""},
		{"Vote 0", "", "write: say and the words"},
		{" vote 0", "", "write: say and the words"},
		{"", "", "write: say and the words"},
		{strings.Repeat("say ", 1<<15), "", "64 KiB"},
	}
	for _, tt := range tests {
		got, err := s.Parse(1, tt.text)
		if string(got) != tt.want || (err == nil) != (tt.err == "") {
			t.Errorf("Parse(%.20q) = %s, %v; want %s", tt.text, got, err, tt.want)
		}
		if err != nil && (!errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("Parse(%.20q): %v; want %q", tt.text, err, tt.err)
		}
	}
	plain := begin(t, game.New(heap{Size: 9, Most: 3}), "")
	if got, err := plain.Parse(0, "3"); err != nil || got != "3" {
		t.Errorf("3: %s, %v", got, err)
	}
	if _, err := plain.Parse(0, "4"); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), "1, 2, 3") {
		t.Errorf("4: %v; want a hint with what is accepted", err)
	}
	if _, err := plain.Check(0, "4"); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), "1, 2, 3") {
		t.Errorf("4: %v; want a hint with what is legal", err)
	}
}

// mumble writes all moves alike.
type mumble struct{ heap }

func (mumble) Text(*heapState, int) string { return "hm" }

func TestParseAmbiguous(t *testing.T) {
	s := begin(t, game.New(mumble{heap{Size: 9, Most: 3}}), "")
	if a, err := s.Parse(0, "hm"); !errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), "could be 1 or 2") {
		t.Errorf("%s, %v", a, err)
	}
}

// TestReaders has many goroutines read one state while clones of it move on; the race detector watches.
func TestReaders(t *testing.T) {
	for name, g := range map[string]game.Game{"memory": newSalon("one", "free", "lot"), "numbers": game.New(heap{Size: 400, Most: 300})} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, g, "")
			seat := s.Turn().Seats.First()
			want := s.Legal(nil, seat)
			var wg sync.WaitGroup
			for n := range 8 {
				wg.Go(func() {
					for i := range 50 {
						if got := s.Legal(nil, seat); !cmp.Equal(got, want) {
							t.Errorf("legal: %v", got)
						}
						a := want[(n*50+i)%len(want)]
						if got, err := s.Check(seat, a); err != nil || got != a {
							t.Errorf("Check(%s): %s, %v", a, got, err)
						}
						c := s.Clone()
						if _, err := c.Play(seat, a); err != nil {
							t.Errorf("Play(%s): %v", a, err)
						}
						if _, err := s.Check(seat, "[]"); err == nil {
							t.Error("[] is legal")
						}
						s.View(seat)
					}
				})
			}
			wg.Wait()
		})
	}
}

// loud panics in Apply.
type loud struct{ heap }

func (loud) Apply(*heapState, []game.Move[int]) { panic("the rules' own") }

func TestPanicPasses(t *testing.T) {
	s := begin(t, game.New(loud{heap{Size: 3, Most: 2}}), "")
	defer func() {
		if r := recover(); r != "the rules' own" {
			t.Errorf("recovered %v", r)
		}
	}()
	_, err := s.Play(0, "1")
	t.Errorf("no panic, and %v", err)
}

// TestPlayAllocates nothing once the state has its memory.
func TestPlayAllocates(t *testing.T) {
	start := begin(t, game.New(heap{Size: 50, Most: 3}), "")
	s := start.Clone()
	var legal []game.Action
	round := func() {
		s.Set(start)
		for !s.Turn().Over() {
			seat := s.Turn().Seats.First()
			legal = s.Legal(legal[:0], seat)
			if _, err := s.Play(seat, legal[len(legal)-1]); err != nil {
				t.Fatal(err)
			}
		}
	}
	round()
	if n := testing.AllocsPerRun(200, round); n >= 1 && !raceEnabled {
		t.Errorf("%v allocations a game", n)
	}
}
