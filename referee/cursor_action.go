package referee

import "github.com/matchreferee/arena/game"

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
