package rating

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
)

// vectors reads a file of testdata.
func vectors[T any](t *testing.T, name string) *T {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	v := new(T)
	if err := json.Unmarshal(b, v); err != nil {
		t.Fatal(err)
	}
	return v
}

// near reports whether two numbers agree to a tolerance, which is relative for
// numbers above 1.
func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*max(1, math.Abs(want))
}

func newElo(t interface {
	Helper()
	Fatal(...any)
}, o EloOptions) *Elo {
	t.Helper()
	e, err := NewElo(o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

type eloVectors struct {
	Differences [][2]float64
	Expected    [][4]*float64
	Deviations  [][5]float64
	Logistic    [][2]float64
	Inverse     [][2]float64
	Updates     []struct {
		RA    float64 `json:"ra"`
		RB    float64 `json:"rb"`
		Score float64 `json:"score"`
		K     float64 `json:"k"`
		NewA  float64 `json:"new_a"`
		NewB  float64 `json:"new_b"`
	}
	Rounds struct {
		Rating, K, New              float64
		Opponents, Scores, Expected []float64
	}
}

func TestFIDETables(t *testing.T) {
	v := vectors[eloVectors](t, "elo.json")
	if len(v.Differences) != 51 || len(v.Expected) != 51 {
		t.Fatalf("%d and %d rows", len(v.Differences), len(v.Expected))
	}
	for _, row := range v.Differences {
		for _, sign := range []float64{1, -1} {
			score := 0.5 + sign*(row[0]-0.5)
			if got, err := FIDEDifference(score); err != nil || got != int(sign*row[1]) {
				t.Errorf("a score of %v: %d, %v, not %v", score, got, err, sign*row[1])
			}
		}
	}
	for _, row := range v.Expected {
		high := 1200.0
		if row[1] != nil {
			high = *row[1]
		}
		for d := *row[0]; d <= high; d++ {
			if got := FIDEExpected(d); got != *row[2] {
				t.Errorf("at %v: %v, not %v", d, got, *row[2])
			}
			if got := FIDEExpected(-d); d > 0 && got != *row[3] {
				t.Errorf("at %v: %v, not %v", -d, got, *row[3])
			}
		}
	}
	// In these rows the table leaves the normal distribution that it is said to
	// be: it must be read, not computed.
	for _, row := range v.Deviations {
		low, high := normCDF(row[0]*7/2000), normCDF(row[1]*7/2000)
		if !near(low, row[3], 6e-5) || !near(high, row[4], 6e-5) {
			t.Errorf("from %v to %v the distribution gives %v to %v, not %v to %v", row[0], row[1], low, high, row[3], row[4])
		}
		if math.Floor(low*100+0.5) == math.Floor(high*100+0.5) {
			t.Errorf("from %v to %v the formula and the table agree", row[0], row[1])
		}
	}
	// Halves are rounded upwards, in whatever direction a float64 is off.
	for n := 1; n <= 400; n++ {
		for halves := range 2*n + 1 {
			row := v.Differences[100-max((100*halves+n)/(2*n), 50)]
			want := int(row[1])
			if p := (100*halves + n) / (2 * n); p < 50 {
				want = -int(v.Differences[p][1])
			}
			if got, err := FIDEDifference(float64(halves) / 2 / float64(n)); err != nil || got != want {
				t.Fatalf("%v points of %d: %d, %v, not %d", float64(halves)/2, n, got, err, want)
			}
		}
	}
	for _, score := range []float64{-0.01, 1.01, math.NaN(), math.Inf(1)} {
		if _, err := FIDEDifference(score); !errors.Is(err, ErrInput) {
			t.Errorf("a score of %v: %v", score, err)
		}
	}
}

func TestLogistic(t *testing.T) {
	v := vectors[eloVectors](t, "elo.json")
	for _, row := range v.Logistic {
		if got := LogisticExpected(row[0]); !near(got, row[1], 1e-14) {
			t.Errorf("at %v: %v, not %v", row[0], got, row[1])
		}
	}
	for _, row := range v.Inverse {
		if got, err := LogisticDifference(row[0]); err != nil || !near(got, row[1], 1e-12) {
			t.Errorf("a score of %v: %v, %v, not %v", row[0], got, err, row[1])
		}
	}
	for d, want := range map[float64]float64{math.Inf(1): 1, math.Inf(-1): 0, 1e308: 1, -1e308: 0} {
		if got := LogisticExpected(d); got != want {
			t.Errorf("at %v: %v", d, got)
		}
	}
	if l, f := LogisticExpected(math.NaN()), FIDEExpected(math.NaN()); l != 0.5 || f != 0.5 {
		t.Errorf("NaN counts as 0, but gives %v and %v", l, f)
	}
	for _, score := range []float64{0, 1, -1, 2, math.NaN()} {
		if d, err := LogisticDifference(score); !errors.Is(err, ErrInput) || d != 0 {
			t.Errorf("a score of %v: %v, %v", score, d, err)
		}
	}
}

func TestEloUpdates(t *testing.T) {
	v := vectors[eloVectors](t, "elo.json")
	for _, u := range v.Updates {
		e := newElo(t, EloOptions{K: FixedK(u.K)})
		a, b, err := e.Update(EloPlayer{Rating: u.RA}, EloPlayer{Rating: u.RB}, u.Score)
		if err != nil || !near(a.Rating, u.NewA, 1e-12) || !near(b.Rating, u.NewB, 1e-12) {
			t.Errorf("%+v: %v and %v, %v", u, a.Rating, b.Rating, err)
		}
	}
	r := v.Rounds
	e := newElo(t, EloOptions{K: FixedK(r.K)})
	table := map[string]EloPlayer{"a": {Rating: r.Rating}}
	var games []Game
	for i, o := range r.Opponents {
		name := string(rune('b' + i))
		table[name] = EloPlayer{Rating: o}
		games = append(games, Duel("a", name, r.Scores[i]))
		if got := e.Expected(r.Rating, o); !near(got, r.Expected[i], 1e-12) {
			t.Errorf("expected of round %d: %v, not %v", i, got, r.Expected[i])
		}
	}
	if err := e.Period(table, games); err != nil {
		t.Fatal(err)
	}
	if got := table["a"]; !near(got.Rating, r.New, 1e-12) || got.Games != 5 {
		t.Errorf("after the rounds: %+v, not %v", got, r.New)
	}
}

// TestEloUnlikeK: each player moves by a K of his own, as it was before the game.
func TestEloUnlikeK(t *testing.T) {
	e := newElo(t, EloOptions{K: FIDEK{}})
	novice, master := EloPlayer{Rating: 2399, Games: 29}, EloPlayer{Rating: 2399, Peak: 2450, Games: 300}
	for _, score := range []float64{1, 0} {
		a, b, err := e.Update(novice, master, score)
		if err != nil || a.Rating != 2399+40*(score-0.5) || b.Rating != 2399-10*(score-0.5) || a.Games != 30 || b.Games != 301 {
			t.Errorf("score %v: %+v and %+v, %v", score, a, b, err)
		}
		b, a, err = e.Update(master, novice, 1-score)
		if err != nil || a.Rating != 2399+40*(score-0.5) || b.Rating != 2399-10*(score-0.5) {
			t.Errorf("score %v, the other first: %+v and %+v, %v", score, a, b, err)
		}
	}
}

func TestEloCap(t *testing.T) {
	fide := newElo(t, FIDERules())
	for _, c := range []struct{ a, b, want float64 }{
		{2000, 2400, 0.08}, {2000, 2800, 0.08}, {2649, 2000, 0.92}, {2650, 2000, 0.99}, {2700, 1900, 1}, {1900, 2700, 0.08},
	} {
		if got := fide.Expected(c.a, c.b); got != c.want {
			t.Errorf("%v against %v: %v, not %v", c.a, c.b, got, c.want)
		}
	}
	if got := newElo(t, EloOptions{Cap: 400}).Expected(3000, 1000); !near(got, 10.0/11, 1e-14) {
		t.Errorf("capped: %v", got)
	}
	if got := newElo(t, EloOptions{Curve: CurveFIDE, Cap: -1}).Expected(3000, 1000); got != 1 {
		t.Errorf("not capped: %v", got)
	}
	for _, c := range []struct{ a, b float64 }{{math.NaN(), 0}, {math.Inf(1), math.Inf(-1)}, {0, math.Inf(1)}} {
		if got := newElo(t, EloOptions{}).Expected(c.a, c.b); !(got >= 0 && got <= 1) {
			t.Errorf("%v against %v: %v", c.a, c.b, got)
		}
	}
}

func TestKPolicies(t *testing.T) {
	rise := func(ratings ...float64) (past [10]float64) {
		copy(past[:], ratings)
		return past
	}
	flat := rise(1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500, 1500)
	for _, c := range []struct {
		name string
		k    KPolicy
		p    EloPlayer
		want float64
	}{
		{"fixed", FixedK(10), EloPlayer{}, 10},
		{"FIDE new", FIDEK{}, EloPlayer{Games: 29, Rating: 2500, Peak: 2500}, 40},
		{"FIDE", FIDEK{}, EloPlayer{Games: 30, Rating: 2399, Peak: 2399}, 20},
		{"FIDE master", FIDEK{}, EloPlayer{Games: 30, Rating: 2300, Peak: 2400}, 10},
		{"FIDE master without a peak", FIDEK{}, EloPlayer{Games: 30, Rating: 2400}, 10},
		{"FIDE junior", FIDEK{}, EloPlayer{Games: 300, Rating: 2299, Peak: 2310, Junior: true}, 40},
		{"FIDE strong junior", FIDEK{}, EloPlayer{Games: 300, Rating: 2300, Peak: 2300, Junior: true}, 20},
		{"arena 29", ArenaK{}, EloPlayer{Games: 29, Rating: 1500, Past: flat}, 32},
		{"arena 30", ArenaK{}, EloPlayer{Games: 30, Rating: 1500, Past: flat}, 24},
		{"arena 100", ArenaK{}, EloPlayer{Games: 100, Rating: 1500, Past: flat}, 24},
		{"arena 101", ArenaK{}, EloPlayer{Games: 101, Rating: 1500, Past: flat}, 16},
		{"arena declared", ArenaK{}, EloPlayer{Games: 101, Rating: 1500, Past: flat, Improving: true}, 32},
		{"arena declared and rising", ArenaK{}, EloPlayer{Games: 101, Rating: 1620, Past: flat, Improving: true}, 32},
		{"arena rise of 120", ArenaK{}, EloPlayer{Games: 101, Rating: 1620, Past: flat}, 32},
		{"arena rise of 119", ArenaK{}, EloPlayer{Games: 101, Rating: 1619, Past: flat}, 16},
		{"arena over 4 games", ArenaK{}, EloPlayer{Games: 101, Rating: 1620, Past: rise(1590, 1560, 1530, 1500, 1620, 1620, 1620, 1620, 1620, 1620)}, 16},
		{"arena over 5 games", ArenaK{}, EloPlayer{Games: 101, Rating: 1620, Past: rise(1600, 1580, 1560, 1540, 1500, 1620, 1620, 1620, 1620, 1620)}, 32},
		{"arena over 10 games", ArenaK{}, EloPlayer{Games: 101, Rating: 1620, Past: rise(1601, 1601, 1601, 1601, 1601, 1601, 1601, 1601, 1601, 1500)}, 32},
		{"arena, four games in all", ArenaK{}, EloPlayer{Games: 4, Rating: 1620}, 32},
		{"arena, five games in all", ArenaK{}, EloPlayer{Games: 5, Rating: 1620, Past: rise(1600, 1580, 1560, 1530, 1500)}, 64},
	} {
		if got := c.k.K(&c.p); got != c.want {
			t.Errorf("%s: K %v, not %v", c.name, got, c.want)
		}
	}
}

// wild is a policy from outside that gives what it likes.
type wild float64

func (w wild) K(*EloPlayer) float64 { return float64(w) }

func TestEloKeepsKInRange(t *testing.T) {
	for _, c := range []struct {
		k    wild
		want float64
	}{{wild(math.NaN()), 1500}, {wild(math.Inf(1)), 2000}, {-5, 1500}, {1e9, 2000}} {
		e := newElo(t, EloOptions{K: c.k})
		if a, b, err := e.Update(e.Start(), e.Start(), 1); err != nil || a.Rating != c.want || b.Rating != 3000-c.want {
			t.Errorf("K %v: %v and %v, %v", float64(c.k), a.Rating, b.Rating, err)
		}
	}
}

func TestEloMaxPeriod(t *testing.T) {
	e := newElo(t, EloOptions{Curve: CurveFIDE, K: FIDEK{}, MaxPeriod: 700})
	table := map[string]EloPlayer{"a": {Rating: 1800}, "b": {Rating: 1800, Games: 30}}
	var games []Game
	for range 30 {
		games = append(games, Duel("a", "b", 1))
	}
	if err := e.Period(table, games); err != nil {
		t.Fatal(err)
	}
	// 40 x 30 and 20 x 30: the first becomes 23 x 30, the second stays.
	want := map[string]EloPlayer{
		"a": {Rating: 1800 + 23*15, Peak: 1800 + 23*15, Games: 30},
		"b": {Rating: 1800 - 20*15, Peak: 1800, Games: 60},
	}
	for name, w := range want {
		for i := range w.Past {
			w.Past[i] = 1800
		}
		if diff := cmp.Diff(w, table[name]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestEloRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		o    EloOptions
	}{
		{"Curve", EloOptions{Curve: 7}}, {"K", EloOptions{K: FixedK(math.NaN())}}, {"K", EloOptions{K: FixedK(-1)}}, {"Start", EloOptions{Start: math.Inf(1)}},
		{"Cap", EloOptions{Cap: math.NaN()}}, {"Uncapped", EloOptions{Uncapped: -1}}, {"MaxPeriod", EloOptions{MaxPeriod: math.NaN()}},
	} {
		if _, err := NewElo(c.o); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "EloOptions."+c.name) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	e := newElo(t, EloOptions{})
	nan := math.NaN()
	for name, p := range map[string]EloPlayer{
		"Rating": {Rating: nan}, "Peak": {Peak: nan}, "Games": {Games: -1}, "Past[3]": {Past: [10]float64{3: math.Inf(-1)}},
	} {
		if _, _, err := e.Update(p, e.Start(), 1); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "EloPlayer."+name) {
			t.Errorf("%s: %v", name, err)
		}
		table := map[string]EloPlayer{"a": p}
		if err := e.Period(table, []Game{Duel("c", "b", 1), Duel("a", "b", 1)}); !errors.Is(err, ErrInput) || len(table) != 1 {
			t.Errorf("%s: %v, %d in the table", name, err, len(table))
		}
	}
	if _, _, err := e.Update(e.Start(), e.Start(), nan); !errors.Is(err, ErrInput) {
		t.Errorf("a score of NaN: %v", err)
	}
	table := map[string]EloPlayer{}
	void := Duel("a", "b", 1)
	void.Cause = referee.CauseVoid
	if err := e.Period(table, []Game{Duel("a", "b", 1), void}); !errors.Is(err, ErrVoid) || len(table) != 0 {
		t.Errorf("a void: %v, %v", err, table)
	}
}

// naiveElo follows the definition: game by game, everything at the old ratings.
func naiveElo(ratings map[string]float64, games []Game, k float64) map[string]float64 {
	after := map[string]float64{}
	for name, r := range ratings {
		after[name] = r
	}
	for _, g := range games {
		for i, s := range g.Sides {
			e := 0.0
			for j, o := range g.Sides {
				if j != i {
					e += 1 / (1 + math.Pow(10, (ratings[o.Players[0]]-ratings[s.Players[0]])/400))
				}
			}
			after[s.Players[0]] += k * (s.Score - e/float64(len(g.Sides)-1))
		}
	}
	return after
}

// drawGames makes games between players "a" to "f", of two sides or more.
func drawGames(t *rapid.T, sides int) []Game {
	names := []string{"a", "b", "c", "d", "e", "f"}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Game {
		n := rapid.IntRange(2, sides).Draw(t, "sides")
		perm := rapid.Permutation(names).Draw(t, "seating")
		returns := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 0, 1}), n, n).Draw(t, "returns")
		g, err := FromResult(&referee.Result{Returns: returns}, Seating{Players: perm[:n]})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}), 1, 12).Draw(t, "games")
}

func TestEloPeriodAgainstNaive(t *testing.T) {
	e := newElo(t, EloOptions{})
	rapid.Check(t, func(t *rapid.T) {
		games := drawGames(t, 6)
		table, ratings := map[string]EloPlayer{}, map[string]float64{}
		total := 0.0
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			r := rapid.Float64Range(800, 2800).Draw(t, name)
			table[name], ratings[name] = EloPlayer{Rating: r}, r
			total += r
		}
		shuffled := map[string]EloPlayer{}
		for name, p := range table {
			shuffled[name] = p
		}
		if err := e.Period(table, games); err != nil {
			t.Fatal(err)
		}
		want := naiveElo(ratings, games, 32)
		for name, p := range table {
			total -= p.Rating
			if !near(p.Rating, want[name], 1e-11) {
				t.Fatalf("%s: %v, not %v", name, p.Rating, want[name])
			}
		}
		if math.Abs(total) > 1e-8 {
			t.Fatalf("the sum of the ratings moved by %v", total)
		}
		if err := e.Period(shuffled, rapid.Permutation(games).Draw(t, "order")); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(table, shuffled); diff != "" {
			t.Fatalf("the order of the games matters: %s", diff)
		}
	})
}

// TestEloPeriodOfOneIsUpdate holds bit for bit.
func TestEloPeriodOfOneIsUpdate(t *testing.T) {
	e := newElo(t, ArenaRules())
	rapid.Check(t, func(t *rapid.T) {
		a, b := e.Start(), e.Start()
		table := map[string]EloPlayer{}
		for range rapid.IntRange(1, 40).Draw(t, "games") {
			score := rapid.SampledFrom([]float64{0, 0.5, 1, 0.75}).Draw(t, "score")
			var err error
			if a, b, err = e.Update(a, b, score); err != nil {
				t.Fatal(err)
			}
			if err := e.Period(table, []Game{Duel("a", "b", score)}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(map[string]EloPlayer{"a": a, "b": b}, table); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestEloTeamsMoveTogether(t *testing.T) {
	e := newElo(t, EloOptions{})
	table := map[string]EloPlayer{"a": {Rating: 1600}, "b": {Rating: 1400}, "c": {Rating: 1500}}
	g := Game{Sides: []Side{{Players: []string{"a", "b"}, Score: 1}, {Players: []string{"c"}, Rank: 1}}}
	if err := e.Period(table, []Game{g}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"a": 1616, "b": 1416, "c": 1484} {
		if got := table[name].Rating; got != want {
			t.Errorf("%s: %v, not %v", name, got, want)
		}
	}
}
