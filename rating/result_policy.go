package rating

import (
	"errors"
	"fmt"

	"github.com/matchreferee/arena/referee"
)

// Treatment says what becomes of games that ended in a certain way.
type Treatment uint8

const (
	Count Treatment = iota // a result like any other: who forfeits loses
	Skip                   // left out of the numbers, counted in the report
)

// Policy says which games count. Its zero value counts all that a referee
// rates. Void and expired games are refused whatever it says.
type Policy struct {
	Forfeits      Treatment // faults of a side ended the game
	Abandonments  Treatment // a side walked away
	Adjudications Treatment // a resignation, an agreed draw, a host's ruling
}

// Report counts what Policy.Select was given. Each game is counted once in
// Games, however many sides it has.
type Report struct {
	Games         int `json:"games"`         // all that were given
	Rated         int `json:"rated"`         // those that count
	Void          int `json:"void"`          // refused: void
	Expired       int `json:"expired"`       // refused: the time of the match ran out
	Forfeits      int `json:"forfeits"`      // by faults, counted or skipped
	TimeLosses    int `json:"time_losses"`   // the forfeits among them that were answers too late
	Abandonments  int `json:"abandonments"`  // counted or skipped
	Adjudications int `json:"adjudications"` // counted or skipped
	Skipped       int `json:"skipped"`       // left out by the policy
	Draws         int `json:"draws"`         // among Rated
}

// Played is the number of games that a referee rates: all but the void and the
// expired ones.
func (r *Report) Played() int { return r.Games - r.Void - r.Expired }

// TimeLossShare is the share of the played games that a side lost on time, in
// [0, 1]; 0 where none was played. A time loss of one side and the win of the
// other are one game.
func (r *Report) TimeLossShare() float64 { return share(r.TimeLosses, r.Played()) }

// ForfeitShare is the share of the played games that ended by faults.
func (r *Report) ForfeitShare() float64 { return share(r.Forfeits, r.Played()) }

func share(k, n int) float64 {
	if n == 0 {
		return 0
	}
	return float64(k) / float64(n)
}

func (p Policy) validate() error {
	var errs []error
	for _, f := range []struct {
		name string
		t    Treatment
	}{{"Forfeits", p.Forfeits}, {"Abandonments", p.Abandonments}, {"Adjudications", p.Adjudications}} {
		if f.t > Skip {
			errs = append(errs, fmt.Errorf("%w: Policy.%s %d is unknown", ErrInput, f.name, f.t))
		}
	}
	return errors.Join(errs...)
}

// Admit counts a game in a report and says whether it counts for ratings. The
// error says what is wrong with the game (ErrGame) or the policy (ErrInput);
// then the report is as it was. That a game is void is no error here: it is counted and does not
// count.
func (p Policy) Admit(g *Game, r *Report) (bool, error) {
	if err := p.validate(); err != nil {
		return false, err
	}
	treat := Count
	switch g.Cause {
	case referee.CauseVoid:
		r.Games, r.Void = r.Games+1, r.Void+1
		return false, nil
	case referee.CauseExpiry:
		r.Games, r.Expired = r.Games+1, r.Expired+1
		return false, nil
	}
	if err := g.Validate(); err != nil {
		return false, err
	}
	switch g.Cause {
	case referee.CauseForfeit:
		r.Forfeits++
		treat = p.Forfeits
	case referee.CauseAbandonment:
		r.Abandonments++
		treat = p.Abandonments
	case referee.CauseAdjudication:
		r.Adjudications++
		treat = p.Adjudications
	}
	r.Games++
	if g.TimeLoss() {
		r.TimeLosses++
	}
	if treat == Skip {
		r.Skipped++
		return false, nil
	}
	r.Rated++
	if g.Drawn() {
		r.Draws++
	}
	return true, nil
}

// Select gives the games that count, in their order, and the report of all. The
// games share their memory with those given. The first game that is malformed
// is an error, which wraps ErrGame and names its place; an unknown treatment is
// one that wraps ErrInput.
func (p Policy) Select(games []Game) ([]Game, Report, error) {
	var report Report
	rated := make([]Game, 0, len(games))
	for i := range games {
		ok, err := p.Admit(&games[i], &report)
		if err != nil {
			return nil, Report{}, fmt.Errorf("game %d: %w", i, err)
		}
		if ok {
			rated = append(rated, games[i])
		}
	}
	return rated, report, nil
}
