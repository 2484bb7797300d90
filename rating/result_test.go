package rating

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
)

func TestFromResult(t *testing.T) {
	seats := func(out ...bool) []referee.SeatResult {
		s := make([]referee.SeatResult, len(out))
		for i, o := range out {
			s[i].Out = o
		}
		return s
	}
	for _, c := range []struct {
		name string
		r    referee.Result
		s    Seating
		want []Side
	}{
		{
			"a win", referee.Result{Returns: []float64{1, -1}}, Seating{Players: []string{"a", "b"}},
			[]Side{{Players: []string{"a"}, Score: 1}, {Players: []string{"b"}, Rank: 1}},
		},
		{
			"a draw", referee.Result{Returns: []float64{0, 0}}, Seating{Players: []string{"a", "b"}},
			[]Side{{Players: []string{"a"}, Score: 0.5}, {Players: []string{"b"}, Score: 0.5}},
		},
		{
			"a forfeit", referee.Result{Cause: referee.CauseForfeit, Reason: "late", Returns: []float64{-1, 1}, Seats: seats(true, false)},
			Seating{Players: []string{"a", "b"}},
			[]Side{{Players: []string{"a"}, Rank: 1, Forfeit: true}, {Players: []string{"b"}, Score: 1}},
		},
		{
			"a seat that walked away", referee.Result{Cause: referee.CauseAbandonment, Returns: []float64{1, -1}, Seats: seats(false, true)},
			Seating{Players: []string{"a", "b"}},
			[]Side{{Players: []string{"a"}, Score: 1}, {Players: []string{"b"}, Rank: 1, Forfeit: true}},
		},
		{
			"teams in seat order", referee.Result{Returns: []float64{1, -1, 1, -1, -1}},
			Seating{Players: []string{"a", "b", "c", "d", "e"}, Teams: []int{7, 0, 7, 0, 0}, Roles: []string{"wolf", "villager", "wolf", "seer", "villager"}},
			[]Side{
				{Players: []string{"a", "c"}, Role: "wolf", Score: 1},
				{Players: []string{"b", "d", "e"}, Role: "seer+villager", Rank: 1},
			},
		},
		{
			"a side's role wherever its seats are", referee.Result{Returns: []float64{-1, 1, 1}},
			Seating{Players: []string{"a", "b", "c"}, Teams: []int{1, 0, 0}, Roles: []string{"wolf", "seer", "villager"}},
			[]Side{{Players: []string{"a"}, Role: "wolf", Rank: 1}, {Players: []string{"b", "c"}, Role: "seer+villager", Score: 1}},
		},
		{
			"roles of seats alone", referee.Result{Returns: []float64{1, -1}}, Seating{Players: []string{"a", "b"}, Roles: []string{"white", "black"}},
			[]Side{{Players: []string{"a"}, Role: "white", Score: 1}, {Players: []string{"b"}, Role: "black", Rank: 1}},
		},
		{
			"means that are equal but for the order of seats", referee.Result{Returns: []float64{0.1, 0.2, 0.3, 0.3, 0.2, 0.1}},
			Seating{Players: []string{"a", "b", "c", "d", "e", "f"}, Teams: []int{0, 0, 0, 1, 1, 1}},
			[]Side{{Players: []string{"a", "b", "c"}, Score: 0.5}, {Players: []string{"d", "e", "f"}, Score: 0.5}},
		},
		{
			"returns whose sum is not finite", referee.Result{Returns: []float64{1.7e308, 1.6e308, 1.7e308, 1.5e308, math.MaxFloat64}},
			Seating{Players: []string{"a", "b", "c", "d", "e"}, Teams: []int{0, 0, 1, 1, 2}},
			[]Side{{Players: []string{"a", "b"}, Rank: 1, Score: 0.5}, {Players: []string{"c", "d"}, Rank: 2}, {Players: []string{"e"}, Score: 1}},
		},
		{
			"teams by the mean of unlike returns", referee.Result{Returns: []float64{3, 0, 0, 2, 1}},
			Seating{Players: []string{"a", "b", "c", "d", "e"}, Teams: []int{1, 2, 1, 2, 3}},
			[]Side{
				{Players: []string{"a", "c"}, Score: 1},
				{Players: []string{"b", "d"}, Rank: 1, Score: 0.25},
				{Players: []string{"e"}, Rank: 1, Score: 0.25},
			},
		},
		{
			"a mean of three that is no rounding of it", referee.Result{Returns: []float64{0.1, 0.1, 0.1, 0.1}},
			Seating{Players: []string{"a", "b", "c", "d"}, Teams: []int{0, 0, 0, 1}},
			[]Side{{Players: []string{"a", "b", "c"}, Score: 0.5}, {Players: []string{"d"}, Score: 0.5}},
		},
		{
			"three with a tie", referee.Result{Returns: []float64{0.5, 2, 0.5}}, Seating{Players: []string{"a", "b", "c"}},
			[]Side{{Players: []string{"a"}, Rank: 1, Score: 0.25}, {Players: []string{"b"}, Score: 1}, {Players: []string{"c"}, Rank: 1, Score: 0.25}},
		},
		{
			"an eliminated seat of a game that went on", referee.Result{Returns: []float64{0, 1, 2}, Seats: seats(true, false, false)},
			Seating{Players: []string{"a", "b", "c"}},
			[]Side{{Players: []string{"a"}, Rank: 2}, {Players: []string{"b"}, Rank: 1, Score: 0.5}, {Players: []string{"c"}, Score: 1}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.s.ID, c.s.Pair = "m7", "opening 3"
			g, err := FromResult(&c.r, c.s)
			if err != nil {
				t.Fatal(err)
			}
			if g.ID != "m7" || g.Pair != "opening 3" || g.Cause != c.r.Cause || g.Reason != c.r.Reason {
				t.Errorf("%+v", g)
			}
			if diff := cmp.Diff(c.want, g.Sides); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFromResultRefuses(t *testing.T) {
	two := Seating{Players: []string{"a", "b"}}
	for _, c := range []struct {
		name string
		r    referee.Result
		s    Seating
		is   error
		says string
	}{
		{"void", referee.Result{Cause: referee.CauseVoid}, two, ErrVoid, "void"},
		{"expiry", referee.Result{Cause: referee.CauseExpiry}, two, ErrVoid, "expiry"},
		{"returns", referee.Result{Returns: []float64{1}}, two, ErrGame, "Result.Returns"},
		{"teams", referee.Result{Returns: []float64{1, 0}}, Seating{Players: two.Players, Teams: []int{1}}, ErrGame, "Seating.Teams"},
		{"roles", referee.Result{Returns: []float64{1, 0}}, Seating{Players: two.Players, Roles: []string{}}, ErrGame, "Seating.Roles"},
		{"seats", referee.Result{Returns: []float64{1, 0}, Seats: make([]referee.SeatResult, 3)}, two, ErrGame, "Result.Seats"},
		{"NaN", referee.Result{Returns: []float64{0, math.NaN()}}, two, ErrGame, "Result.Returns[1]"},
		{"a crowd", referee.Result{Returns: make([]float64, MaxSides+1)}, Seating{Players: make([]string, MaxSides+1)}, ErrGame, "Seating.Players: 65"},
		{"one player", referee.Result{Returns: []float64{0}}, Seating{Players: []string{"a"}}, ErrGame, "Sides: 1"},
		{"one team", referee.Result{Returns: []float64{0, 0}}, Seating{Players: two.Players, Teams: []int{1, 1}}, ErrGame, "Sides: 1"},
		{"itself", referee.Result{Returns: []float64{1, 0}}, Seating{Players: []string{"a", "a"}}, ErrGame, "Sides[1].Players[0]"},
		{"no name", referee.Result{Returns: []float64{1, 0}}, Seating{Players: []string{"", "a"}}, ErrGame, "Sides[0].Players[0] is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := FromResult(&c.r, c.s)
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestGameValidateNamesEachField(t *testing.T) {
	long := strings.Repeat("x", MaxPlayerID+1)
	g := Game{ID: long, Pair: long, Cause: 99, Sides: []Side{
		{Players: []string{long, "a\n", "\xff"}, Score: math.NaN()},
		{Players: nil, Score: math.Inf(1)},
		{Players: []string{"b"}, Role: "a\nb", Rank: -1, Score: 0.2},
		{Players: []string{"c"}, Rank: 3, Score: 0.4},
	}}
	err := g.Validate()
	for _, says := range []string{
		"ID is", "Pair is", "Cause 99", "Sides[0].Score", "Sides[0].Players[0]", "Sides[0].Players[1]", "Sides[0].Players[2]",
		"Sides[1].Score", "Sides[1].Players: none", "Sides[2].Role", "Sides[2].Score and Sides[3].Score", "do not add up to 2",
	} {
		if !errors.Is(err, ErrGame) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is not in %v", says, err)
		}
	}
}

func TestGameBounds(t *testing.T) {
	crowd := func(sides, players int) (g Game) {
		for i := range sides {
			s := Side{Score: 0.5}
			for k := range players {
				s.Players = append(s.Players, fmt.Sprint(i, " ", k))
			}
			g.Sides = append(g.Sides, s)
		}
		return g
	}
	for _, c := range []struct {
		sides, players int
		ok             bool
	}{{1, 2, false}, {2, 1, true}, {64, 1, true}, {65, 1, false}, {2, 32, true}, {2, 33, false}, {8, 8, true}} {
		g := crowd(c.sides, c.players)
		if err := g.Validate(); (err == nil) != c.ok || (err != nil && !errors.Is(err, ErrGame)) {
			t.Errorf("%d sides of %d players: %v", c.sides, c.players, err)
		}
	}
}

// TestScoresContradictRanks: what one system reads of a game is what another
// reads of it.
func TestScoresContradictRanks(t *testing.T) {
	side := func(name string, rank int, score float64) Side {
		return Side{Players: []string{name}, Rank: rank, Score: score}
	}
	for _, c := range []struct {
		name  string
		sides []Side
		says  string // "": it is a game
	}{
		{"a win", []Side{side("a", 0, 1), side("b", 1, 0)}, ""},
		{"finer", []Side{side("a", 5, 0.4), side("b", -1, 0.6)}, ""},
		{"a third is rounded", []Side{side("a", 0, 2.0/3), side("b", 0, 0.6666666666666667), side("c", 0, 2.0/3), side("d", 9, 0)}, ""},
		{"ranks alone", []Side{side("a", 0, 0), side("b", 1, 0)}, "contradict"},
		{"scores alone", []Side{side("a", 0, 1), side("b", 0, 0)}, "contradict"},
		{"the other way", []Side{side("a", 0, 0), side("b", 1, 1)}, "contradict"},
		{"level with unlike ranks", []Side{side("a", 0, 0.5), side("b", 1, 0.5)}, "contradict"},
		{"a draw without points", []Side{side("a", 0, 0), side("b", 0, 0)}, "do not add up to 1"},
		{"a draw of full points", []Side{side("a", 0, 1), side("b", 0, 1)}, "do not add up to 1"},
		{"shares of one point among three", []Side{side("a", 0, 0.6), side("b", 1, 0.3), side("c", 2, 0.1)}, "do not add up to 1.5"},
	} {
		err := (&Game{Sides: c.sides}).Validate()
		if c.says == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		} else if !errors.Is(err, ErrGame) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestNamesAreOneLine(t *testing.T) {
	for _, bad := range []string{"a\x00", "a\tb", "a\u0085b", "a\u2028b", "a\u2029b", "a\x7f", "\xff", strings.Repeat("x", MaxPlayerID+1)} {
		g := Duel("a", "b", 1)
		g.Sides[1].Players[0] = bad
		if err := g.Validate(); !errors.Is(err, ErrGame) || !strings.Contains(err.Error(), "Sides[1].Players[0]") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	longest := PlayerID(referee.Agent{Slug: strings.Repeat("s", 64), Version: strings.Repeat("\U0001F600", 64)})
	g := Duel(longest, "é b", 1)
	if err := g.Validate(); err != nil {
		t.Errorf("the longest name that a referee takes: %v", err)
	}
}

func TestPlayerID(t *testing.T) {
	if got := PlayerID(referee.Agent{Name: "Kim", Version: "2.0"}); got != "" {
		t.Errorf("an agent without a slug is %q, as is any other of its version", got)
	}
	if got := PlayerID(referee.Agent{Slug: "kim", Version: "2.0"}); got != "kim@2.0" {
		t.Error(got)
	}
	if got := PlayerID(referee.Agent{Slug: "kim"}); got != "kim" {
		t.Error(got)
	}
}

// TestScoresAgreeWithRanks: what FromResult makes of any returns is a game that
// Validate takes, scores add up to half the pairs a side, and the order of the
// returns is the order of the ranks.
func TestScoresAgreeWithRanks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		returns := rapid.SliceOfN(rapid.Float64Range(-2, 2), 2, 12).Draw(t, "returns")
		s := Seating{}
		for i := range returns {
			s.Players = append(s.Players, string(rune('a'+i)))
		}
		g, err := FromResult(&referee.Result{Returns: returns}, s)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for i, a := range g.Sides {
			sum += a.Score
			for k, b := range g.Sides {
				if (returns[i] > returns[k]) != (a.Rank < b.Rank) {
					t.Fatalf("sides %d and %d of %v are ranked %d and %d", i, k, returns, a.Rank, b.Rank)
				}
			}
		}
		if want := float64(len(returns)) / 2; math.Abs(sum-want) > 1e-12 {
			t.Fatalf("scores add up to %v, not %v", sum, want)
		}
	})
}

func TestPolicy(t *testing.T) {
	a, b := []string{"a"}, []string{"b"}
	win := []Side{{Players: a, Score: 1}, {Players: b, Rank: 1}}
	draw := []Side{{Players: a, Score: 0.5}, {Players: b, Score: 0.5}}
	games := []Game{
		{Sides: win},
		{Sides: draw},
		{Cause: referee.CauseVoid},
		{Cause: referee.CauseExpiry},
		{Cause: referee.CauseForfeit, Reason: "late", Sides: win},
		{Cause: referee.CauseForfeit, Reason: "illegal", Sides: win},
		{Cause: referee.CauseForfeit, Reason: "disconnected", Sides: win},
		{Cause: referee.CauseAbandonment, Reason: "abandoned", Sides: win},
		{Cause: referee.CauseAdjudication, Reason: "agreement", Sides: draw},
		{Cause: referee.CauseAbandonment, Reason: "late", Sides: win}, // no fault, so no loss on time
	}
	all := Report{Games: 10, Rated: 8, Void: 1, Expired: 1, Forfeits: 3, TimeLosses: 1, Abandonments: 2, Adjudications: 1, Draws: 2}
	if played := all.Played(); played != 8 {
		t.Errorf("%d played, not 8", played)
	}
	skipped := func(n, draws int) Report {
		r := all
		r.Rated, r.Skipped, r.Draws = r.Rated-n, n, draws
		return r
	}
	for _, c := range []struct {
		name   string
		policy Policy
		want   Report
	}{
		{"zero", Policy{}, all},
		{"play alone", Policy{Forfeits: Skip, Abandonments: Skip, Adjudications: Skip}, skipped(6, 1)},
		{"no forfeits", Policy{Forfeits: Skip}, skipped(3, 2)},
		{"no abandonments", Policy{Abandonments: Skip}, skipped(2, 2)},
		{"no adjudications", Policy{Adjudications: Skip}, skipped(1, 1)},
	} {
		t.Run(c.name, func(t *testing.T) {
			rated, report, err := c.policy.Select(games)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, report); diff != "" || len(rated) != report.Rated {
				t.Errorf("%d rated\n%s", len(rated), diff)
			}
		})
	}
	if _, _, err := (Policy{Forfeits: 9}).Select(games); !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), "Policy.Forfeits") {
		t.Errorf("an unknown treatment: %v", err)
	}
	if _, _, err := (Policy{}).Select([]Game{games[0], {}}); err == nil || !strings.Contains(err.Error(), "game 1") {
		t.Errorf("a malformed game: %v", err)
	}
}

// TestReports holds rows of testdata/reports.jsonl of the module's root.
func TestReports(t *testing.T) {
	t.Run("B61", func(t *testing.T) {
		const third = 1.0 / 3
		r := referee.Result{Cause: referee.CauseForfeit, Reason: "disconnected", Returns: []float64{third, third, -1, third}, Seats: make([]referee.SeatResult, 4)}
		r.Seats[2].Out = true
		g, err := FromResult(&r, Seating{Players: []string{"a", "b", "c", "d"}})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range g.Sides {
			if i == 2 && (s.Rank != 3 || s.Score != 0 || !s.Forfeit) || i != 2 && (s.Rank != 0 || s.Score != 2.0/3 || s.Forfeit) {
				t.Errorf("side %d: %+v", i, s)
			}
		}
	})
	t.Run("B104", func(t *testing.T) {
		games := make([]Game, 10)
		for i := range games {
			games[i] = Duel("a", "b", float64(i%2))
			if i < 6 {
				games[i].Cause, games[i].Reason = referee.CauseForfeit, "late"
			}
		}
		_, report, err := (Policy{}).Select(append(games, Game{Cause: referee.CauseVoid}))
		if err != nil {
			t.Fatal(err)
		}
		if got := report.TimeLossShare(); got != 0.6 {
			t.Errorf("time losses are %v of the games, not 0.6", got)
		}
		if report.Played() != 10 || report.Games != 11 {
			t.Errorf("%+v", report)
		}
		if got := report.ForfeitShare(); got != 0.6 {
			t.Errorf("forfeits are %v of the games, not 0.6", got)
		}
		if empty := (Report{Games: 1, Void: 1}); empty.TimeLossShare() != 0 {
			t.Errorf("no game played: %v", empty.TimeLossShare())
		}
	})
}
