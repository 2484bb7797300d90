package rating

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// MaxStandings is the most players on a leaderboard.
const MaxStandings = 100_000

// Standing is a player as a rating system knows him.
type Standing struct {
	Player    string  // from PlayerID: two versions of an agent are two standings
	Rating    float64 // within MaxSkill, either sign
	Deviation float64 // its standard deviation, 0 where there is none
	Tally     Tally   // the games that were rated
}

// LeaderboardOptions say who is ranked, and by what. The zero value ranks
// everybody by whole rating points.
type LeaderboardOptions struct {
	Name   string // of the leaderboard, for its statement: one line, at most 128 bytes
	System string // how the ratings were made, likewise: "glicko2 tau 0.5"
	// MinGames is the number of games below which a player is listed without a
	// rank, after those who have one.
	MinGames int
	// ProvisionalGames flags players of fewer games, ProvisionalDeviation those
	// of a larger deviation; 0: nobody. They are ranked all the same.
	ProvisionalGames     int
	ProvisionalDeviation float64
	// Caution times the deviation is taken off each rating before it is compared,
	// so that newcomers do not lead by luck: 3 for Weng-Lin's ordinal. At most 10.
	Caution float64
	// Decimals is how many decimals numbers are rounded to, 0 to 6, halves away
	// from 0. Who is level after that is level.
	Decimals int
}

func (o *LeaderboardOptions) validate() error {
	var errs []error
	bad := func(name string) { errs = append(errs, fmt.Errorf("%w: LeaderboardOptions.%s", ErrInput, name)) }
	if !oneLine(o.Name, 128) {
		bad("Name")
	}
	if !oneLine(o.System, 128) {
		bad("System")
	}
	if !counts(o.MinGames) {
		bad("MinGames")
	}
	if !counts(o.ProvisionalGames) {
		bad("ProvisionalGames")
	}
	if !(o.ProvisionalDeviation >= 0 && o.ProvisionalDeviation <= MaxSkill) {
		bad("ProvisionalDeviation")
	}
	if !(o.Caution >= 0 && o.Caution <= 10) {
		bad("Caution")
	}
	if o.Decimals < 0 || o.Decimals > 6 {
		bad("Decimals")
	}
	return errors.Join(errs...)
}

// Row is a line of a leaderboard.
type Row struct {
	// Rank is 1 for the best; players who are level share a rank, and as many
	// ranks after it are left out (1, 2, 2, 4). 0: too few games to be ranked.
	Rank        int
	Player      string
	Value       float64 // what decides: the rating less Caution deviations, rounded
	Rating      float64 // rounded
	Deviation   float64 // rounded
	Tally       Tally
	Provisional bool
}

// Leaderboard lists players from best to last. It is the caller's.
type Leaderboard struct {
	Options LeaderboardOptions
	Rows    []Row
}

// NewLeaderboard ranks standings, whose order does not matter: who is level is
// listed by the bytes of the name. The error wraps ErrInput and names each field
// that is out of range, and each player who stands there twice.
func NewLeaderboard(o LeaderboardOptions, standings []Standing) (*Leaderboard, error) {
	errs := []error{o.validate()}
	if len(standings) > MaxStandings {
		return nil, fmt.Errorf("%w: more than %d standings", ErrInput, MaxStandings)
	}
	sorted := slices.SortedFunc(slices.Values(standings), func(a, b Standing) int { return cmp.Compare(a.Player, b.Player) })
	for i := range sorted {
		s := &sorted[i]
		errs = append(errs, s.validate())
		if i > 0 && s.Player == sorted[i-1].Player {
			errs = append(errs, fmt.Errorf("%w: player %q stands twice", ErrInput, s.Player))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	b := &Leaderboard{Options: o, Rows: make([]Row, 0, len(sorted))}
	for i := range sorted {
		b.Rows = append(b.Rows, o.row(&sorted[i]))
	}
	slices.SortStableFunc(b.Rows, func(x, y Row) int {
		return cmp.Or(cmp.Compare(o.unranked(&x), o.unranked(&y)), cmp.Compare(y.Value, x.Value))
	})
	for i := range b.Rows {
		r := &b.Rows[i]
		switch {
		case o.unranked(r) > 0:
		case i > 0 && b.Rows[i-1].Value == r.Value:
			r.Rank = b.Rows[i-1].Rank
		default:
			r.Rank = i + 1
		}
	}
	return b, nil
}

func (s *Standing) validate() error {
	var errs []error
	bad := func(what string) { errs = append(errs, fmt.Errorf("%w: player %q: %s", ErrInput, s.Player, what)) }
	if err := checkID(s.Player); err != nil {
		errs = append(errs, fmt.Errorf("%w: Standing.Player %w", ErrInput, err))
		return errors.Join(errs...)
	}
	if !(math.Abs(s.Rating) <= MaxSkill) {
		bad("Standing.Rating")
	}
	if !(s.Deviation >= 0 && s.Deviation <= MaxSkill) {
		bad("Standing.Deviation")
	}
	if !counts(s.Tally.Wins, s.Tally.Draws, s.Tally.Losses) {
		bad("Standing.Tally")
	}
	return errors.Join(errs...)
}

// counts reports whether all of n are numbers of games: not negative, and so
// small that a sum of three is still exact in JSON.
func counts(n ...int) bool {
	for _, k := range n {
		if k < 0 || int64(k) > 1<<50 {
			return false
		}
	}
	return true
}

func (o *LeaderboardOptions) row(s *Standing) Row {
	return Row{
		Player:      s.Player,
		Value:       o.round(s.Rating - float64(o.Caution*s.Deviation)),
		Rating:      o.round(s.Rating),
		Deviation:   o.round(s.Deviation),
		Tally:       s.Tally,
		Provisional: s.Tally.Games() < o.ProvisionalGames || (o.ProvisionalDeviation > 0 && s.Deviation > o.ProvisionalDeviation),
	}
}

// unranked is 1 for a row of too few games, else 0.
func (o *LeaderboardOptions) unranked(r *Row) int {
	if r.Tally.Games() < o.MinGames {
		return 1
	}
	return 0
}

// round gives x to so many decimals, and never minus zero.
func (o *LeaderboardOptions) round(x float64) float64 {
	unit := 1.0
	for range o.Decimals {
		unit *= 10
	}
	n := math.Floor(float64(math.Abs(x)*unit) + 0.5)
	if x < 0 {
		n = 0 - n
	}
	return n / unit
}
