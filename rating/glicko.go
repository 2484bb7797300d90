package rating

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// GlickoResult is one game of a rating period, as the player sees it.
type GlickoResult struct {
	Rating    float64 // the opponent's, from before the period
	Deviation float64 // the opponent's too; Glicko-1: grown to this period
	Score     float64 // the player's share, in [0, 1]
}

// longestOdds bounds the argument of an expected score: beyond it, about 5,900
// points of equal deviation, an upset cannot become any less likely. It keeps
// the information of a game above 0.
const longestOdds = 34

func boundedLogistic(x float64) float64 {
	return logistic(max(-longestOdds, min(longestOdds, x)))
}

func checkResults(results []GlickoResult) error {
	var errs []error
	for i, r := range results {
		if err := checkGlicko("opponent", r.Rating, r.Deviation); err != nil {
			errs = append(errs, fmt.Errorf("results[%d]: %w", i, err))
		}
		if err := checkScore(r.Score); err != nil {
			errs = append(errs, fmt.Errorf("results[%d]: %w", i, err))
		}
	}
	return errors.Join(errs...)
}

// checkGlicko gives an error for each number that is out of range.
func checkGlicko(who string, rating, deviation float64) error {
	var errs []error
	if !(math.Abs(rating) <= MaxRating) {
		errs = append(errs, fmt.Errorf("%w: %s's Rating", ErrInput, who))
	}
	if !(deviation >= MinDeviation && deviation <= MaxDeviation) {
		errs = append(errs, fmt.Errorf("%w: %s's Deviation", ErrInput, who))
	}
	return errors.Join(errs...)
}

func checkPeriods(n int) error {
	if n < 0 {
		return fmt.Errorf("%w: periods", ErrInput)
	}
	return nil
}

// order sorts results, so that sums over them are the same in whatever order
// the games came. What is in order already is not copied.
func order(results []GlickoResult) []GlickoResult {
	if slices.IsSortedFunc(results, compareResults) {
		return results
	}
	return slices.SortedFunc(slices.Values(results), compareResults)
}

func compareResults(a, b GlickoResult) int {
	return cmp.Or(cmp.Compare(a.Rating, b.Rating), cmp.Compare(a.Deviation, b.Deviation), cmp.Compare(a.Score, b.Score))
}

// glickoSteps are what the two systems do to a rating in one period.
type glickoSteps[R any] struct {
	start R                                  // of a player not seen before
	check func(R) error                      // says what is out of range
	seen  func(R) GlickoResult               // how a rating counts as an opponent's, the score left open
	idle  func(R) R                          // a period without games
	rate  func(R, []GlickoResult) (R, error) // a period with some
}

// glickoPeriod changes a table by the games of one period, which must be
// between two sides of one player each.
func glickoPeriod[R any](table map[string]R, games []Game, steps glickoSteps[R]) error {
	after := make(map[string]R, len(table))
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if err := steps.check(table[name]); err != nil {
			return fmt.Errorf("player %q: %w", name, err)
		}
		after[name] = steps.idle(table[name])
	}
	before := func(name string) R {
		if p, ok := table[name]; ok {
			return p
		}
		return steps.start
	}
	results := make(map[string][]GlickoResult)
	for i := range games {
		g := &games[i]
		if err := g.Validate(); err != nil {
			return fmt.Errorf("game %d: %w", i, err)
		}
		if len(g.Sides) != 2 || len(g.Sides[0].Players) != 1 || len(g.Sides[1].Players) != 1 {
			return fmt.Errorf("game %d: %w: Glicko is for two sides of one player each", i, ErrGame)
		}
		for k := range g.Sides {
			me, other := g.Sides[k].Players[0], g.Sides[1-k].Players[0]
			r := steps.seen(before(other))
			r.Score = g.Sides[k].Score
			results[me] = append(results[me], r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(results)) {
		p, err := steps.rate(before(name), results[name])
		if err != nil {
			return fmt.Errorf("player %q: %w", name, err)
		}
		after[name] = p
	}
	maps.Copy(table, after)
	return nil
}
