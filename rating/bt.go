package rating

import (
	"errors"
	"fmt"
	"math"
)

// DrawModel says what a draw is in a Bradley-Terry model.
type DrawModel uint8

const (
	// HalfPoint takes a score as it is, a draw as half a win and half a loss (quasi-likelihood). Any scores in [0, 1] do. Sandwich errors are
	// right though draws vary less than the model thinks; model errors are not.
	HalfPoint DrawModel = iota
	// Davidson gives draws a probability in proportion to nu sqrt(p q), p and q the strengths (Davidson 1970), and estimates nu. Scores have to
	// be 0, 1/2 and 1.
	Davidson
)

// Bounds of Bradley-Terry fits.
const (
	MaxBTPlayers = 4096
	MaxBTGames   = 1 << 28
)

// ErrBT is what refusals of a fit wrap.
var ErrBT = errors.New("rating: Bradley-Terry")

// BTConfig configures a Bradley-Terry fit. Its zero value is maximum likelihood with an effect of the first seat, draws half points, all
// games that a referee rates.
type BTConfig struct {
	Policy Policy // which games count
	Draws  DrawModel
	// NoSeat leaves out the effect of sitting first: for games without order, or where one seat is chance.
	NoSeat bool
	// Ridge is the precision of a normal prior with mean 0 at each log strength and at the effect of the first seat: the posterior mode is
	// found instead of the likeliest strengths, which exists whatever the results. 1 is a prior with a standard deviation of 174 Elo. 0: no
	// prior. At most 1e6.
	Ridge float64
}

func (c BTConfig) validate() error {
	var errs []error
	if err := c.Policy.validate(); err != nil {
		errs = append(errs, err)
	}
	if c.Draws > Davidson {
		errs = append(errs, fmt.Errorf("%w: Draws %d is unknown", ErrBT, c.Draws))
	}
	if !(c.Ridge >= 0 && c.Ridge <= 1e6) {
		errs = append(errs, fmt.Errorf("%w: Ridge is not in [0, 1e6]", ErrBT))
	}
	return errors.Join(errs...)
}

// Contest is a game of two players by number: what BradleyTerryContests takes.
type Contest struct {
	First, Second int32
	// Cluster numbers the games that are no independent evidence: pairs with swapped seats. 0: the game stands alone.
	Cluster int32
	Score   float32 // of First, in [0, 1]; steps of 2^-20 count
}

// BTFit holds strengths estimated from all games at once. It is safe for concurrent use. Its slices are the fit's: not to be changed.
type BTFit struct {
	// Players has all that played, sorted by name.
	Players []string
	// Strengths are natural logarithms, in the order of Players; their mean is 0. A difference of 1 is 173.7 Elo.
	Strengths []float64
	// Errors are the standard errors of Strengths: sandwich errors clustered by pair, which hold whether or not games of a pair depend on each
	// other and draws are rarer or more frequent than the model has it (Liang and Zeger 1986, with the factor C/(C-1) for C clusters). That
	// of a difference is not made of two of them; see Difference. With fewer than 2 clusters they are the ModelErrors.
	Errors []float64
	// ModelErrors are from the inverse of the information matrix: right if games are independent and the model holds.
	ModelErrors []float64
	// Seat is the effect of sitting first, added to the first player's log strength, with its two errors; 0 without one.
	Seat, SeatError, SeatModelError float64
	// Nu is Davidson's parameter: 2 means as many draws as wins and losses between equals. 0 where there is none, or no draw.
	Nu float64
	// LogNuError is the standard error of its logarithm.
	LogNuError float64
	// LogLikelihood is at the estimate, without prior and without binomial coefficients.
	LogLikelihood float64
	Games         int // that count
	Clusters      int // independent pieces of evidence they form
	Report        Report

	config  BTConfig
	data    *btData
	inverse *matrix // of the information, on differences
	meat    *matrix // sum over clusters of the outer products of their scores
	factor  float64
}

// ErrDiverged says that a fit found no estimate: the results leave some direction without a bound.
var ErrDiverged = fmt.Errorf("%w: no finite estimate; a prior (Ridge) gives one", ErrBT)

// BradleyTerry fits strengths to games between two players: the likeliest, or with Ridge the posterior mode. Void games and those that the
// policy skips are left out and counted in the Report. The result does not depend on the order of the games, to the last bit.
//
// The error is a *NotConnectedError where the results leave differences between groups of players without a bound (Ford 1957), wraps
// ErrDiverged where they leave the effect of the first seat or the draws without one, and ErrBT or ErrGame for what cannot be fitted.
func BradleyTerry(games []Game, c BTConfig) (*BTFit, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	players, contests, report, err := contestsOf(games, c.Policy)
	if err != nil {
		return nil, err
	}
	f, err := BradleyTerryContests(players, contests, c)
	if err != nil {
		return nil, err
	}
	f.Report = report
	return f, nil
}

// BradleyTerryContests is BradleyTerry for games by number: players are sorted and without repetition, each has a game, and Policy is not
// consulted. For a million games it is the faster way.
func BradleyTerryContests(players []string, contests []Contest, c BTConfig) (*BTFit, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	d, err := newBTData(players, contests, c.Draws == Davidson)
	if err != nil {
		return nil, err
	}
	m, err := d.model(c)
	if err != nil {
		return nil, err
	}
	if err := m.fit(nil); err != nil {
		return nil, err
	}
	f := &BTFit{Players: players, Games: d.games, Clusters: d.clusters, config: c, data: d}
	if err := f.finish(m); err != nil {
		return nil, err
	}
	return f, nil
}

// Difference is what a fit says about two players.
type Difference struct {
	Elo float64 // of the first less the second
	// Error is its standard error, from the sandwich; ModelError is that of the model.
	Error, ModelError float64
}

// Interval gives the Elo plus and minus the normal quantile of a confidence in (0, 1) times Error; the point alone outside of that.
func (d Difference) Interval(confidence float64) Interval {
	if !(confidence > 0 && confidence < 1) {
		return Interval{d.Elo, d.Elo}
	}
	z := float64(normQuantile(1-float64((1-confidence)/2)) * d.Error)
	return Interval{d.Elo - z, d.Elo + z}
}

// Difference gives the difference of two players, by name, with the error of the difference itself: from games against the same opponents
// two strengths share part of their errors. An unknown name is an error.
func (f *BTFit) Difference(a, b string) (Difference, error) {
	i, err := indexOf(f.Players, a)
	if err != nil {
		return Difference{}, err
	}
	k, err := indexOf(f.Players, b)
	if err != nil {
		return Difference{}, err
	}
	n := f.inverse.n
	x := make([]float64, n)
	for j := range n {
		x[j] = f.inverse.row(i)[j] - f.inverse.row(k)[j]
	}
	model := max(x[i]-x[k], 0)
	sandwich := model
	if f.Clusters > 1 {
		y := make([]float64, n)
		for j := range n {
			y[j] = float64(x[j] * dot(f.meat.row(j), x))
		}
		sandwich = float64(f.factor * max(sum(y), 0))
	}
	return Difference{
		Elo:        float64((f.Strengths[i] - f.Strengths[k]) * eloScale),
		Error:      float64(math.Sqrt(sandwich) * eloScale),
		ModelError: float64(math.Sqrt(model) * eloScale),
	}, nil
}
