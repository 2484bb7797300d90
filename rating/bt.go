package rating

import (
	"errors"
	"fmt"
	"slices"
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

// BTOptions configure a Bradley-Terry fit. The zero value is maximum likelihood with an effect of the first seat, draws half points, all
// games that a referee rates.
type BTOptions struct {
	Policy Policy // which games count
	Draws  DrawModel
	// NoSeat leaves out the effect of sitting first: for games without order, or where one seat is chance.
	NoSeat bool
	// Ridge is the precision of a normal prior with mean 0 at each log strength and at the effect of the first seat: the posterior mode is
	// found instead of the likeliest strengths, which exists whatever the results. 1 is a prior with a standard deviation of 174 Elo. 0: no
	// prior. At most 1e6. With a prior ModelErrors are the deviations of the posterior; Errors say how far the mode moves from sample to
	// sample, which is little where few or one-sided games leave it to the prior. Difference.Interval takes the larger.
	Ridge float64
}

func (c BTOptions) validate() error {
	var errs []error
	if err := c.Policy.validate(); err != nil {
		errs = append(errs, err)
	}
	if c.Draws > Davidson {
		errs = append(errs, fmt.Errorf("%w: BTOptions.Draws %d is unknown", ErrFit, c.Draws))
	}
	if !(c.Ridge >= 0 && c.Ridge <= 1e6) {
		errs = append(errs, fmt.Errorf("%w: BTOptions.Ridge is not in [0, 1e6]", ErrFit))
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

// BTFit is what a Bradley-Terry fit found.
type BTFit struct {
	Estimates
	// Seat is the effect of sitting first, added to the first player's log strength, with its two errors; 0 without one.
	Seat, SeatError, SeatModelError float64
	// Nu is Davidson's parameter: 2 means as many draws as wins and losses between equals. 0 where there is none, or no draw.
	Nu float64
	// LogNuError is the standard error of its logarithm.
	LogNuError float64

	config BTOptions
	data   *btData
}

// BradleyTerry fits strengths to games between two players: the likeliest, or with Ridge the posterior mode. Void games and those that the
// policy skips are left out and counted in the Report. The result does not depend on the order of the games, to the last bit.
//
// The error is a *NotConnectedError where the results leave differences between groups of players without a bound (Ford 1957), wraps
// ErrDiverged where they leave the effect of the first seat or the draws without one, and ErrFit or ErrGame for what cannot be fitted.
func BradleyTerry(games []Game, c BTOptions) (*BTFit, error) {
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
func BradleyTerryContests(players []string, contests []Contest, c BTOptions) (*BTFit, error) {
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
	f := &BTFit{Estimates: Estimates{Players: slices.Clone(players), Games: d.games, Clusters: d.clusters, prior: c.Ridge > 0}, config: c, data: d}
	if err := f.finish(m); err != nil {
		return nil, err
	}
	return f, nil
}
