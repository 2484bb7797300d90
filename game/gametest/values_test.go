package gametest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// nimOdd goes wrong in one way where N is not 5.
type nimOdd struct {
	nim
	N    int    `json:"n"`
	Odds string `json:"odds"`
}

func (g nimOdd) is(odds string) bool { return g.N != 5 && g.Odds == odds }

func (g nimOdd) Validate() error {
	if g.is("refused") {
		return errors.New("n: 5")
	}
	return g.nim.Validate()
}

func (g nimOdd) Info() game.Info {
	info := g.nim.Info()
	if g.is("endless") {
		info.MaxSteps = 1
	}
	if g.is("impossible") {
		info.MaxSteps = -1
	}
	return info
}

func (g nimOdd) Start(setup game.Setup) (nimState, error) {
	if g.is("no start") {
		return nimState{}, errors.New("n is not 5")
	}
	return g.nim.Start(setup)
}

func (g nimOdd) Apply(s *nimState, moves []game.Move[nimMove]) {
	if g.is("panics") {
		panic("n is not 5")
	}
	g.nim.Apply(s, moves)
}

func (g nimOdd) Legal(dst []nimMove, s *nimState, seat game.Seat) []nimMove {
	if g.is("stuck") {
		return dst
	}
	return g.nim.Legal(dst, s, seat)
}

func (g nimOdd) Outcome(s *nimState) game.Outcome {
	o := g.nim.Outcome(s)
	if g.is("unfair") {
		o.Returns = []float64{1, 1}
	}
	return o
}

// fussy is a host's wrapper that refuses rulesets in its own words.
type fussy struct{ game.Game }

func (f fussy) Table(ruleset []byte) (*game.Table, error) {
	if strings.Contains(string(ruleset), `"n":0`) {
		return nil, errors.New("not here")
	}
	return f.Game.Table(ruleset)
}

func TestValues(t *testing.T) {
	for odds, want := range map[string]string{
		"none": "", "refused": "", "impossible": "",
		"endless":  "n = -1: Validate is to refuse it, or there is to be a game: after 1 steps with 2 seats: the game goes on after Info.MaxSteps = 1",
		"no start": "n = -1: Validate is to refuse it, or there is to be a game: the table is accepted, and Start with 2 seats refused: game: bad setup: n is not 5",
		"panics":   "n = -1: Validate is to refuse it, or there is to be a game: the rules panic: n is not 5",
		"stuck":    "n = -1: Validate is to refuse it, or there is to be a game: after 0 steps with 2 seats: seat 0 may act and has no move",
		"unfair":   "n = -1: Validate is to refuse it, or there is to be a game: ZeroSum is set",
		"fussy":    "n = 0: Validate is to refuse it, or there is to be a game: the error of Table does not wrap game.ErrRuleset: not here",
	} {
		t.Run(odds, func(t *testing.T) {
			g := game.New(nimOdd{nim: nim{Pile: 2}, N: 5, Odds: odds})
			if odds == "fussy" {
				g = fussy{g}
			}
			k := &kit{g: g, failed: map[string]bool{}}
			if err := k.prepare(); err != nil {
				t.Fatal(err)
			}
			err := checkValues(k)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%v, not %q", err, want)
			}
		})
	}
}

// TestValuesTried: -1, 0 and one more, of whole numbers at the top alone.
func TestValuesTried(t *testing.T) {
	var asked []string
	k := &kit{g: watched{game.New(nimRemembers{nim{Pile: 3}, 3}), &asked}, opts: Options{Rulesets: []string{`{"extra":3}`}}, failed: map[string]bool{}}
	if err := k.prepare(); err != nil {
		t.Fatal(err)
	}
	asked = nil
	if err := checkValues(k); err != nil {
		t.Fatal(err)
	}
	want := `[{"extra":-1,"pile":3} {"extra":0,"pile":3} {"extra":4,"pile":3} {"extra":3,"pile":-1} {"extra":3,"pile":0} {"extra":3,"pile":4}]`
	if got := fmt.Sprint(asked); got != want {
		t.Errorf("tried %s, not %s", got, want)
	}
}

// watched writes down the rulesets that it is asked for.
type watched struct {
	game.Game
	asked *[]string
}

func (w watched) Table(ruleset []byte) (*game.Table, error) {
	*w.asked = append(*w.asked, string(ruleset))
	return w.Game.Table(ruleset)
}
