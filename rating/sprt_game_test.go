package rating

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/referee"
)

func TestHalfPoints(t *testing.T) {
	with := func(g Game, cause referee.Cause) Game {
		g.Cause = cause
		return g
	}
	inPair := func(pair string, g Game) Game {
		g.Pair = pair
		return g
	}
	forfeit := with(Duel("a", "b", 0), referee.CauseForfeit)
	for name, c := range map[string]struct {
		policy Policy
		games  []Game
		want   int
		err    error
		report Report
	}{
		"a win":                {Policy{}, []Game{Duel("a", "b", 1)}, 2, nil, Report{Games: 1, Rated: 1}},
		"a pair":               {Policy{}, []Game{Duel("a", "b", 1), Duel("b", "a", 0.5)}, 3, nil, Report{Games: 2, Rated: 2, Draws: 1}},
		"both lost":            {Policy{}, []Game{Duel("a", "b", 0), Duel("b", "a", 1)}, 0, nil, Report{Games: 2, Rated: 2}},
		"a forfeit":            {Policy{}, []Game{forfeit, Duel("b", "a", 0)}, 2, nil, Report{Games: 2, Rated: 2, Forfeits: 1}},
		"a forfeit that skips": {Policy{Forfeits: Skip}, []Game{forfeit, Duel("b", "a", 0)}, Unusable, nil, Report{Games: 2, Rated: 1, Forfeits: 1, Skipped: 1}},
		"half void":            {Policy{}, []Game{with(Duel("a", "b", 1), referee.CauseVoid), Duel("b", "a", 0)}, Unusable, nil, Report{Games: 2, Rated: 1, Void: 1}},
		"no game":              {Policy{}, nil, Unusable, ErrSPRT, Report{}},
		"three games":          {Policy{}, []Game{forfeit, forfeit, forfeit}, Unusable, ErrSPRT, Report{}},
		"strangers":            {Policy{}, []Game{Duel("c", "b", 1)}, Unusable, ErrSPRT, Report{}},
		"other opponents":      {Policy{}, []Game{Duel("a", "b", 1), Duel("c", "a", 1)}, Unusable, ErrSPRT, Report{}},
		"the same seat twice":  {Policy{}, []Game{Duel("a", "b", 1), Duel("a", "b", 0)}, Unusable, ErrSPRT, Report{}},
		"two pairs":            {Policy{}, []Game{inPair("x", Duel("a", "b", 1)), inPair("y", Duel("b", "a", 0))}, Unusable, ErrSPRT, Report{}},
		"one pair":             {Policy{}, []Game{inPair("x", Duel("b", "a", 1)), inPair("x", Duel("a", "b", 0))}, 0, nil, Report{Games: 2, Rated: 2}},
		"a quarter":            {Policy{}, []Game{Duel("a", "b", 0.25)}, Unusable, ErrSPRT, Report{}},
		"three players":        {Policy{}, []Game{rankingGame([]string{"a", "b", "c"})}, Unusable, ErrSPRT, Report{}},
		"no score":             {Policy{}, []Game{Duel("a", "b", 7)}, Unusable, ErrGame, Report{}},
	} {
		var report Report
		got, err := c.policy.HalfPoints("a", &report, c.games...)
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%s: %v, %v, want %v, %v", name, got, err, c.want, c.err)
		}
		if d := cmp.Diff(c.report, report); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
