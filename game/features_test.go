package game_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
)

// sloppy has near misses of several kinds.
type sloppy struct{ heap }

func (sloppy) Validate() string                                    { return "" }     // another result
func (sloppy) Board(s heapState, seat game.Seat) string            { return "" }     // by value
func (sloppy) Svg(dst []byte, s *heapState, seat game.Seat) []byte { return dst }    // another case
func (*sloppy) Default(s *heapState, seat game.Seat) int           { return 1 }      // on the pointer
func (sloppy) Actions() []int                                      { return nil }    // Index is missing
func (sloppy) Chance(s *heapState, r *rand.PCG) int                { return 1 }      // another parameter
func (sloppy) Text(s *heapState, a int) string                     { return "text" } // right
func (sloppy) Helper(...int)                                       {}                // nobody's

func TestNearMisses(t *testing.T) {
	table, err := game.New(sloppy{heap{Size: 3, Most: 2}}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Validator: Validate is func() string, not func() error",
		"Defaulter: Default has a pointer receiver, and the rules are no pointer",
		"Chancer: Chance is func(*game_test.heapState, *rand.PCG) int, not func(*game_test.heapState, *rand.Rand) int",
		"Indexed: Actions is there, but not the rest of the interface",
		"Boarder: Board is func(game_test.heapState, game.Seat) string, not func(*game_test.heapState, game.Seat) string",
		"Drawer: the method Svg is spelt SVG",
	}
	if d := cmp.Diff(want, table.NearMisses()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(game.Features{Texter: true}, table.Features()); d != "" {
		t.Error(d)
	}
	for _, g := range []game.Game{newSalon("one"), game.New(&pointed{Size: 1}), game.New(columns{heap: heap{Size: 1}})} {
		table, err := g.Table(nil)
		if err != nil {
			t.Fatal(err)
		}
		if misses := table.NearMisses(); len(misses) > 0 {
			t.Errorf("%s: %v", table.Info().Name, misses)
		}
	}
}

// typos has the right methods under wrong names, and methods that are meant to have others.
type typos struct{ heap }

func (typos) Resampel(s *heapState, seat game.Seat, r *rand.Rand) heapState { return *s } // two letters changed places
func (typos) Defualt(s *heapState, seat game.Seat) int                      { return 1 }  // the same
func (typos) Forfiet(s *heapState, out game.SeatSet) game.Outcome           { return game.Outcome{} }
func (typos) Validat() error                                                { return nil }            // one left out
func (typos) Clones(s *heapState) heapState                                 { return *s }             // one too many
func (typos) Boards(s *heapState, seats game.Seat, n int) string            { return "" }             // another signature
func (typos) Texts(s *heapState, a int) string                              { return "" }             // too short to tell
func (typos) Moves(s *heapState, seat game.Seat) string                     { return "" }             // the signature of Board
func (typos) Labour(seat game.Seat) string                                  { return "\u00e9\u00e9" } // three off

func TestMisspelt(t *testing.T) {
	table, err := game.New(typos{heap{Size: 3, Most: 2}}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Validator: the method Validat looks like a misspelt Validate",
		"Cloner: the method Clones looks like a misspelt Clone",
		"Defaulter: the method Defualt looks like a misspelt Default",
		"Resampler: the method Resampel looks like a misspelt Resample",
		"Forfeiter: the method Forfiet looks like a misspelt Forfeit",
	}
	if d := cmp.Diff(want, table.NearMisses()); d != "" {
		t.Error(d)
	}
}

func TestFeatures(t *testing.T) {
	table, err := newSalon("one").Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := game.Features{
		Validator: true, Checker: true, Former: true, Defaulter: true, Chancer: true, Asker: true, Texter: true, Parser: true,
		Boarder: true, Drawer: true, Positioner: true, Resampler: true, Forfeiter: true,
	}
	if d := cmp.Diff(want, table.Features()); d != "" {
		t.Error(d)
	}
}

// listed keeps a slice, and clones it.
type listed struct{ heap }

type listedState struct {
	heapState
	taken []int
}

func (g listed) Start(setup game.Setup) (listedState, error) {
	s, err := g.heap.Start(setup)
	return listedState{heapState: s, taken: make([]int, 0, 64)}, err
}
func (g listed) Turn(s *listedState) game.Turn { return g.heap.Turn(&s.heapState) }
func (g listed) Legal(dst []int, s *listedState, seat game.Seat) []int {
	return g.heap.Legal(dst, &s.heapState, seat)
}
func (g listed) Apply(s *listedState, moves []game.Move[int]) {
	s.taken = append(s.taken, moves[0].Action)
	g.heap.Apply(&s.heapState, moves)
}
func (g listed) View(s *listedState, seat game.Seat) any { return g.heap.View(&s.heapState, seat) }
func (g listed) Outcome(s *listedState) game.Outcome     { return g.heap.Outcome(&s.heapState) }
func (g listed) Clone(s *listedState) listedState {
	c := *s
	c.taken = append(make([]int, 0, 64), s.taken...)
	return c
}

// TestCloner: Clone, Set and As go by the rules' Cloner.
func TestCloner(t *testing.T) {
	s := begin(t, game.New(listed{heap{Size: 9, Most: 3}}), "")
	apply(t, s, move{0, "1"})
	typed, _ := game.As[listedState](s)
	set := new(game.State)
	set.Set(s)
	set.Set(s) // into memory of its own type
	forks := map[string]*game.State{"Clone": s.Clone(), "Set": set}
	for name, f := range forks {
		apply(t, f, move{1, "3"})
		apply(t, s.Clone(), move{1, "2"})
		got, _ := game.As[listedState](f)
		if d := cmp.Diff([]int{1, 3}, got.taken); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	apply(t, s, move{1, "2"}) // into the memory that a fork must not share
	for name, f := range forks {
		if got, _ := game.As[listedState](f); !cmp.Equal(got.taken, []int{1, 3}) {
			t.Errorf("%s: became %v", name, got.taken)
		}
	}
	if d := cmp.Diff([]int{1}, append(typed.taken[:0:0], typed.taken...)); d != "" || len(typed.taken[:2]) == 2 && typed.taken[:2][1] != 0 {
		t.Errorf("As shares memory: %v", typed.taken[:2])
	}
}

type dumped struct {
	heap
	build func() dumpState
}

type dumpState struct {
	n     int
	text  string
	array [2]bool
	slice []any
	table map[string]*int
	log   game.Log[float64]
	self  *dumpState
	when  struct{ x complex64 }
	call  func()
	bytes [3]byte
}

func (d dumped) Start(game.Setup) (dumpState, error)            { return d.build(), nil }
func (dumped) Turn(*dumpState) game.Turn                        { return game.Turn{} }
func (dumped) Legal(dst []int, _ *dumpState, _ game.Seat) []int { return dst }
func (dumped) Apply(*dumpState, []game.Move[int])               {}
func (dumped) View(*dumpState, game.Seat) any                   { return nil }
func (dumped) Outcome(*dumpState) game.Outcome                  { return game.Outcome{} }

func TestDump(t *testing.T) {
	dump := func(build func() dumpState) string {
		return game.Dump(begin(t, game.New(dumped{heap{Size: 1}, build}), ""))
	}
	full := func() dumpState {
		one, two := 1, 2
		s := dumpState{
			n: -3, text: "a\"b", array: [2]bool{true, false}, slice: []any{uint8(7), nil, "x", []int{1}},
			table: map[string]*int{"b": &two, "a": &one, "c": nil},
		}
		s.when.x, s.call, s.bytes = 1i, nil, [3]byte{0, 0xa5, 0xff}
		s.log = s.log.Append(0.5).Append(2)
		s.log.Append(9) // a fork's, in the same memory
		return s
	}
	const want = `{n:-3 text:"a\"b" array:[true false] slice:[uint8(7) nil string("x") []int([1])] table:map["a":&1 "b":&2 "c":nil] ` +
		`log:[0x1p-01 0x1p+01] self:nil when:{x:(0x0p+00+0x1p+00i)} call:func@0 bytes:x'00a5ff'}`
	if got := dump(full); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	changes := map[string]func(*dumpState){
		"nothing":        func(*dumpState) {},
		"nil for empty":  func(s *dumpState) { s.slice = nil },
		"n":              func(s *dumpState) { s.n++ },
		"array":          func(s *dumpState) { s.array[1] = true },
		"inside a slice": func(s *dumpState) { s.slice = append(s.slice, 1) },
		"behind a map":   func(s *dumpState) { x := 5; s.table = map[string]*int{"a": &x} },
		"log":            func(s *dumpState) { s.log = s.log.Append(1) },
		"bytes":          func(s *dumpState) { s.bytes[2] = 1 },
		"pointer":        func(s *dumpState) { s.self = &dumpState{} },
		"cycle":          func(s *dumpState) { s.self = s },
	}
	plain := dump(func() dumpState { return dumpState{slice: []any{}} })
	seen := map[string]string{}
	for name, change := range changes {
		got := dump(func() dumpState { s := new(dumpState); change(s); return *s })
		if same := name == "nothing" || name == "nil for empty"; (got == plain) != same {
			t.Errorf("%s: prints %s", name, got)
		}
		if name != "nothing" && name != "nil for empty" {
			if other, ok := seen[got]; ok {
				t.Errorf("%s prints like %s", name, other)
			}
			seen[got] = name
		}
	}
	if got := dump(func() dumpState { s := new(dumpState); s.self = s; return *s }); !strings.Contains(got, "(cycle)") {
		t.Error("a cycle is not shown as one")
	}
}

// coloured names its seats.
type coloured struct{ heap }

func (coloured) Label(seat game.Seat) string { return []string{"white", "black"}[seat] }

func TestLabel(t *testing.T) {
	table, err := game.New(coloured{heap{Size: 1, Most: 1}}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if !table.Features().Labeler {
		t.Error("Labeler is not among the features")
	}
	plain, err := game.New(heap{Size: 1, Most: 1}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	for seat, want := range map[game.Seat]string{0: "white", 1: "black", game.Spectator: "", game.Chance: "", game.Host: ""} {
		if got := table.Label(seat); got != want {
			t.Errorf("%s is called %q, want %q", seat, got, want)
		}
		if got := plain.Label(seat); got != "" {
			t.Errorf("%s is called %q without a Labeler", seat, got)
		}
	}
}
