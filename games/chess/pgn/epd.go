package pgn

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/games/chess"
)

// Bounds of an EPD.
const (
	MaxLine       = 4096 // bytes
	MaxOperations = 64
	MaxOperands   = 256 // of one operation
)

// ErrEPD is wrapped by every error of ParseEPD.
var ErrEPD = errors.New("pgn: bad EPD")

// EPD is a position with operations that say something about it.
type EPD struct {
	Position   chess.Position // with the counters that hmvc and fmvn give, else 0 and 1
	Operations []Operation    // in the order of their opcodes; hmvc and fmvn are not among them
}

// Operation is an opcode and its operands.
type Operation struct {
	Opcode   string // a letter, then up to fourteen letters, digits and underscores
	Operands []Operand
}

// Operand is a word, or a text in quotes.
type Operand struct {
	Text   string
	Quoted bool
}

// Opcodes with a meaning here. Operands of all others are anything.
const (
	opHalfmove = "hmvc" // the halfmove clock: one number
	opFullmove = "fmvn" // the move number: one number
	opID       = "id"   // a name: one text
	opBest     = "bm"   // the best moves, in SAN
	opAvoid    = "am"   // moves to avoid, in SAN
	opPlayed   = "sm"   // the move that was played, in SAN
)

// ID gives the operand of the operation id; "" if there is none.
func (e *EPD) ID() string {
	for _, o := range e.Operations {
		if o.Opcode == opID && len(o.Operands) > 0 {
			return o.Operands[0].Text
		}
	}
	return ""
}

// Moves gives the moves that are the operands of an operation: bm, am or sm. All are legal. It is nil for other opcodes.
func (e *EPD) Moves(opcode string) []chess.Move {
	var out []chess.Move
	for _, o := range e.Operations {
		if o.Opcode != opcode || !movesOf(opcode) {
			continue
		}
		for _, operand := range o.Operands {
			m, err := e.Position.ParseSAN(operand.Text)
			if err != nil {
				return nil
			}
			out = append(out, m)
		}
	}
	return out
}

func movesOf(opcode string) bool { return opcode == opBest || opcode == opAvoid || opcode == opPlayed }

// ParseEPD reads a line: four fields as [chess.ParseFEN] takes them, then operations, each ended by a semicolon, no opcode twice. Moves of bm, am and sm are
// legal, id has one text, hmvc and fmvn one number. Errors wrap ErrEPD.
func ParseEPD(line string) (EPD, error) {
	var e EPD
	bad := func(format string, args ...any) (EPD, error) {
		return EPD{}, fmt.Errorf("%w: "+format, append([]any{ErrEPD}, args...)...)
	}
	if len(line) > MaxLine {
		return bad("over %d bytes", MaxLine)
	}
	if !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' }) {
		return bad("not a line of UTF-8")
	}
	rest := line
	var fields [4]string
	for i := range fields {
		fields[i], rest = blank(rest)
		if fields[i] == "" {
			return bad("%d of 4 fields", i)
		}
	}
	counters := map[string]string{opHalfmove: "0", opFullmove: "1"}
	seen := map[string]bool{}
	for rest = strings.TrimLeft(rest, " \t"); rest != ""; rest = strings.TrimLeft(rest, " \t") {
		o, after, err := parseOperation(rest)
		if err != nil {
			return bad("column %d: %w", utf8.RuneCountInString(line[:len(line)-len(rest)])+1, err)
		}
		rest = after
		if seen[o.Opcode] {
			return bad("%s stands twice", o.Opcode)
		}
		seen[o.Opcode] = true
		if len(seen) > MaxOperations {
			return bad("over %d operations", MaxOperations)
		}
		one := len(o.Operands) == 1
		switch {
		case o.Opcode == opHalfmove || o.Opcode == opFullmove:
			if !one {
				return bad("%s has one number", o.Opcode)
			}
			counters[o.Opcode] = o.Operands[0].Text
			continue
		case o.Opcode == opID && !one:
			return bad("id has one text")
		}
		e.Operations = append(e.Operations, o)
	}
	var err error
	if e.Position, err = chess.ParseFEN(strings.Join(append(fields[:], counters[opHalfmove], counters[opFullmove]), " ")); err != nil {
		return bad("%w", err)
	}
	for _, o := range e.Operations {
		if !movesOf(o.Opcode) {
			continue
		}
		for _, operand := range o.Operands {
			if _, err := e.Position.ParseSAN(operand.Text); err != nil {
				return bad("%s: %w", o.Opcode, err)
			}
		}
	}
	slices.SortFunc(e.Operations, func(a, b Operation) int { return strings.Compare(a.Opcode, b.Opcode) })
	if n := len(e.String()); n > MaxLine { // with the spaces that it lacks
		return bad("%d bytes when written in full, over %d", n, MaxLine)
	}
	return e, nil
}

// blank splits the first word off.
func blank(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// parseOperation reads an operation and the semicolon behind it.
func parseOperation(s string) (o Operation, rest string, err error) {
	n := strings.IndexFunc(s, func(r rune) bool { return !nameRune(r) })
	if n < 0 {
		n = len(s)
	}
	o.Opcode = s[:n]
	if n == 0 || n > 15 || s[0] == '_' || s[0] <= '9' {
		return o, "", errors.New("no opcode")
	}
	for s = s[n:]; ; {
		trimmed := strings.TrimLeft(s, " \t")
		spaced := len(trimmed) < len(s)
		s = trimmed
		switch {
		case s == "":
			return o, "", fmt.Errorf("%s is not ended by a semicolon", o.Opcode)
		case s[0] == ';':
			return o, s[1:], nil
		case !spaced:
			return o, "", fmt.Errorf("no space between the operands of %s", o.Opcode)
		case len(o.Operands) == MaxOperands:
			return o, "", fmt.Errorf("%s has over %d operands", o.Opcode, MaxOperands)
		case s[0] == '"':
			i := strings.IndexByte(s[1:], '"')
			if i < 0 {
				return o, "", fmt.Errorf("a text of %s has no end", o.Opcode)
			}
			o.Operands = append(o.Operands, Operand{s[1 : 1+i], true})
			s = s[i+2:]
		default:
			i := strings.IndexAny(s, " \t;\"")
			if i < 0 {
				i = len(s)
			}
			o.Operands = append(o.Operands, Operand{s[:i], false})
			s = s[i:]
		}
	}
}

// String writes the EPD on a line, with hmvc and fmvn where they are not 0 and 1. What ParseEPD gave, or would give, it reads back.
func (e *EPD) String() string {
	fields := strings.Fields(e.Position.FEN())
	list := slices.Clone(e.Operations)
	if n := e.Position.HalfmoveClock(); n != 0 {
		list = append(list, Operation{opHalfmove, []Operand{{strconv.Itoa(n), false}}})
	}
	if n := e.Position.FullmoveNumber(); n != 1 {
		list = append(list, Operation{opFullmove, []Operand{{strconv.Itoa(n), false}}})
	}
	slices.SortFunc(list, func(a, b Operation) int { return strings.Compare(a.Opcode, b.Opcode) })
	b := []byte(strings.Join(fields[:4], " "))
	for _, o := range list {
		b = append(append(b, ' '), o.Opcode...)
		for _, operand := range o.Operands {
			if operand.Quoted {
				b = append(append(append(b, ` "`...), operand.Text...), '"')
			} else {
				b = append(append(b, ' '), operand.Text...)
			}
		}
		b = append(b, ';')
	}
	return string(b)
}
