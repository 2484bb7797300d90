package referee

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
)

// cursor reads members in the order in which AppendLine writes them; bad holds
// the first complaint, after which what is read means nothing.
type cursor struct {
	b     []byte
	i     int
	first bool // in an object of which nothing has been read: its first member has no comma before it
	bad   string
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

// member consumes the beginning of a member, comma and name, if it comes next.
func (p *cursor) member(s string) bool {
	if p.first {
		s = s[1:]
	}
	if !p.lit(s) {
		return false
	}
	p.first = false
	return true
}

// must is member where nothing else may come.
func (p *cursor) must(s string) bool {
	if p.member(s) {
		return true
	}
	p.fail("no " + memberName(s))
	return false
}

// memberName is the name in the beginning of a member.
func memberName(s string) string { return strings.Trim(s, `,":[{`) }

// key is member for a name that stands in a table.
func (p *cursor) key(name string) bool {
	i := p.i
	if (p.first || p.lit(",")) && p.lit(`"`) && p.lit(name) && p.lit(`":`) {
		p.first = false
		return true
	}
	p.i = i
	return false
}

func (p *cursor) open() {
	if !p.lit("{") {
		p.fail("not an object")
	}
	p.first = true
}

func (p *cursor) close() {
	if !p.lit("}") {
		p.fail("an object holds something unknown, or its members in another order")
	}
	p.first = false
}

// more tells whether a list goes on after n items, of which there are never more than seats.
func (p *cursor) more(n int) bool {
	switch {
	case p.bad != "" || p.lit("]"):
		return false
	case n == game.MaxSeats:
		p.fail("a list of more than 64")
		return false
	case n > 0 && !p.lit(","):
		p.fail("a list does not go on")
		return false
	}
	return true
}

func (p *cursor) seat() game.Seat {
	switch {
	case p.lit(`"chance"`):
		return game.Chance
	case p.lit(`"host"`):
		return game.Host
	}
	n := p.signed()
	if n < 0 || n >= game.MaxSeats {
		p.fail("s: no seat")
		return 0
	}
	return game.Seat(n)
}

// text reads a string member, "" where it is not there.
func (p *cursor) text(name string) string {
	if !p.member(name) {
		return ""
	}
	return p.string()
}

func (p *cursor) string() string {
	if !p.lit(`"`) {
		p.fail("not a string")
		return ""
	}
	from := p.i
	for i := from; i < len(p.b); i++ {
		c := p.b[i]
		if c == '"' {
			p.i = i + 1
			return string(p.b[from:i])
		}
		if c < ' ' || c >= 0x7f || c == '\\' {
			break
		}
	}
	end := valueEnd(p.b, from-1)
	var s string
	if end < 0 || json.Unmarshal(p.b[from-1:end], &s) != nil {
		p.fail("not a string")
		return ""
	}
	p.i = end
	return s
}

// named reads one of the names of a table.
func named[T ~uint8](p *cursor, to *T, names []string, kind string) {
	for i, n := range names {
		if rest := p.b[p.i:]; len(rest) > len(n)+1 && rest[0] == '"' && rest[len(n)+1] == '"' && string(rest[1:len(n)+1]) == n {
			*to = T(i)
			p.i += len(n) + 2
			return
		}
	}
	p.fail("unknown " + kind)
}

// hash reads 32 bytes of base64url without padding, and the closing quote.
func (p *cursor) hash(name string, to *[32]byte) {
	if !p.must(name) {
		return
	}
	if p.i+44 > len(p.b) || !parseB64(to, p.b[p.i:p.i+43]) || p.b[p.i+43] != '"' {
		p.fail(memberName(name) + ": not base64url of 32 bytes")
		return
	}
	p.i += 44
}

// float reads a number.
func (p *cursor) float() float64 {
	from := p.i
	for p.i < len(p.b) {
		switch c := p.b[p.i]; {
		case c >= '0' && c <= '9', c == '-', c == '+', c == '.', c == 'e':
			p.i++
			continue
		}
		break
	}
	span := p.b[from:p.i]
	if len(span) == 1 && span[0] >= '0' {
		return float64(span[0] - '0')
	}
	f, err := strconv.ParseFloat(string(span), 64)
	if err != nil {
		p.fail("not a number")
	}
	return f
}
