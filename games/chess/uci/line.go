package uci

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/internal/jsontext"
)

// Bounds of what is kept of a line.
const (
	maxPV    = 16 // moves
	maxName  = 256
	maxRunes = 64 // of a name or an author
)

// word splits the first word off a line.
func word(line string) (first, rest string) {
	line = strings.TrimSpace(line)
	i := strings.IndexAny(line, " \t")
	if i < 0 {
		return line, ""
	}
	return line[:i], strings.TrimSpace(line[i:])
}

// label makes what an engine says of itself fit for the name of a [referee.Agent]: printable, and at most 64 code points.
func label(s string) string {
	s = printable(s)
	n := 0
	for i := range s {
		if n++; n > maxRunes {
			return strings.TrimSpace(s[:i])
		}
	}
	return s
}

// printable puts U+FFFD for control characters, line breaks and what is no text, so that a terminal shows no more than letters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// moveLike reports whether s has the form of a move in UCI's long algebraic notation, 0000 (no move) included. A promotion may be in upper
// case, as some engines have it: whether that counts the referee says.
func moveLike(s string) bool {
	if s == "0000" {
		return true
	}
	if len(s) != 4 && len(s) != 5 {
		return false
	}
	for i := range 4 {
		if low := [...]byte{'a', '1'}[i%2]; s[i] < low || s[i] > low+7 {
			return false
		}
	}
	return len(s) == 4 || strings.IndexByte("qrbnQRBN", s[4]) >= 0
}

// bestMove reads what follows the word bestmove. The move to ponder on is not looked at.
func bestMove(rest string) (move string, ok bool) {
	move, _ = word(rest)
	return move, moveLike(move)
}

// info is what an engine tells of its search: the last value of each.
type info struct {
	nodes           int64
	scored          bool
	depth, selDepth int    // of the score
	mate            bool   // score counts moves to the mate, else centipawns; from the view of the engine
	bound           string // "lower", "upper", or "" if the score is exact
	score           int
	pv              []string // at most maxPV moves
}

// read takes up what follows the word info. What does not make sense is left out, and so are lines about other than the best variation.
func (x *info) read(rest string) {
	words := strings.Fields(rest)
	var y info
	for i := 0; i < len(words); i++ {
		number := func() (n int64, ok bool) {
			if i+1 >= len(words) {
				return 0, false
			}
			n, err := strconv.ParseInt(words[i+1], 10, 64)
			if err != nil {
				return 0, false
			}
			i++
			return n, true
		}
		switch words[i] {
		case "multipv":
			if n, ok := number(); ok && n != 1 {
				return
			}
		case "depth":
			if n, ok := number(); ok {
				y.depth = int(clamp(n, 0, MaxDepth))
			}
		case "seldepth":
			if n, ok := number(); ok {
				y.selDepth = int(clamp(n, 0, MaxDepth))
			}
		case "nodes":
			if n, ok := number(); ok {
				y.nodes = clamp(n, 0, 1<<53)
			}
		case "cp", "mate":
			mate := words[i] == "mate"
			if i == 0 || words[i-1] != "score" {
				continue
			}
			if n, ok := number(); ok {
				y.scored, y.mate, y.score = true, mate, int(clamp(n, -1_000_000, 1_000_000))
			}
		case "lowerbound", "upperbound":
			y.bound = words[i][:5]
		case "pv":
			for _, m := range words[i+1:] {
				if len(y.pv) == maxPV || !moveLike(m) {
					break
				}
				y.pv = append(y.pv, strings.Clone(m)) // the line is not kept
				i++
			}
		case "string", "refutation", "currline":
			i = len(words) // the rest is text, or moves that are not the best
		}
	}
	if y.nodes > 0 {
		x.nodes = y.nodes
	}
	if y.scored {
		x.depth, x.selDepth = y.depth, y.selDepth
		x.scored, x.mate, x.bound, x.score = true, y.mate, y.bound, y.score
	}
	if y.pv != nil {
		x.pv = y.pv
	}
}

func clamp(n, low, high int64) int64 { return max(low, min(n, high)) }

// meta gives an answer's figures: an object in canonical JSON with those of bound, cp or mate, depth, nodes, pv, seldepth that are known; nil
// where none is. The times that an engine tells are left out, so that the same search makes the same record.
func (x *info) meta() []byte {
	b := []byte{'{'}
	name := func(s string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(jsontext.AppendString(b, s), ':')
	}
	number := func(s string, n int64) {
		name(s)
		b = strconv.AppendInt(b, n, 10)
	}
	if x.scored && x.bound != "" {
		name("bound")
		b = jsontext.AppendString(b, x.bound)
	}
	if x.scored && !x.mate {
		number("cp", int64(x.score))
	}
	if x.depth > 0 {
		number("depth", int64(x.depth))
	}
	if x.scored && x.mate {
		number("mate", int64(x.score))
	}
	if x.nodes > 0 {
		number("nodes", x.nodes)
	}
	if len(x.pv) > 0 {
		name("pv")
		b = jsontext.AppendString(b, strings.Join(x.pv, " "))
	}
	if x.selDepth > 0 {
		number("seldepth", int64(x.selDepth))
	}
	if len(b) == 1 {
		return nil
	}
	return append(b, '}')
}
