package game_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
)

// shop is a ruleset of all shapes; as a game it is a heap.
type shop struct {
	heap
	Common
	Name    string             `json:"name"`
	Ratio   float64            `json:"ratio"`
	Flags   [2]bool            `json:"flags"`
	Roles   []role             `json:"roles"`
	Weights map[string]float64 `json:"weights"`
	Lead    *role              `json:"lead"`
	Limit   game.Opt[int]      `json:"limit"`
	Count   int64              `json:"count,string"`
	Plain   uint8
	hidden  int
	Skipped int `json:"-"`
}

type Common struct {
	Depth int8   `json:"depth"`
	Name  string `json:"name"` // hidden by the outer one
}

type role struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

func newShop() game.Game {
	return game.New(shop{
		heap: heap{Size: 5, Most: 2}, Common: Common{Depth: 1}, Name: "corner", Ratio: 0.5, Roles: []role{{"a", 1}, {"b", 2}},
		Weights: map[string]float64{"x": 1, "y": 2}, Lead: &role{"c", 3}, hidden: 7, Skipped: 8,
	})
}

const shopDefaults = `{"Plain":0,"count":"0","depth":1,"flags":[false,false],"lead":{"n":3,"name":"c"},"limit":null,"most":2,"name":"corner",` +
	`"ratio":0.5,"roles":[{"n":1,"name":"a"},{"n":2,"name":"b"}],"size":5,"weights":{"x":1,"y":2}}`

func TestRulesetAccepts(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"nothing", "", shopDefaults},
		{"no member", " {} ", shopDefaults},
		{"all", shopDefaults, shopDefaults},
		{"a mark", "\ufeff{}", shopDefaults},
		{"embedded", `{"size":7,"depth":-3}`, strings.NewReplacer(`"size":5`, `"size":7`, `"depth":1`, `"depth":-3`).Replace(shopDefaults)},
		{"the outer name", `{"name":"x"}`, strings.Replace(shopDefaults, "corner", "x", 1)},
		{"a list is replaced", `{"roles":[{"name":"z"}]}`, strings.Replace(shopDefaults, `[{"n":1,"name":"a"},{"n":2,"name":"b"}]`, `[{"n":0,"name":"z"}]`, 1)},
		{"a map is replaced", `{"weights":{"z":0.25}}`, strings.Replace(shopDefaults, `{"x":1,"y":2}`, `{"z":0.25}`, 1)},
		{"a pointer is replaced", `{"lead":{"n":4}}`, strings.Replace(shopDefaults, `{"n":3,"name":"c"}`, `{"n":4,"name":""}`, 1)},
		{"a pointer may be null", `{"lead":null}`, strings.Replace(shopDefaults, `{"n":3,"name":"c"}`, `null`, 1)},
		{"an Opt", `{"limit":4}`, strings.Replace(shopDefaults, `"limit":null`, `"limit":4`, 1)},
		{"a number in a string", `{"count":"9"}`, strings.Replace(shopDefaults, `"count":"0"`, `"count":"9"`, 1)},
		{"no tag", `{"Plain":255}`, strings.Replace(shopDefaults, `"Plain":0`, `"Plain":255`, 1)},
		{"array", `{"flags":[true,false]}`, strings.Replace(shopDefaults, `[false,false]`, `[true,false]`, 1)},
	}
	g := newShop()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := g.Table([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			got := table.Ruleset()
			if d := cmp.Diff(tt.want, string(got)); d != "" {
				t.Error(d)
			}
			again, err := g.Table(got)
			if err != nil || string(again.Ruleset()) != string(got) {
				t.Errorf("%s came back as %s, %v", got, again.Ruleset(), err)
			}
			got[0] = 'x'
			if table.Ruleset()[0] != '{' {
				t.Error("Ruleset gives its own memory away")
			}
		})
	}
	if table, err := g.Table(nil); err != nil || string(table.Ruleset()) != shopDefaults {
		t.Errorf("the defaults changed: %s, %v", table.Ruleset(), err)
	}
}

func TestRulesetRefuses(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"unknown", `{"size":1,"colour":2}`, []string{"colour: no such member"}},
		{"miscased", `{"SIZE":1}`, []string{"SIZE: no such member: it is spelt size"}},
		{"miscased beside", `{"size":3,"Size":1}`, []string{"Size: no such member: it is spelt size"}},
		{"duplicate", `{"size":1,"size":2}`, []string{`duplicate name "size"`}},
		{"trailing", `{"size":1}{}`, []string{"after the value"}},
		{"not an object", `[]`, []string{"the ruleset: an object is wanted"}},
		{"null", `null`, []string{"the ruleset: null"}},
		{"null member", `{"size":null}`, []string{"size: null"}},
		{"null in a list", `{"roles":[null]}`, []string{"roles[0]: null"}},
		{"fraction", `{"size":1.5}`, []string{"size: number 1.5 does not fit"}},
		{"beyond the type", `{"Plain":256}`, []string{"Plain: number 256 does not fit"}},
		{"beyond a float", `{"size":1e400}`, []string{"float64"}},
		{"long number", `{"size":` + strings.Repeat("1", 300) + `}`, []string{"size: ", "does not fit"}},
		{"string", `{"size":"5"}`, []string{"size: string does not fit"}},
		{"bare number for a string", `{"count":9}`, []string{"count: a string is wanted"}},
		{"several", `{"size":"5","x":1,"roles":[{"name":"a"},{"nom":"b","n":"c"}],"weights":{"x":"y"}}`,
			[]string{"size: string", "x: no such", "roles[1].nom: no such", "roles[1].n: string", "weights.x: string"}},
		{"unexported", `{"hidden":1}`, []string{"hidden: no such"}},
		{"unexported by its type", `{"heap":{}}`, []string{"heap: no such"}},
		{"skipped", `{"Skipped":1}`, []string{"Skipped: no such"}},
		{"dash", `{"-":1}`, []string{"-: no such"}},
		{"tagged away", `{"Name":"x"}`, []string{"Name: no such member: it is spelt name"}},
		{"array length", `{"flags":[true]}`, []string{"flags: length 2 is wanted, not 1"}},
		{"list", `{"roles":{}}`, []string{"roles: object does not fit"}},
		{"struct", `{"lead":3}`, []string{"lead: an object is wanted, not a number"}},
		{"depth", `{"roles":` + nested(33) + `}`, []string{"deep"}},
		{"surrogate", `{"name":"\ud800"}`, []string{"lone surrogate"}},
		{"odd name", `{"a\nb":1}`, []string{`"a\nb": no such member`}},
		{"long name", `{"` + strings.Repeat("n", 5000) + `":1}`, []string{"no such member"}},
		{"no JSON", `{size:1}`, []string{"unexpected"}},
	}
	g := newShop()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			table, err := g.Table([]byte(tt.in))
			if !errors.Is(err, game.ErrRuleset) || table != nil {
				t.Fatalf("%v, %v", table, err)
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in: %v", want, err)
				}
			}
			if len(err.Error()) > 500 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
	if table, err := g.Table(nil); err != nil || string(table.Ruleset()) != shopDefaults {
		t.Errorf("the defaults changed: %s, %v", table.Ruleset(), err)
	}
}

func TestRulesetValidate(t *testing.T) {
	_, err := newSalon().Table([]byte(`{"script":["one","two","three"],"limit":-1}`))
	if !errors.Is(err, game.ErrRuleset) {
		t.Fatal(err)
	}
	for _, want := range []string{`script[1]: unknown kind "two"`, `script[2]: unknown kind "three"`, "limit: -1"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	if _, err := newSalon("nonsense").Table(nil); !errors.Is(err, game.ErrRuleset) {
		t.Errorf("bad defaults: %v", err)
	}
}

// pointed has its methods on the pointer.
type pointed struct {
	Size int `json:"size"`
}

func (g *pointed) Info() game.Info                     { return heap{Size: g.Size}.Info() }
func (g *pointed) Start(game.Setup) (heapState, error) { return heapState{left: g.Size}, nil }
func (g *pointed) Turn(s *heapState) game.Turn         { return heap{}.Turn(s) }
func (g *pointed) Legal(d []int, s *heapState, x game.Seat) []int {
	return heap{Most: 1}.Legal(d, s, x)
}
func (g *pointed) Apply(s *heapState, moves []game.Move[int]) { heap{}.Apply(s, moves) }
func (g *pointed) View(s *heapState, x game.Seat) any         { return heap{}.View(s, x) }
func (g *pointed) Outcome(s *heapState) game.Outcome          { return heap{}.Outcome(s) }

func TestRulesetPointer(t *testing.T) {
	g := game.New(&pointed{Size: 3})
	nine, err := g.Table([]byte(`{"size":9}`))
	if err != nil {
		t.Fatal(err)
	}
	three, err := g.Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := string(nine.Ruleset()), string(three.Ruleset()); a != `{"size":9}` || b != `{"size":3}` {
		t.Errorf("%s and %s", a, b)
	}
}

// FuzzRuleset looks for panics, and for rulesets that do not come back as they are.
func FuzzRuleset(f *testing.F) {
	seeds := append(jsonSeeds(), shopDefaults, `{"roles":[{"name":"z"}],"lead":null}`, `{"weights":{"":1}}`)
	if len(seeds) < 10 {
		f.Fatal("the seeds are gone")
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	g := newShop()
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := g.Table(data)
		if err != nil {
			if !errors.Is(err, game.ErrRuleset) {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		ruleset := table.Ruleset()
		again, err := g.Table(ruleset)
		if err != nil || string(again.Ruleset()) != string(ruleset) {
			t.Fatalf("%q gave %s, and that %v", data, ruleset, err)
		}
		// What it said and what came of it: encoding/json, lenient, must agree.
		if len(data) == 0 {
			return
		}
		lenient := struct {
			Size *int64  `json:"size"`
			Name *string `json:"name"`
		}{}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(string(data), "\ufeff")), &lenient); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		var strict struct {
			Size int64  `json:"size"`
			Name string `json:"name"`
		}
		if err := json.Unmarshal(ruleset, &strict); err != nil {
			t.Fatal(err)
		}
		if lenient.Size != nil && *lenient.Size != strict.Size && strict.Size < 1<<53 && strict.Size > -1<<53 || lenient.Name != nil && *lenient.Name != strict.Name {
			t.Fatalf("%q became %s", data, ruleset)
		}
	})
}

// boundless has the Info that its ruleset says, and checks none of it.
type boundless struct {
	heap
	Seats  [2]int `json:"seats"`
	Steps  int    `json:"steps"`
	Return string `json:"return"` // of the winner, if it is not empty
}

func (b boundless) Info() game.Info {
	info := b.heap.Info()
	info.MinSeats, info.MaxSeats, info.MaxSteps = b.Seats[0], b.Seats[1], b.Steps
	if b.Return != "" {
		info.MaxReturn, _ = strconv.ParseFloat(b.Return, 64)
	}
	return info
}

// TestImpossibleInfo: a table of a game that cannot be is refused, whichever ruleset says so.
func TestImpossibleInfo(t *testing.T) {
	g := game.New(boundless{heap: heap{Size: 3, Most: 2}, Seats: [2]int{2, 2}, Steps: 3})
	for ruleset, want := range map[string]string{
		`{}`: "", `{"steps":0}`: "", `{"seats":[1,64]}`: "", `{"return":"-1"}`: "",
		`{"steps":-1}`:                   "info: -1 steps at most",
		`{"seats":[0,2]}`:                "info: 0 to 2 seats",
		`{"seats":[3,2]}`:                "info: 3 to 2 seats",
		`{"seats":[2,65]}`:               "info: 2 to 65 seats",
		`{"return":"-1.5"}`:              "info: returns from -1 to -1.5",
		`{"return":"NaN"}`:               "info: returns from -1 to NaN",
		`{"return":"Inf"}`:               "info: returns from -1 to +Inf",
		`{"return":"-Inf"}`:              "info: returns from -1 to -Inf",
		`{"steps":-2,"seats":[-1,2]}`:    "info: -1 to 2 seats\ninfo: -2 steps at most",
		`{"steps":-9223372036854775808}`: "info: -9223372036854775808 steps at most",
	} {
		table, err := g.Table([]byte(ruleset))
		switch {
		case want == "" && (err != nil || table == nil):
			t.Errorf("%s: %v", ruleset, err)
		case want != "" && (table != nil || !errors.Is(err, game.ErrRuleset) || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v; want one that says %q", ruleset, err, want)
		}
	}
	if _, err := game.New(boundless{heap: heap{Size: 3}, Seats: [2]int{2, 2}, Steps: -1}).Table(nil); !errors.Is(err, game.ErrRuleset) {
		t.Errorf("the default itself: %v", err)
	}
}
