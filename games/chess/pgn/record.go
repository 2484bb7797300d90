package pgn

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// Termination is the value of the Termination tag: why a game ended, beyond its result.
type Termination string

// The values that the specification has.
const (
	Normal          Termination = "normal" // as the rules have it, or by resignation or agreement
	Abandoned       Termination = "abandoned"
	Adjudication    Termination = "adjudication"
	Emergency       Termination = "emergency" // what nobody foresaw: infrastructure, for one
	RulesInfraction Termination = "rules infraction"
	TimeForfeit     Termination = "time forfeit"
	Unterminated    Termination = "unterminated"
)

// Record is what a match left, in the words of its record.
type Record struct {
	Start       string // FEN; "" for the usual start
	Moves       []Ply
	Result      Result
	Termination Termination // "": no such tag
	// Tags are any others: Event, Site, Date, Round, White, Black and what else is known. What is no text in their values is replaced, and
	// what is too long cut, since names are agents' own words.
	Tags []Tag
}

// Ply is a move of a record.
type Ply struct {
	UCI     string                  // "e2e4"
	Clock   game.Opt[time.Duration] // what the mover's clock shows after it; cut to whole milliseconds
	Elapsed game.Opt[time.Duration] // how long it took; cut to whole milliseconds
	Comment string                  // any text, see [Clean]; cut to MaxWords bytes over the number of moves where all of them come to more than MaxWords
}

// MaxWords is how much the comments of a [Record] may come to, in bytes, so that what agents say never makes a game too large to be written. Where
// they are more, each is cut to the same share, and no seat's many words cost the other its own.
const MaxWords = MaxGame / 2

// Game makes a game in PGN of the record. The error names the first ply that is not legal, or what is wrong with the tags or the result.
func (r *Record) Game() (*Game, error) {
	g := &Game{Result: r.Result}
	p := chess.Initial()
	if r.Start != "" {
		var err error
		if p, err = chess.ParseFEN(r.Start); err != nil {
			return nil, fmt.Errorf("pgn: Start: %w", err)
		}
		if p != chess.Initial() {
			g.Start = p.FEN()
		}
	}
	for _, t := range r.Tags {
		g.Tags = append(g.Tags, Tag{t.Name, cleanValue(t.Value)})
	}
	if r.Termination != "" {
		g.Tags = append(g.Tags, Tag{"Termination", cleanValue(string(r.Termination))})
	}
	tags, err := g.tags()
	if err != nil {
		return nil, err
	}
	g.Tags = without(tags, "FEN", "SetUp")
	if len(r.Moves) > MaxMoves {
		return nil, fmt.Errorf("pgn: over %d moves", MaxMoves)
	}
	words := 0
	for i, ply := range r.Moves {
		m, err := p.ParseUCI(ply.UCI)
		if err != nil {
			return nil, fmt.Errorf("pgn: ply %d: %w", i+1, err)
		}
		p.Play(m)
		move := Move{Move: m, Clock: whole(ply.Clock), Elapsed: whole(ply.Elapsed)}
		if text := Clean(ply.Comment); text != "" {
			move.Comments = []string{text}
			words += len(text)
		}
		g.Moves = append(g.Moves, move)
	}
	if words > MaxWords {
		for i := range g.Moves {
			for j, text := range g.Moves[i].Comments {
				g.Moves[i].Comments[j] = strings.TrimSpace(cut(text, MaxWords/len(g.Moves)))
			}
		}
	}
	return g, nil
}

// whole cuts a time to what a clock command can tell.
func whole(x game.Opt[time.Duration]) game.Opt[time.Duration] {
	d, ok := x.Get()
	if !ok {
		return game.Opt[time.Duration]{}
	}
	return game.Some(min(max(d, 0), maxClock).Truncate(time.Millisecond))
}

func cleanValue(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return cut(s, MaxValue)
}
