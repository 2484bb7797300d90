package rating

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/referee"
)

// Bounds of one game.
const (
	MaxSides    = 64  // players of a game, and so its sides
	MaxPlayerID = 512 // bytes of a player's, a pair's, a role's or a game's name; any agent's fits
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
	// Score is the side's share of the points against each other side, in [0, 1].
	// FromResult makes it of the ranks: 1 for a win, 0.5 for a draw, 0 for a loss,
	// and the mean over the other sides where there are several. A host that
	// scores finer may set it. It must say the same as Rank: a better rank has a
	// higher score and equal ranks have equal ones (to 1e-9), and what one side
	// gets another does not, so that the scores add up to half the number of
	// sides (to 1e-9 a side). A game of ranks alone, or of scores alone, is refused.
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
	total := 0.0
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
			if !agree(&g.Sides[k], s) {
				bad("Sides[%d].Score and Sides[%d].Score contradict the ranks", k, i)
			}
		}
		total += s.Score
	}
	if want := float64(float64(len(g.Sides)) / 2); !(math.Abs(total-want) <= slack*float64(len(g.Sides))) {
		bad("Sides: the scores do not add up to %g", want)
	}
	return errors.Join(errs...)
}

// slack is what a score may be off by rounding.
const slack = 1e-9

// agree reports whether the scores of two sides are ordered as their ranks are.
func agree(a, b *Side) bool {
	switch {
	case a.Rank < b.Rank:
		return a.Score > b.Score
	case a.Rank > b.Rank:
		return a.Score < b.Score
	}
	return math.Abs(a.Score-b.Score) <= slack
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

// oneLine reports whether s is UTF-8 without control characters and line
// breaks, and of at most so many bytes.
func oneLine(s string, most int) bool {
	if len(s) > most || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return false
		}
	}
	return true
}

// PlayerID names an agent for ratings: its slug, and "@" with its version where
// it has one. Two versions are two players. An agent without a slug has no
// name here, whatever its version; a game with it is refused.
func PlayerID(a referee.Agent) string {
	if a.Version == "" || a.Slug == "" {
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
	// Roles gives each seat its role. A side whose seats have several has them
	// all, each once, in the order of their bytes with "+" between: it is
	// "seer+villager" wherever the seer sits.
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
	if n > MaxSides {
		return g, fmt.Errorf("%w: Seating.Players: %d, not up to %d", ErrGame, n, MaxSides)
	}
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
			g.Sides, returns = append(g.Sides, Side{Role: s.role(seat)}), append(returns, s.mean(r.Returns, seat))
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

// role is the role of the side of a seat.
func (s *Seating) role(seat int) string {
	if s.Roles == nil {
		return ""
	}
	if s.Teams == nil {
		return s.Roles[seat]
	}
	var roles []string
	for i, role := range s.Roles {
		if s.Teams[i] == s.Teams[seat] {
			roles = append(roles, role)
		}
	}
	slices.Sort(roles)
	return strings.Join(slices.Compact(roles), "+")
}

// mean is the mean return of a seat's team: exactly the return where all are
// equal, and the same in whatever order the team sits.
func (s *Seating) mean(returns []float64, seat int) float64 {
	if s.Teams == nil {
		return returns[seat]
	}
	var team []float64
	for i, x := range returns {
		if s.Teams[i] == s.Teams[seat] {
			team = append(team, x)
		}
	}
	slices.Sort(team)
	if team[0] == team[len(team)-1] {
		return team[0]
	}
	scale := 1.0
	if max(-team[0], team[len(team)-1]) > 1e300 {
		scale = 1.0 / 1024 // or the sum might not be finite
	}
	total := 0.0
	for _, x := range team {
		total += float64(x * scale)
	}
	return total / float64(len(team)) / scale
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
