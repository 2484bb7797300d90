package rating

import (
	"errors"
	"fmt"
	"math"
)

// Model is one of the models of Weng and Lin, "A Bayesian Approximation Method
// for Online Ranking" (JMLR 12, 2011), by the number of its algorithm there.
type Model uint8

const (
	ModelPlackettLuce           Model = iota // algorithm 4: who is first, who is first of the rest, and so on
	ModelBradleyTerryFull                    // algorithm 1: every pair of teams, logistic
	ModelBradleyTerryPart                    // algorithm 2: pairs of teams at most four places apart, equal ranks in the order of the lineup
	ModelThurstoneMostellerFull              // algorithm 3: every pair, normal, with a margin for draws
	ModelThurstoneMostellerPart              // its partial form, after openskill: c is twice as large
)

// partWindow is how many places apart two teams of a partial pairing may be.
const partWindow = 4

// Gamma says how fast deviations shrink: the paper's factor on the second
// derivative, c being the deviation of the difference that is judged.
type Gamma uint8

const (
	GammaShare Gamma = iota // the team's deviation over c, the paper's choice
	GammaOne                // 1: the full step, as TrueSkill has it
	GammaTeams              // 1 over the number of teams
)

// Bounds of what Weng-Lin takes and gives.
const (
	MaxSkill = 1e6  // of a Mu, either sign, and of a Sigma
	MinSigma = 1e-6 // of a Sigma
)

// WengLinOptions choose a model and its constants. The zero value is
// Plackett-Luce with the constants of openskill and TrueSkill.
type WengLinOptions struct {
	Model Model
	Gamma Gamma
	Mu    float64 // the mean of a player not seen before. 0: 25
	Sigma float64 // that player's deviation. 0: 25/3
	Beta  float64 // how far one performance strays from the skill. 0: 25/6
	// Tau is added to every deviation before each game, as the square root of
	// the sum of squares, so that no rating freezes. 0: 25/300; negative: none.
	Tau float64
	// Kappa is the least share of the variance that a game leaves. 0: 0.0001.
	Kappa float64
	// DrawMargin is the difference of performances within which teams draw, in
	// the two Thurstone-Mosteller models. 0: 0.1. See DrawMargin for the number
	// that stands for a share of draws.
	DrawMargin float64
	// LimitSigma keeps a game from raising a deviation, Tau included.
	LimitSigma bool
	// OffsetSigma is the deviation of a role's offset not seen before. 0: 25/3.
	OffsetSigma float64
}

// Skill is a normal distribution of a player's strength, or of the offset of a
// role.
type Skill struct {
	Mu    float64 `json:"mu"`
	Sigma float64 `json:"sigma"`
}

// Ordinal is the skill that a player has with near certainty, Mu - 3 Sigma; it
// is what leaderboards sort by.
func (s Skill) Ordinal() float64 { return s.Mu - float64(3*s.Sigma) }

func (s Skill) ok() bool {
	return math.Abs(s.Mu) <= MaxSkill && s.Sigma >= MinSigma && s.Sigma <= MaxSkill
}

// WengLin keeps skills of players and of members of teams. It holds no state
// and is safe for concurrent use.
type WengLin struct{ o WengLinOptions }

// NewWengLin gives one error for each option that is out of range, joined.
func NewWengLin(o WengLinOptions) (*WengLin, error) {
	var errs []error
	bad := func(name string) { errs = append(errs, fmt.Errorf("%w: WengLinOptions.%s", ErrInput, name)) }
	if o.Model > ModelThurstoneMostellerPart {
		bad("Model")
	}
	if o.Gamma > GammaTeams {
		bad("Gamma")
	}
	number := func(name string, x *float64, usual, low, high float64) {
		if *x == 0 {
			*x = usual
		}
		if !(*x >= low && *x <= high) {
			bad(name)
		}
	}
	number("Mu", &o.Mu, 25, -MaxSkill, MaxSkill)
	number("Sigma", &o.Sigma, 25.0/3, MinSigma, MaxSkill)
	number("Beta", &o.Beta, 25.0/6, MinSigma, MaxSkill)
	number("Kappa", &o.Kappa, 0.0001, 1e-12, 1)
	number("DrawMargin", &o.DrawMargin, 0.1, 1e-12, MaxSkill)
	number("OffsetSigma", &o.OffsetSigma, 25.0/3, MinSigma, MaxSkill)
	if o.Tau < 0 {
		o.Tau = 0
	} else {
		number("Tau", &o.Tau, 25.0/300, MinSigma, MaxSkill)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return &WengLin{o}, nil
}

// Start is the skill of a player without games.
func (w *WengLin) Start() Skill { return Skill{w.o.Mu, w.o.Sigma} }

// StartOffset is the offset of a role without games.
func (w *WengLin) StartOffset() Skill { return Skill{0, w.o.OffsetSigma} }

// Lineup is who plays in one game. The skills are the caller's: Update changes
// them in place.
type Lineup struct {
	Teams [][]Skill // at least two teams of at least one player
	// Offsets gives each team what its role is worth, or is nil. With offsets a
	// team's strength is its offset plus what its players have above
	// WengLinOptions.Mu, so that roles of unlike size are comparable: a plain sum
	// makes five equal players so much stronger than two that every game they
	// lose pulls all ratings down. An offset is estimated like a player's skill.
	Offsets []Skill
	// Weights gives each player how much of the game he played, at least 0, or is
	// nil: everybody all of it. As in openskill, what counts is the order within a
	// team: its largest weight counts double, its smallest once, and equal weights
	// are as good as none.
	Weights [][]float64

	level bool // all offsets are the same: they are left out, but skills count from Mu all the same
}

// ok is the quick answer for the usual lineup, of skills alone.
func (l *Lineup) ok() bool {
	if n := len(l.Teams); n < 2 || n > MaxSides || l.Offsets != nil || l.Weights != nil {
		return false
	}
	for _, team := range l.Teams {
		if len(team) < 1 || len(team) > MaxSides {
			return false
		}
		for _, s := range team {
			if !s.ok() {
				return false
			}
		}
	}
	return true
}

func (l *Lineup) validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrInput}, args...)...))
	}
	n := len(l.Teams)
	if n < 2 || n > MaxSides {
		bad("Lineup.Teams: %d, not 2 to %d", n, MaxSides)
		return errors.Join(errs...)
	}
	if l.Offsets != nil && len(l.Offsets) != n {
		bad("Lineup.Offsets: %d for %d teams", len(l.Offsets), n)
	}
	for i, s := range l.Offsets {
		if !s.ok() {
			bad("Lineup.Offsets[%d]", i)
		}
	}
	if l.Weights != nil && len(l.Weights) != n {
		bad("Lineup.Weights: %d for %d teams", len(l.Weights), n)
	}
	for i, team := range l.Teams {
		if len(team) < 1 || len(team) > MaxSides {
			bad("Lineup.Teams[%d]: %d players, not 1 to %d", i, len(team), MaxSides)
		}
		for k, s := range team {
			if !s.ok() {
				bad("Lineup.Teams[%d][%d]", i, k)
			}
		}
		if len(l.Weights) != n {
			continue
		}
		if len(l.Weights[i]) != len(team) {
			bad("Lineup.Weights[%d]: %d for %d players", i, len(l.Weights[i]), len(team))
		}
		for k, x := range l.Weights[i] {
			if !(x >= 0 && x <= MaxSkill) {
				bad("Lineup.Weights[%d][%d]", i, k)
			}
		}
	}
	return errors.Join(errs...)
}

// strength gives a team's mean and variance at the beginning of a game.
func (w *WengLin) strength(l *Lineup, i int) (mu, variance float64) {
	base := 0.0
	if l.Offsets != nil || l.level {
		base = w.o.Mu
	}
	if l.Offsets != nil {
		mu, variance = l.Offsets[i].Mu, w.widened(l.Offsets[i].Sigma)
	}
	for _, s := range l.Teams[i] {
		mu += s.Mu - base
		variance += w.widened(s.Sigma)
	}
	return mu, variance
}

// widened is the variance that a deviation has with Tau added.
func (w *WengLin) widened(sigma float64) float64 {
	return float64(sigma*sigma) + float64(w.o.Tau*w.o.Tau)
}
