package pgn

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// MaxOpenings is the most openings that are read.
const MaxOpenings = 100_000

// Opening is a position to begin matches from.
type Opening struct {
	Name string // as the list has it; may be empty, or that of another one too
	FEN  string // fit for the Position of a game.Setup; not the end of a game
}

// Openings is a list of them. Matches with one opening come in pairs, with the seats swapped in the second, since few openings are even: numbers 0
// and 1 have the first opening, 2 and 3 the second, and so on, from the first again after the last.
type Openings []Opening

// Match gives the opening of match number n, from 0, and whether its seats are swapped. It panics if the list is empty or n below 0.
func (l Openings) Match(n int) (o Opening, swapped bool) { return l[n/2%len(l)], n%2 == 1 }

// Shuffled gives the openings in an order by lot; the list stays as it is.
func (l Openings) Shuffled(r *rand.Rand) Openings {
	l = slices.Clone(l)
	r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	return l
}

// Setup gives the setup of a match from an opening; seats are the game's own two.
func (o Opening) Setup() game.Setup { return game.Setup{Seats: 2, Position: o.FEN} }

// ReadEPD reads a list of openings, one EPD a line; the operation id names them. Empty lines are passed over. Errors name the line: it is no EPD,
// its position is the end of a game, or it is one too many.
func ReadEPD(r io.Reader) (Openings, error) {
	var l Openings
	s := bufio.NewScanner(r)
	s.Buffer(nil, MaxLine+2)
	line := 0
	fail := func(err error) (Openings, error) { return nil, fmt.Errorf("line %d: %w", line, err) }
	for s.Scan() {
		line++
		text := s.Text()
		if line == 1 {
			text = strings.TrimPrefix(text, "\uFEFF")
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		e, err := ParseEPD(text)
		if err != nil {
			return fail(err)
		}
		if l, err = l.with(e.ID(), e.Position); err != nil {
			return fail(err)
		}
	}
	if err := s.Err(); err != nil {
		line++
		return fail(err)
	}
	return l, nil
}

// ReadPGN reads a list of openings from games: the position after so many plies of each, or after its last move if it has fewer, or if plies is
// below 0. They are named by the tags Opening and Variation, else Event. Errors are those of [Reader.Next], or name the game, counted from 1.
func ReadPGN(r io.Reader, plies int) (Openings, error) {
	var l Openings
	n := 0
	for g, err := range NewReader(r).All() {
		if err != nil {
			return nil, err
		}
		n++
		if plies >= 0 && plies < len(g.Moves) {
			g.Moves = g.Moves[:plies]
		}
		p, err := g.Final()
		if err == nil {
			l, err = l.with(g.opening(), p)
		}
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", n, err)
		}
	}
	return l, nil
}

// opening gives the name of a game's opening.
func (g *Game) opening() string {
	name, variation := g.Tag("Opening"), g.Tag("Variation")
	switch {
	case name == "" && g.Tag("Event") != "?":
		return g.Tag("Event")
	case name != "" && variation != "":
		return name + ", " + variation
	}
	return name
}

func (l Openings) with(name string, p chess.Position) (Openings, error) {
	if len(l) == MaxOpenings {
		return nil, fmt.Errorf("pgn: over %d openings", MaxOpenings)
	}
	if !p.HasLegal() || p.InsufficientMaterial() || p.HalfmoveClock() >= 100 {
		return nil, errors.New("pgn: the opening ends the game")
	}
	return append(l, Opening{name, p.FEN()}), nil
}
