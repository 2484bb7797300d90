// Package eco names chess openings after the Encyclopaedia of Chess Openings (ECO), for records and the people who read them.
//
// The names come from github.com/notnil/chess/opening, which has them from lichess. This package takes its table over once, checks each line of moves
// by the rules of [chess], and looks up in memory of its own: no move of a caller's reaches that module.
package eco

import (
	"fmt"
	"strings"
	"sync"

	"github.com/notnil/chess/opening"

	"github.com/matchreferee/arena/games/chess"
)

// Opening is a named line of moves.
type Opening struct {
	Code  string // a letter from A to E and two digits, "B90"
	Name  string // "Sicilian Defense: Najdorf Variation"
	Plies int    // how many moves of both sides the line has, at least 1
}

// Book holds the openings. It does not change, and is safe for concurrent use.
type Book struct {
	lines   map[string]Opening // by moves, two bytes each
	longest int                // plies
}

// Load gives the book. Every call gives the same; the first one makes it, which takes about half a second
// and a hundred megabytes of garbage. An error says that the
// table has lines that are not chess.
func Load() (*Book, error) { return load() }

// load makes the book. It does so once, also because two calls of opening.NewBookECO at the same time disturb each other.
var load = sync.OnceValues(build)

func build() (*Book, error) {
	b := &Book{lines: make(map[string]Opening)}
	for _, o := range opening.NewBookECO().Possible(nil) {
		if err := b.add(o.Code(), o.Title(), o.PGN()); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// add takes a line up: moves in UCI with move numbers, "1.e2e4 e7e5 2.g1f3".
func (b *Book) add(code, name, line string) error {
	bad := func(why any) error { return fmt.Errorf("eco: %s, %s: %v", code, name, why) }
	if len(code) != 3 || code[0] < 'A' || code[0] > 'E' || strings.Trim(code[1:], "0123456789") != "" || name == "" {
		return bad("no code and name")
	}
	p := chess.Initial()
	var key []byte
	for word := range strings.FieldsSeq(line) {
		if _, move, numbered := strings.Cut(word, "."); numbered {
			word = move
		}
		m, err := p.ParseUCI(word)
		if err != nil {
			return bad(err)
		}
		p.Play(m)
		key = appendKey(key, m)
	}
	if len(key) == 0 {
		return bad("no moves")
	}
	if other, ok := b.lines[string(key)]; ok {
		return bad("the moves of " + other.Name)
	}
	plies := len(key) / 2
	b.lines[string(key)] = Opening{code, name, plies}
	b.longest = max(b.longest, plies)
	return nil
}

func appendKey(key []byte, m chess.Move) []byte { return append(key, byte(m>>8), byte(m)) }

// Len is how many openings the book has.
func (b *Book) Len() int { return len(b.lines) }

// Find gives the longest named line that a game from the usual start begins with; ok is false if there is none. Moves that come later than
// any line goes do not matter. It goes by the order of moves, not by positions: a transposition has the name of the line that was played.
func (b *Book) Find(moves []chess.Move) (o Opening, ok bool) {
	var buffer [128]byte
	key := buffer[:0]
	for i := 0; i < len(moves) && i < b.longest; i++ {
		key = appendKey(key, moves[i])
		if longer, named := b.lines[string(key)]; named {
			o, ok = longer, true
		}
	}
	return o, ok
}

// FindUCI is Find for moves as records have them, in UCI. A text that is no move ends the game for it.
func (b *Book) FindUCI(moves []string) (Opening, bool) {
	list := make([]chess.Move, min(len(moves), b.longest))
	for i := range list {
		if list[i].UnmarshalText([]byte(moves[i])) != nil {
			list = list[:i]
			break
		}
	}
	return b.Find(list)
}
