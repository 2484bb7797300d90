package rating

// KPolicy says how far one game moves a player's rating.
type KPolicy interface {
	// K looks at a player from before the game. What it gives is kept within 0
	// and MaxK; NaN counts as 0.
	K(p *EloPlayer) float64
}

// MaxK is the largest K.
const MaxK = 1000

func boundedK(k float64) float64 {
	if k > 0 { // not NaN either
		return min(k, MaxK)
	}
	return 0
}

// FixedK is the same K for everybody.
type FixedK float64

// K gives the number itself.
func (k FixedK) K(*EloPlayer) float64 { return float64(k) }

func (k FixedK) ok() bool { return k >= 0 && k <= MaxK }

// FIDEK is article 8.3.3 of the FIDE Rating Regulations of 1 March 2024: 40 for
// the first 30 games, and for juniors below 2300; 10 for who has once reached
// 2400; 20 for everybody else.
type FIDEK struct{}

// K reads Games, Junior, Rating and Peak.
func (FIDEK) K(p *EloPlayer) float64 {
	switch {
	case p.Games < 30:
		return 40
	case max(p.Peak, p.Rating) >= 2400:
		return 10
	case p.Junior && p.Rating < 2300:
		return 40
	}
	return 20
}

// ArenaK is the dynamic K of Arena Protocol 1.1, section 14.2: 32 before 30
// games, 24 up to 100, 16 beyond; twice that, once, for who is declared to be
// self-improving or has risen by 120 points or more over the last k games for
// some k from 5 to 10.
type ArenaK struct{}

// Thresholds of ArenaK.
const (
	arenaRise     = 120
	arenaShortest = 5
)

// K reads Games, Improving, Rating and Past.
func (ArenaK) K(p *EloPlayer) float64 {
	k := 16.0
	switch {
	case p.Games < 30:
		k = 32
	case p.Games <= 100:
		k = 24
	}
	if p.Improving || rising(p) {
		k *= 2
	}
	return k
}

func rising(p *EloPlayer) bool {
	for n := arenaShortest; n <= min(p.Games, len(p.Past)); n++ {
		if p.Rating-p.Past[n-1] >= arenaRise {
			return true
		}
	}
	return false
}
