package rating

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Tally counts a player's results.
type Tally struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Games is the number of games.
func (t Tally) Games() int { return t.Wins + t.Draws + t.Losses }

// Points are one for a win and half of one for a draw.
func (t Tally) Points() float64 { return float64(2*t.Wins+t.Draws) / 2 }

// Score is the share of the points, in [0, 1]; 0 without games.
func (t Tally) Score() float64 { return share(2*t.Wins+t.Draws, 2*t.Games()) }

// Tallies counts each player's results. In a game of several sides, who came in
// first has won, also where others share the place; who did not has lost; and a
// game in which all are level is a draw for all. The error wraps ErrVoid or
// ErrGame and names the game's place.
func Tallies(games []Game) (map[string]Tally, error) {
	tallies := make(map[string]Tally)
	for i := range games {
		g := &games[i]
		if err := g.Validate(); err != nil {
			return nil, fmt.Errorf("game %d: %w", i, err)
		}
		drawn, best := g.Drawn(), g.Sides[0].Rank
		for k := range g.Sides {
			best = min(best, g.Sides[k].Rank)
		}
		for k := range g.Sides {
			for _, name := range g.Sides[k].Players {
				t := tallies[name]
				switch {
				case drawn:
					t.Draws++
				case g.Sides[k].Rank == best:
					t.Wins++
				default:
					t.Losses++
				}
				tallies[name] = t
			}
		}
	}
	return tallies, nil
}

// PerformanceMethod says how a performance is computed.
type PerformanceMethod uint8

const (
	// PerformanceLogistic is the rating at which the expected scores on the
	// logistic curve, each against its opponent, add up to the points.
	PerformanceLogistic PerformanceMethod = iota
	// PerformanceFIDE is the opponents' mean plus FIDEDifference of the score.
	PerformanceFIDE
	// PerformanceLinear is the opponents' mean plus 400 times wins minus losses
	// over games.
	PerformanceLinear
)

// MaxPerformance is how far a performance may lie beyond all opponents, in
// rating points: what FIDE's table gives for a score of 1.
const MaxPerformance = 800

// Performance is a rating that would have scored just what was scored.
type Performance struct {
	Rating float64 `json:"rating"` // always finite
	Score  float64 `json:"score"`  // the share of the points, in [0, 1]
	Games  int     `json:"games"`
	// Capped says that Rating is only a bound: at least or at most that, since
	// the score was 1 or 0, or so near that MaxPerformance is reached.
	Capped bool `json:"capped"`
}

// PerformanceOf computes a performance against opponents of the given ratings,
// of at least one, where points may be any number from 0 to the number of
// opponents. The order of the opponents changes nothing. The error wraps
// ErrInput.
func PerformanceOf(method PerformanceMethod, opponents []float64, points float64) (Performance, error) {
	n := len(opponents)
	var errs []error
	if n == 0 {
		errs = append(errs, fmt.Errorf("%w: no opponents", ErrInput))
	}
	if !(points >= 0 && points <= float64(n)) {
		errs = append(errs, fmt.Errorf("%w: points", ErrInput))
	}
	if method > PerformanceLinear {
		errs = append(errs, fmt.Errorf("%w: method", ErrInput))
	}
	for i, r := range opponents {
		if !(math.Abs(r) <= MaxRating) {
			errs = append(errs, fmt.Errorf("%w: opponents[%d]", ErrInput, i))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return Performance{}, err
	}
	sorted := slices.Sorted(slices.Values(opponents))
	mean := sum(sorted) / float64(n)
	p := Performance{Score: points / float64(n), Games: n, Capped: points == 0 || points == float64(n)}
	switch method {
	case PerformanceFIDE:
		d, err := FIDEDifference(p.Score)
		if err != nil {
			return Performance{}, err
		}
		p.Rating, p.Capped = mean+float64(d), d == MaxPerformance || d == -MaxPerformance
	case PerformanceLinear:
		p.Rating = mean + float64(400*(float64(2*p.Score)-1))
	default:
		p.Rating, p.Capped = logisticPerformance(sorted, points)
	}
	return p, nil
}

// logisticPerformance halves an interval until it is as narrow as two float64
// values can be. opponents are sorted.
func logisticPerformance(opponents []float64, points float64) (rating float64, capped bool) {
	excess := func(r float64) float64 {
		e := -points
		for _, o := range opponents {
			e += LogisticExpected(r - o)
		}
		return e
	}
	low, high := opponents[0]-MaxPerformance, opponents[len(opponents)-1]+MaxPerformance
	if excess(low) >= 0 {
		return low, true
	}
	if excess(high) <= 0 {
		return high, true
	}
	for range 200 {
		mid := low + float64((high-low)/2)
		if mid <= low || mid >= high {
			break
		}
		if excess(mid) < 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return high, false
}
