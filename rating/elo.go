package rating

import (
	"errors"
	"fmt"
	"math"
)

// ErrInput is what the refusal of a number wraps: a rating, a score or a
// deviation out of its range.
var ErrInput = errors.New("rating: input out of range")

// Bounds of what every rating system here takes, and of what it gives.
const (
	MaxRating    = 100_000 // of an Elo or a Glicko rating, either sign
	MinDeviation = 0.001   // of a Glicko deviation
	MaxDeviation = 1_000   // of a Glicko deviation
)

// Curve says how a difference of ratings becomes an expected score.
type Curve uint8

const (
	CurveLogistic Curve = iota // 1/(1+10^(-D/400)), as the USCF, arenas and engine lists have it
	CurveFIDE                  // the table of the FIDE Rating Regulations, article 8.1.2
)

// EloOptions choose among the ways in which Elo ratings are kept. The zero
// value is the logistic curve with K 32, started at 1500.
type EloOptions struct {
	Curve Curve
	K     KPolicy // nil: FixedK(32)
	Start float64 // the rating of a player not seen before. 0: 1500
	// Cap is the largest difference that counts, FIDE's 400-point rule (article
	// 8.3.1). 0: 400 on FIDE's curve, none on the logistic; negative: none.
	Cap float64
	// Uncapped exempts players of this rating and above from Cap; FIDE does so
	// from 2650 since October 2025. 0: nobody.
	Uncapped float64
	// MaxPeriod bounds K times the games that a player has in one period: a
	// larger K becomes the largest whole number that keeps it (FIDE: 700, article
	// 8.3.3). 0: no bound.
	MaxPeriod float64
}

// FIDERules are the options that follow FIDE's regulations, without the
// rounding of published lists.
func FIDERules() EloOptions {
	return EloOptions{Curve: CurveFIDE, K: FIDEK{}, Uncapped: 2650, MaxPeriod: 700}
}

// ArenaRules are the options of Arena Protocol 1.1 as this module reads it.
func ArenaRules() EloOptions {
	return EloOptions{K: ArenaK{}}
}

// EloPlayer is what Elo knows of a player between games. Its zero value is no
// player: Elo.Start gives a new one.
type EloPlayer struct {
	Rating float64 `json:"rating"`
	Games  int     `json:"games"`
	Peak   float64 `json:"peak"` // the highest rating so far; below Rating it counts as Rating
	// Junior is FIDE's under 18; Improving is declared by the agent: it learns
	// while it plays. The host sets them, policies read them.
	Junior    bool `json:"junior,omitempty"`
	Improving bool `json:"improving,omitempty"`
	// Past are the ratings before each of the last games, the last game's first;
	// as many count as there were games.
	Past [10]float64 `json:"past"`
}

func (p *EloPlayer) validate() error {
	var errs []error
	if !(math.Abs(p.Rating) <= MaxRating) {
		errs = append(errs, fmt.Errorf("%w: EloPlayer.Rating", ErrInput))
	}
	if !(math.Abs(p.Peak) <= MaxRating) {
		errs = append(errs, fmt.Errorf("%w: EloPlayer.Peak", ErrInput))
	}
	if p.Games < 0 {
		errs = append(errs, fmt.Errorf("%w: EloPlayer.Games", ErrInput))
	}
	for i, x := range p.Past {
		if !(math.Abs(x) <= MaxRating) {
			errs = append(errs, fmt.Errorf("%w: EloPlayer.Past[%d]", ErrInput, i))
		}
	}
	return errors.Join(errs...)
}

// move changes the rating by d after a number of games that were all played at
// the old one.
func (p *EloPlayer) move(d float64, games int) {
	n := min(games, len(p.Past))
	copy(p.Past[n:], p.Past[:len(p.Past)-n])
	for i := range n {
		p.Past[i] = p.Rating
	}
	p.Peak = max(p.Peak, p.Rating)
	p.Rating = max(-MaxRating, min(MaxRating, p.Rating+d))
	p.Peak = max(p.Peak, p.Rating)
	p.Games += games
}

// Elo keeps ratings after the system of Arpad Elo (The Rating of Chessplayers,
// 1978). It holds no state and is safe for concurrent use if its KPolicy is.
type Elo struct {
	o   EloOptions
	cap float64
}

// NewElo gives one error for each option that is out of range, joined.
func NewElo(o EloOptions) (*Elo, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.K == nil {
		o.K = FixedK(32)
	}
	if o.Start == 0 {
		o.Start = 1500
	}
	e := &Elo{o: o, cap: math.Inf(1)}
	switch {
	case o.Cap > 0:
		e.cap = o.Cap
	case o.Cap == 0 && o.Curve == CurveFIDE:
		e.cap = 400
	}
	return e, nil
}

func (o *EloOptions) validate() error {
	var errs []error
	bad := func(name string) { errs = append(errs, fmt.Errorf("%w: EloOptions.%s", ErrInput, name)) }
	if o.Curve > CurveFIDE {
		bad("Curve")
	}
	if k, ok := o.K.(FixedK); ok && !k.ok() {
		bad("K")
	}
	if !(math.Abs(o.Start) <= MaxRating) {
		bad("Start")
	}
	if !finite(o.Cap) {
		bad("Cap")
	}
	if !finite(o.Uncapped) || o.Uncapped < 0 {
		bad("Uncapped")
	}
	if !finite(o.MaxPeriod) || o.MaxPeriod < 0 {
		bad("MaxPeriod")
	}
	return errors.Join(errs...)
}

// Start is a player without games.
func (e *Elo) Start() EloPlayer {
	return EloPlayer{Rating: e.o.Start, Peak: e.o.Start}
}

// Expected is the share of the points that a player of one rating is expected
// to take from one of another, in [0, 1]. Ratings that are not finite or beyond
// MaxRating count as the nearest that are not; NaN as 0.
func (e *Elo) Expected(rating, opponent float64) float64 {
	rating, opponent = bounded(rating), bounded(opponent)
	d := rating - opponent
	if e.o.Uncapped == 0 || rating < e.o.Uncapped {
		d = max(-e.cap, min(e.cap, d))
	}
	if e.o.Curve == CurveFIDE {
		return FIDEExpected(d)
	}
	return LogisticExpected(d)
}

func bounded(r float64) float64 {
	if math.IsNaN(r) {
		return 0
	}
	return max(-MaxRating, min(MaxRating, r))
}

const ln10 = 2.30258509299404568401799145468436421

// LogisticExpected is the expected score at a difference d in rating points on
// the logistic curve of 400 points for odds of ten to one. NaN counts as 0.
func LogisticExpected(d float64) float64 {
	if math.IsNaN(d) {
		return 0.5
	}
	return logistic(d * (ln10 / 400))
}

// LogisticDifference is the inverse of LogisticExpected: the rating points that
// a score, strictly between 0 and 1, stands for. Others wrap ErrInput.
func LogisticDifference(score float64) (float64, error) {
	if !(score > 0 && score < 1) {
		return 0, fmt.Errorf("%w: no difference of ratings gives a score of 0 or 1, or one outside", ErrInput)
	}
	return logit(score) * (400 / ln10), nil
}

// Update gives both players after one game, of which score is the first one's
// share in [0, 1]. Both K are those from before the game. The error wraps
// ErrInput.
func (e *Elo) Update(a, b EloPlayer, score float64) (EloPlayer, EloPlayer, error) {
	if err := errors.Join(a.validate(), b.validate(), checkScore(score)); err != nil {
		return a, b, err
	}
	ka, kb := e.k(&a, 1), e.k(&b, 1)
	da := float64(ka * (score - e.Expected(a.Rating, b.Rating)))
	db := float64(kb * ((1 - score) - e.Expected(b.Rating, a.Rating)))
	a.move(da, 1)
	b.move(db, 1)
	return a, b, nil
}

func checkScore(s float64) error {
	if !(s >= 0 && s <= 1) {
		return fmt.Errorf("%w: score", ErrInput)
	}
	return nil
}

// k is the policy's K, kept within MaxPeriod for a number of games.
func (e *Elo) k(p *EloPlayer, games int) float64 {
	k := boundedK(e.o.K.K(p))
	if most := e.o.MaxPeriod; most > 0 && k*float64(games) > most {
		k = math.Floor(most / float64(games))
	}
	return k
}
