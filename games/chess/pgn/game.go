package pgn

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// Bounds of a game, for reading and writing alike.
const (
	MaxGame    = 8 << 20 // bytes
	MaxTags    = 128
	MaxName    = 64      // bytes of a tag's name
	MaxValue   = 1024    // bytes of a tag's value, before quotes and backslashes are escaped
	MaxMoves   = 1 << 15 // plies, those of variations included
	MaxDepth   = 16      // variations within variations
	MaxComment = 64 << 10
	MaxNotes   = 256 // NAGs, comments, variations: of each kind, at one move
)

// Result is how a game ended, as PGN writes it.
type Result string

// The results.
const (
	WhiteWins Result = "1-0"
	BlackWins Result = "0-1"
	Draw      Result = "1/2-1/2"
	Unknown   Result = "*" // in progress, abandoned, or not known
)

func (r Result) valid() bool { return r == WhiteWins || r == BlackWins || r == Draw || r == Unknown }

// Tag is a pair of the tag section.
type Tag struct {
	Name  string // letters, digits and underscores
	Value string // one line
}

// Game is a game in PGN.
type Game struct {
	// Tags are the seven of the roster (Event, Site, Date, Round, White, Black and Result), in this order, and behind them the others in the
	// order of their names. A game that was read has all seven; a game to be written need not, nor have them in order. The tags SetUp and
	// FEN are not among them, see Start, and a Result tag must agree with Result.
	Tags     []Tag
	Start    string // the position at the start as FEN; "" for the usual one
	Comments []string
	Moves    []Move
	Result   Result
}

// Move is a move and what is noted at it. PGN does not say how notes of different kinds at one move stand to one another.
type Move struct {
	chess.Move
	NAGs       []uint8                 // numeric annotation glyphs; 1 to 6 are ! ? !! ?? !? ?!
	Clock      game.Opt[time.Duration] // what the mover's clock showed after the move: the command %clk, in whole milliseconds
	Elapsed    game.Opt[time.Duration] // how long the move took: the command %emt
	Comments   []string                // after the move; see [Clean]
	Variations []Variation             // what could have been played instead
}

// Variation is a sequence of moves, at least one, from the position before the move that it stands at.
type Variation struct {
	Comments []string // before its first move
	Moves    []Move
}

var roster = [...]Tag{{"Event", "?"}, {"Site", "?"}, {"Date", "????.??.??"}, {"Round", "?"}, {"White", "?"}, {"Black", "?"}, {"Result", "*"}}

// Tag gives the value of a tag; "" if there is none of that name.
func (g *Game) Tag(name string) string {
	for _, t := range g.Tags {
		if t.Name == name {
			return t.Value
		}
	}
	return ""
}

// position gives the position at the start.
func (g *Game) position() (chess.Position, error) {
	if g.Start == "" {
		return chess.Initial(), nil
	}
	return chess.ParseFEN(g.Start)
}

// Final gives the position after the last move of the game. Errors are about the start or a move that is not legal.
func (g *Game) Final() (chess.Position, error) {
	p, err := g.position()
	if err != nil {
		return p, err
	}
	for i, m := range g.Moves {
		if err := p.Check(m.Move); err != nil {
			return p, fmt.Errorf("pgn: ply %d: %w", i+1, err)
		}
		p.Play(m.Move)
	}
	return p, nil
}

// tags gives all tags as they are written, or says what is wrong with them.
func (g *Game) tags() ([]Tag, error) {
	if !g.Result.valid() {
		return nil, fmt.Errorf("pgn: Result: %.16q is none", string(g.Result))
	}
	out := slices.Clone(roster[:])
	out[6].Value = string(g.Result)
	var others []Tag
	seen := map[string]bool{}
	for _, t := range g.Tags {
		if err := checkTag(t); err != nil {
			return nil, err
		}
		i := slices.IndexFunc(out, func(r Tag) bool { return r.Name == t.Name })
		switch {
		case seen[t.Name]:
			return nil, fmt.Errorf("pgn: Tags: %s stands twice", t.Name)
		case t.Name == "SetUp" || t.Name == "FEN":
			return nil, fmt.Errorf("pgn: Tags: %s comes from Start", t.Name)
		case t.Name == "Result" && t.Value != string(g.Result):
			return nil, fmt.Errorf("pgn: Tags: Result is %s, but the game ends %s", t.Value, g.Result)
		case i >= 0:
			out[i] = t
		default:
			others = append(others, t)
		}
		seen[t.Name] = true
	}
	if g.Start != "" && g.Start != chess.StartFEN {
		others = append(others, Tag{"FEN", g.Start}, Tag{"SetUp", "1"})
	}
	slices.SortFunc(others, func(a, b Tag) int { return strings.Compare(a.Name, b.Name) })
	if out = append(out, others...); len(out) > MaxTags {
		return nil, fmt.Errorf("pgn: Tags: over %d", MaxTags)
	}
	return out, nil
}

func checkTag(t Tag) error {
	if t.Name == "" || len(t.Name) > MaxName || strings.ContainsFunc(t.Name, func(r rune) bool { return !nameRune(r) }) {
		return fmt.Errorf("pgn: Tags: %.*q is no name", MaxName, t.Name)
	}
	if len(t.Value) > MaxValue || !utf8.ValidString(t.Value) || strings.ContainsFunc(t.Value, unicode.IsControl) {
		return fmt.Errorf("pgn: Tags: the value of %s is not one line of at most %d bytes", t.Name, MaxValue)
	}
	return nil
}

func nameRune(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}
