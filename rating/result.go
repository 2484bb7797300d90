package rating

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/matchreferee/arena/referee"
)

// Bounds of one game.
const (
	MaxSides    = 64  // players of a game, and so its sides
	MaxPlayerID = 256 // bytes of a player's, a pair's, a role's or a game's name
)

// ErrVoid says that a game counts for nothing: it was void or expired.
var ErrVoid = errors.New("rating: a void game is not rated")

// ErrGame is what every other refusal of a game wraps.
var ErrGame = errors.New("rating: not a game that can be rated")

// Game is a finished game as ratings see it: who stood against whom, and how
// they came out. Every method of this package takes it and none keeps it.
type Game struct {
	// ID names the match. It may be empty; no number depends on it.
	ID string
	// Pair names what games have in common beyond their players: the same
	// opening with the seats swapped, one seed dealt twice. Games of one Pair are
	// no independent evidence. Empty: the game stands alone.
	Pair string
	// Cause is the referee's. Expired and void games are refused.
	Cause referee.Cause
	// Reason is the referee's code: "late" in a forfeit is a time loss.
	Reason string
	// Sides are those who played against each other, in the order of their
	// seats: the first side moved first. At least two.
	Sides []Side
}

// Side is one player, or the players of a team, in a game.
type Side struct {
	// Players are names from PlayerID, or any that a host likes better. A player
	// stands once in a game.
	Players []string
	// Role is what the side was in the game where that changes its chances:
	// "werewolf", "white". Empty: nothing of the kind.
	Role string
	// Rank orders the sides: lower is better, equal is a draw between them. Any
	// integers do, 0 and negative ones too.
	Rank int
	// Score is the side's share against each other side, in [0, 1]. FromResult
	// makes it of the ranks: 1 for a win, 0.5 for a draw, 0 for a loss, and the
	// mean over the other sides where there are several. A host that scores
	// finer may set it; then it must agree with Rank in its order.
	Score float64
	// Forfeit is whether this side's faults or leaving ended the game.
	Forfeit bool
}

// TimeLoss reports whether the game ended because a side answered too late.
func (g *Game) TimeLoss() bool {
	return g.Cause == referee.CauseForfeit && g.Reason == referee.Late.String()
}

// Drawn reports whether no side came out better than another.
func (g *Game) Drawn() bool {
	for i := range g.Sides {
		if g.Sides[i].Rank != g.Sides[0].Rank {
			return false
		}
	}
	return true
}

// Validate gives one error for each thing that keeps the game from being rated,
// joined; each names its field. It wraps ErrVoid where the cause is expiry or
// void, and ErrGame for anything else.
func (g *Game) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrGame}, args...)...))
	}
	switch g.Cause {
	case referee.CausePlay, referee.CauseForfeit, referee.CauseAdjudication, referee.CauseAbandonment:
	case referee.CauseExpiry, referee.CauseVoid:
		errs = append(errs, fmt.Errorf("%w: cause %s", ErrVoid, g.Cause))
	default:
		bad("Cause %d is unknown", uint8(g.Cause))
	}
	if len(g.ID) > MaxPlayerID {
		bad("ID is longer than %d bytes", MaxPlayerID)
	}
	if len(g.Pair) > MaxPlayerID {
		bad("Pair is longer than %d bytes", MaxPlayerID)
	}
	if n := len(g.Sides); n < 2 || n > MaxSides {
		bad("Sides: %d, not 2 to %d", n, MaxSides)
		return errors.Join(errs...)
	}
	players := 0
	for i := range g.Sides {
		players += len(g.Sides[i].Players)
	}
	if players > MaxSides {
		bad("Sides have %d players, not up to %d", players, MaxSides)
		return errors.Join(errs...)
	}
	for i := range g.Sides {
		s := &g.Sides[i]
		if !oneLine(s.Role, MaxPlayerID) {
			bad("Sides[%d].Role is not one line of UTF-8, up to %d bytes", i, MaxPlayerID)
		}
		if !(s.Score >= 0 && s.Score <= 1) { // NaN fails too
			bad("Sides[%d].Score is not in [0, 1]", i)
		}
		if len(s.Players) == 0 {
			bad("Sides[%d].Players: none", i)
		}
		for k, p := range s.Players {
			if err := checkID(p); err != nil {
				bad("Sides[%d].Players[%d] %w", i, k, err)
			} else if g.stands(p, i, k) {
				bad("Sides[%d].Players[%d] stands twice in the game", i, k)
			}
		}
		for k := range i {
			if o := &g.Sides[k]; (s.Rank < o.Rank && s.Score < o.Score) || (s.Rank > o.Rank && s.Score > o.Score) {
				bad("Sides[%d].Score and Sides[%d].Score contradict the ranks", k, i)
			}
		}
	}
	return errors.Join(errs...)
}

// stands reports whether a player stands before player k of side i.
func (g *Game) stands(p string, i, k int) bool {
	for a := range i + 1 {
		for b, q := range g.Sides[a].Players {
			if (a < i || b < k) && p == q {
				return true
			}
		}
	}
	return false
}

func checkID(p string) error {
	if p == "" {
		return errors.New("is empty")
	}
	if !oneLine(p, MaxPlayerID) {
		return fmt.Errorf("is not one line of UTF-8, up to %d bytes", MaxPlayerID)
	}
	return nil
}

// oneLine reports whether s is UTF-8 without control characters, and of at most
// so many bytes.
func oneLine(s string, most int) bool {
	if len(s) > most || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < ' ' || r == 0x7f {
			return false
		}
	}
	return true
}

// PlayerID names an agent for ratings: its slug, and "@" with its version where
// it has one. Two versions are two players.
func PlayerID(a referee.Agent) string {
	if a.Version == "" {
		return a.Slug
	}
	return a.Slug + "@" + a.Version
}

// Seating tells FromResult what a result does not: who sat where.
type Seating struct {
	ID      string   // Game.ID
	Pair    string   // Game.Pair
	Players []string // by seat
	// Teams gives each seat the number of its team; seats of one number are one
	// side. nil: each seat plays for itself.
	Teams []int
	// Roles gives each seat its role; a side has the role of its first seat.
	Roles []string
}

// FromResult makes a Game of a referee's result. Sides come in the order of
// their first seats. What counts are the returns: a side is as good as the mean
// of its seats' returns. In a game of several sides that one of them forfeits,
// the offender has the least return and so the last rank; the others share what
// the referee gave them, a draw between them, and each has beaten the offender.
// The error wraps ErrVoid or ErrGame.
func FromResult(r *referee.Result, s Seating) (Game, error) {
	g := Game{ID: s.ID, Pair: s.Pair, Cause: r.Cause, Reason: r.Reason}
	if !r.Rated() {
		return g, fmt.Errorf("%w: cause %s", ErrVoid, r.Cause)
	}
	n := len(s.Players)
	for _, f := range []struct {
		name string
		n    int
		ok   bool
	}{
		{"Result.Returns", len(r.Returns), len(r.Returns) == n},
		{"Seating.Teams", len(s.Teams), s.Teams == nil || len(s.Teams) == n},
		{"Seating.Roles", len(s.Roles), s.Roles == nil || len(s.Roles) == n},
		{"Result.Seats", len(r.Seats), len(r.Seats) == n || len(r.Seats) == 0},
	} {
		if !f.ok {
			return g, fmt.Errorf("%w: %s has %d entries for %d players", ErrGame, f.name, f.n, n)
		}
	}
	var returns []float64
	for seat, p := range s.Players {
		if x := r.Returns[seat]; math.IsNaN(x) || math.IsInf(x, 0) {
			return g, fmt.Errorf("%w: Result.Returns[%d] is not finite", ErrGame, seat)
		}
		i := s.side(seat)
		if i == len(g.Sides) {
			side := Side{}
			if s.Roles != nil {
				side.Role = s.Roles[seat]
			}
			g.Sides, returns = append(g.Sides, side), append(returns, s.mean(r.Returns, seat))
		}
		side := &g.Sides[i]
		side.Players = append(side.Players, p)
		ended := r.Cause == referee.CauseForfeit || r.Cause == referee.CauseAbandonment
		side.Forfeit = side.Forfeit || (ended && len(r.Seats) > 0 && r.Seats[seat].Out)
	}
	rank(g.Sides, returns)
	return g, g.Validate()
}

// side numbers the side of a seat: how many teams have a seat before the first
// one of its own.
func (s *Seating) side(seat int) int {
	if s.Teams == nil {
		return seat
	}
	first := 0
	for s.Teams[first] != s.Teams[seat] {
		first++
	}
	n := 0
	for i := range first {
		opens := true
		for k := range i {
			opens = opens && s.Teams[k] != s.Teams[i]
		}
		if opens {
			n++
		}
	}
	return n
}

// mean is the mean return of a seat's team; exactly the return where all are
// equal.
func (s *Seating) mean(returns []float64, seat int) float64 {
	if s.Teams == nil {
		return returns[seat]
	}
	sum, n, equal := 0.0, 0, true
	for i, x := range returns {
		if s.Teams[i] == s.Teams[seat] {
			sum, n, equal = sum+x, n+1, equal && x == returns[seat]
		}
	}
	if equal {
		return returns[seat]
	}
	return sum / float64(n)
}

// rank sets Rank to the number of sides that did better, and Score to half a
// point for each side that did no better and half for each that did worse, over
// the other sides.
func rank(sides []Side, returns []float64) {
	for i := range sides {
		points := 0
		sides[i].Rank = 0
		for k := range sides {
			switch {
			case k == i:
			case returns[k] > returns[i]:
				sides[i].Rank++
			case returns[k] == returns[i]:
				points++
			default:
				points += 2
			}
		}
		if len(sides) > 1 {
			sides[i].Score = float64(points) / float64(2*(len(sides)-1))
		}
	}
}

// Duel makes a Game of a result between two players that the rules decided:
// score is the first player's, 1, 0.5 or 0, or anything between.
func Duel(first, second string, score float64) Game {
	g := Game{Sides: []Side{
		{Players: []string{first}, Score: score},
		{Players: []string{second}, Score: 1 - score},
	}}
	switch {
	case score > 0.5:
		g.Sides[1].Rank = 1
	case score < 0.5:
		g.Sides[0].Rank = 1
	}
	return g
}
