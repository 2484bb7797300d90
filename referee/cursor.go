package referee

import (
	"encoding/json"

	"github.com/matchreferee/arena/game"
)

// cursor reads members in their fixed order; bad holds the first complaint.
type cursor struct {
	b   []byte
	i   int
	bad string
}

func (p *cursor) fail(what string) {
	if p.bad == "" {
		p.bad = what
	}
}

// lit consumes a literal if it comes next.
func (p *cursor) lit(s string) bool {
	if p.i+len(s) <= len(p.b) && string(p.b[p.i:p.i+len(s)]) == s {
		p.i += len(s)
		return true
	}
	return false
}

// positive reads a canonical number from 1 to most, which has at most 18 digits.
func (p *cursor) positive(name string, most int64) int64 {
	from, n := p.i, int64(0)
	for p.i < len(p.b) && p.b[p.i] >= '0' && p.b[p.i] <= '9' {
		if p.i-from > 17 {
			p.fail(name + ": too large")
			return 0
		}
		n = n*10 + int64(p.b[p.i]-'0')
		p.i++
	}
	if from == p.i || p.b[from] == '0' {
		p.fail(name + ": not a canonical number above zero")
		return 0
	}
	if n > most {
		p.fail(name + ": out of range")
		return 0
	}
	return n
}

func (p *cursor) seat() game.Seat {
	switch {
	case p.lit(`"chance"`):
		return game.Chance
	case p.lit(`"host"`):
		return game.Host
	case p.lit("0"):
		return 0
	}
	return game.Seat(p.positive("s", 63))
}

// action reads one canonical JSON value.
func (p *cursor) action() game.Action {
	from := p.i
	// The common cases: a small number, a string without escapes.
	for p.i < len(p.b) && p.b[p.i] >= '0' && p.b[p.i] <= '9' {
		p.i++
	}
	if n := p.i - from; n > 0 && n < 16 && (n == 1 || p.b[from] != '0') && p.i < len(p.b) && p.b[p.i] == ',' {
		return intern(p.b[from:p.i])
	}
	p.i = from
	end := valueEnd(p.b, from)
	if end < 0 {
		p.fail("a: no JSON value")
		return ""
	}
	p.i = end
	if simpleString(p.b[from:end]) {
		return game.Action(p.b[from:end])
	}
	a, err := game.Canonical(p.b[from:end])
	if err != nil || string(a) != string(p.b[from:end]) {
		p.fail("a: not canonical JSON")
	}
	return a
}

const digits = "0123456789101112131415"

// intern gives small numbers without allocating.
func intern(b []byte) game.Action {
	switch {
	case len(b) == 1:
		return game.Action(digits[b[0]-'0' : b[0]-'0'+1])
	case len(b) == 2 && b[0] == '1' && b[1] <= '5':
		i := 10 + 2*int(b[1]-'0')
		return game.Action(digits[i : i+2])
	}
	return game.Action(b)
}

func simpleString(b []byte) bool {
	if len(b) < 2 || b[0] != '"' {
		return false
	}
	for _, c := range b[1 : len(b)-1] {
		if c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return b[len(b)-1] == '"'
}

// valueEnd gives where the JSON value that begins at i ends, judging brackets
// and strings alone; -1 where it does not.
func valueEnd(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
			if i >= len(b) {
				return -1
			}
			i++
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
			if depth < 0 {
				return i
			}
		case ',':
			if depth == 0 {
				return i
			}
		}
		i++
	}
	return -1
}

// text reads a string member, "" where it is not there.
func (p *cursor) text(name string) string {
	if !p.lit(name) {
		return ""
	}
	end := valueEnd(p.b, p.i)
	if end < 0 {
		p.fail("a string does not end")
		return ""
	}
	var s string
	if json.Unmarshal(p.b[p.i:end], &s) != nil {
		p.fail("not a string")
	}
	p.i = end
	return s
}
