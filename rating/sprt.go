package rating

import (
	"errors"
	"fmt"
	"math"
)

// Sampling says what the unit of evidence of a sequential test is.
type Sampling uint8

const (
	// Pentanomial counts pairs: two games of the same two players from one opening or deal with the seats swapped. A pair has one of five
	// scores, 0 to 4 half points. What the seat or the opening gives is taken out of the variance.
	Pentanomial Sampling = iota
	// Trinomial counts games: loss, draw, win. Right only where games are independent and no seat has an advantage; otherwise it takes the
	// bias for noise, needs more games, and its error rates are not those promised.
	Trinomial
)

// Scale says in what units the hypotheses of a sequential test are.
type Scale uint8

const (
	// NormalizedElo measures the excess of the mean score over 1/2 in standard deviations of a game's score: 800/ln 10 points each. What a
	// difference takes to be seen then hardly depends on how many games are drawn (Van den Bergh, "Normalized Elo").
	NormalizedElo Scale = iota
	// LogisticElo is the usual scale: expected score 1 / (1 + 10^(-Elo/400)).
	LogisticElo
)

// Bounds of sequential tests.
const (
	MaxSPRTElo   = 400     // of a hypothesis, either way
	MaxSPRTAhead = 1 << 16 // how far a result may be ahead of the schedule
	MaxSPRTCount = 1 << 30 // results
)

// SPRTOptions configure a sequential test of the first contestant's Elo against the second's. The zero value tests 0 against 10 points of
// normalized Elo by pairs, each error 5%.
type SPRTOptions struct {
	// Elo0 and Elo1 are the hypotheses H0 and H1, Elo0 below Elo1, within MaxSPRTElo. Both 0: 0 and 10.
	Elo0, Elo1 float64
	// Alpha is the probability to accept H1 where H0 holds, Beta that to accept H0 where H1 holds: above 0 and below 1/2. 0 stands for 0.05.
	Alpha, Beta float64
	Sampling    Sampling
	Scale       Scale
	// Max ends the test without a verdict after so many results; 0: no end. An end lowers Alpha and Beta no further than it lowers power.
	Max int
}

// ErrSPRT is what refusals of options and results of a sequential test wrap.
var ErrSPRT = errors.New("rating: sequential test")

func (c SPRTOptions) withDefaults() SPRTOptions {
	if c.Elo0 == 0 && c.Elo1 == 0 {
		c.Elo1 = 10
	}
	if c.Alpha == 0 {
		c.Alpha = 0.05
	}
	if c.Beta == 0 {
		c.Beta = 0.05
	}
	return c
}

// validate gives one error for each bad field of options with defaults.
func (c SPRTOptions) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrSPRT}, args...)...))
	}
	if !(math.Abs(c.Elo0) <= MaxSPRTElo) {
		bad("SPRTOptions.Elo0 is not within %d", MaxSPRTElo)
	}
	if !(math.Abs(c.Elo1) <= MaxSPRTElo) {
		bad("SPRTOptions.Elo1 is not within %d", MaxSPRTElo)
	}
	if !(c.Elo1-c.Elo0 >= 1e-3) {
		bad("SPRTOptions.Elo1 is not above Elo0 by 0.001 at least")
	}
	if !(c.Alpha >= 1e-9 && c.Alpha < 0.5) {
		bad("SPRTOptions.Alpha is not in [1e-9, 0.5)")
	}
	if !(c.Beta >= 1e-9 && c.Beta < 0.5) {
		bad("SPRTOptions.Beta is not in [1e-9, 0.5)")
	}
	if c.Sampling > Trinomial {
		bad("SPRTOptions.Sampling %d is unknown", c.Sampling)
	}
	if c.Scale > LogisticElo {
		bad("SPRTOptions.Scale %d is unknown", c.Scale)
	}
	if c.Max < 0 || c.Max > MaxSPRTCount {
		bad("SPRTOptions.Max is not in [0, %d]", MaxSPRTCount)
	}
	return errors.Join(errs...)
}

// bounds are Wald's: the test ends where the logarithm of the likelihood ratio leaves them.
func (c SPRTOptions) bounds() (lower, upper float64) {
	return log(c.Beta / (1 - c.Alpha)), log((1 - c.Beta) / c.Alpha)
}

// outcomes is how many scores there are.
func (c SPRTOptions) outcomes() int {
	if c.Sampling == Trinomial {
		return 3
	}
	return 5
}

// Verdict is where a sequential test stands.
type Verdict uint8

const (
	Continue  Verdict = iota // neither bound is reached
	AcceptH0                 // the lower bound is
	AcceptH1                 // the upper bound is
	Exhausted                // SPRTOptions.Max results and no verdict
)

func (v Verdict) String() string {
	switch v {
	case Continue:
		return "continue"
	case AcceptH0:
		return "H0"
	case AcceptH1:
		return "H1"
	case Exhausted:
		return "exhausted"
	}
	return fmt.Sprintf("verdict %d", uint8(v))
}

// Unusable as a result is a pair or game that counts for nothing: it was void. The schedule goes on without it.
const Unusable = -1

// SPRT is a sequential test: the generalized sequential probability ratio test of Van den Bergh, with the likelihood ratio taken at the
// exact distributions of maximum likelihood under both hypotheses (closed forms fail on lopsided results).
//
// Results count in the order of the schedule, whatever order they arrive in: short games end first, and a test that stops at what happens
// to have ended stops at what is not representative. With 128 games at once that made more than half of all tests under H0 accept H1.
//
// A test is its results: after a restart, they are put again. An SPRT is not safe for concurrent use.
type SPRT struct {
	c            SPRTOptions
	lower, upper float64
	t0, t1       float64 // the hypotheses: mean scores, or ratios for withRatio
	state        SPRTState
	next         int         // the number of the next result in the schedule
	held         map[int]int // results that arrived ahead
}

// SPRTState is what a sequential test knows.
type SPRTState struct {
	Verdict      Verdict
	LLR          float64 // logarithm of the likelihood ratio of H1 over H0
	Lower, Upper float64 // what it has to reach for H0 and H1
	// Counts has the number of results by score: losses, draws, wins and a 0 for each more, or pairs with 0 to 4 half points.
	Counts   [5]int
	N        int // results that count: the sum of Counts
	Unusable int // results that do not
	Held     int // results that wait for earlier ones
	Late     int // results that came after the verdict and changed nothing
}

// NewSPRT gives a test without results, or one error for each bad field.
func NewSPRT(c SPRTOptions) (*SPRT, error) {
	c = c.withDefaults()
	if err := c.validate(); err != nil {
		return nil, err
	}
	s := &SPRT{c: c, held: map[int]int{}}
	s.lower, s.upper = c.bounds()
	s.t0, s.t1 = c.hypothesis(c.Elo0), c.hypothesis(c.Elo1)
	s.state.Lower, s.state.Upper = s.lower, s.upper
	return s, nil
}

// hypothesis gives the mean score of an Elo, or for normalized Elo the ratio of the mean's excess to the standard deviation of an outcome:
// that of a pair's mean score is less than that of a game's by the square root of 2.
func (c SPRTOptions) hypothesis(elo float64) float64 {
	switch {
	case c.Scale == LogisticElo:
		return logistic(elo / eloScale)
	case c.Sampling == Pentanomial:
		return float64(elo * math.Sqrt2 / normalizedScale)
	}
	return elo / normalizedScale
}

// Put tells the test result i of the schedule, from 0 on: the half points of the first contestant, 0 to 4 of a pair or 0 to 2 of a game, or
// Unusable. It gives the state. A result that comes twice, one out of range and one further ahead than MaxSPRTAhead are errors that change
// nothing. Results after a verdict are counted as late.
func (s *SPRT) Put(i, halfPoints int) (SPRTState, error) {
	if s.held == nil {
		return s.state, fmt.Errorf("%w: it was not made by NewSPRT", ErrSPRT)
	}
	if halfPoints != Unusable && (halfPoints < 0 || halfPoints >= s.c.outcomes()) {
		return s.state, fmt.Errorf("%w: result %d has %d half points, not 0 to %d", ErrSPRT, i, halfPoints, s.c.outcomes()-1)
	}
	if i < 0 || i >= MaxSPRTCount {
		return s.state, fmt.Errorf("%w: result %d is not in the schedule", ErrSPRT, i)
	}
	if s.state.Verdict != Continue {
		s.state.Late++
		return s.state, nil
	}
	if _, ok := s.held[i]; ok || i < s.next {
		return s.state, fmt.Errorf("%w: result %d came before", ErrSPRT, i)
	}
	if i-s.next >= MaxSPRTAhead {
		return s.state, fmt.Errorf("%w: result %d is %d ahead, %d at most", ErrSPRT, i, i-s.next, MaxSPRTAhead-1)
	}
	if i > s.next {
		s.held[i] = halfPoints
		s.state.Held = len(s.held)
		return s.state, nil
	}
	for {
		s.next++
		s.count(halfPoints)
		h, ok := s.held[s.next]
		if !ok || s.state.Verdict != Continue {
			break
		}
		delete(s.held, s.next)
		halfPoints = h
	}
	if s.state.Held = len(s.held); s.state.Verdict != Continue {
		s.state.Late, s.state.Held = s.state.Late+len(s.held), 0
		clear(s.held)
	}
	return s.state, nil
}

// State gives the state as it is.
func (s *SPRT) State() SPRTState { return s.state }

func (s *SPRT) count(halfPoints int) {
	if halfPoints == Unusable {
		s.state.Unusable++
		return
	}
	s.state.Counts[halfPoints]++
	s.state.N++
	s.state.LLR = s.ratio()
	switch {
	case s.state.LLR >= s.upper:
		s.state.Verdict = AcceptH1
	case s.state.LLR <= s.lower:
		s.state.Verdict = AcceptH0
	case s.state.N == s.c.Max:
		s.state.Verdict = Exhausted
	}
}

// ratio gives the logarithm of the likelihood ratio of the counts.
func (s *SPRT) ratio() float64 {
	o := newOutcomes(s.state.Counts[:s.c.outcomes()])
	at := o.withMean
	if s.c.Scale == NormalizedElo {
		at = o.withRatio
	}
	h0, ok0 := at(s.t0)
	h1, ok1 := at(s.t1)
	if !ok0 || !ok1 {
		return s.state.LLR // never: both hypotheses are possible whatever the shares
	}
	return o.logRatio(&h0, &h1)
}

// LLR gives the logarithm of the likelihood ratio of H1 over H0 for given counts of results by score: losses, draws and wins, or pairs with
// 0 to 4 half points. Scores without results count as 0.001 results.
func (c SPRTOptions) LLR(counts []int) (float64, error) {
	s, err := NewSPRT(c)
	if err != nil {
		return 0, err
	}
	if err := c.checkCounts(counts); err != nil {
		return 0, err
	}
	copy(s.state.Counts[:], counts)
	return s.ratio(), nil
}

func (c SPRTOptions) checkCounts(counts []int) error {
	if len(counts) != c.outcomes() {
		return fmt.Errorf("%w: %d counts, not %d", ErrSPRT, len(counts), c.outcomes())
	}
	n := 0
	for i, k := range counts {
		if k < 0 || k > MaxSPRTCount-n {
			return fmt.Errorf("%w: count %d is not in [0, %d]", ErrSPRT, i, MaxSPRTCount)
		}
		n += k
	}
	if n == 0 {
		return fmt.Errorf("%w: no results", ErrSPRT)
	}
	return nil
}
