package referee

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// MaxLine is the most bytes of a line of a record, its newline not counted.
const MaxLine = 1 << 20

// ErrLine is wrapped by every error of [ParseLine].
var ErrLine = errors.New("referee: not a line of a record")

func badLine(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrLine, fmt.Sprintf(format, args...))
}

// ParseLine reads a line as [AppendLine] writes it, and gives the event and the
// hash of the line before that the line holds. start is the time of the start
// event; it is not needed to read that one. Whatever is accepted gives the same
// bytes when it is appended again. Errors wrap [ErrLine]. The event shares no
// memory with line.
func ParseLine(line []byte, start Time) (Event, [32]byte, error) {
	var e Event
	var prev [32]byte
	if len(line) > MaxLine {
		return e, prev, badLine("longer than %d bytes", MaxLine)
	}
	p := cursor{b: line}
	kind, ok := p.kind()
	if !ok {
		return e, prev, badLine("no kind")
	}
	e.Kind = kind
	exact := false // the parser alone guarantees the same bytes
	var err error
	switch kind {
	case KindStart:
		err = p.start(&e)
	case KindMove, KindSent:
		p.head(&e, start)
		p.move(&e)
		exact = e.X == nil
	default:
		p.head(&e, start)
		err = p.rare(&e)
	}
	if err != nil {
		return e, prev, badLine("%v", err)
	}
	p.prev(&prev)
	if p.bad != "" {
		return e, prev, badLine("%s", p.bad)
	}
	if p.i != len(line) {
		return e, prev, badLine("unexpected %.20q", line[p.i:])
	}
	if !exact {
		again := AppendLine(make([]byte, 0, len(line)+16), &e, start, &prev)
		if !bytes.Equal(again, line) {
			return e, prev, badLine("not written as this library writes it")
		}
	}
	return e, prev, nil
}

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

func (p *cursor) kind() (Kind, bool) {
	if !p.lit(`{"k":"`) {
		return 0, false
	}
	end := bytes.IndexByte(p.b[p.i:], '"')
	if end < 0 || end > 16 {
		return 0, false
	}
	name := string(p.b[p.i : p.i+end])
	p.i += end + 1
	if name == "move" {
		return KindMove, true
	}
	for k, n := range kindNames {
		if n == name {
			return Kind(k), true
		}
	}
	return 0, false
}

func (p *cursor) head(e *Event, start Time) {
	e.Time = start
	if p.lit(`,"t":`) {
		e.Time = start.add(Time(p.number("t")))
	}
	switch e.Kind {
	case KindSent, KindMove, KindFault, KindGone, KindBack, KindClaim, KindSay:
		if !p.lit(`,"s":`) {
			p.fail("no seat")
			return
		}
		e.Seat = p.seat()
	}
}

// number reads a canonical number of 1 or more.
func (p *cursor) number(name string) int64 {
	neg := p.lit("-")
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
		p.fail(name + ": not a canonical number, or zero")
	}
	if neg {
		n = -n
	}
	return n
}

func (p *cursor) positive(name string, most int64) int64 {
	n := p.number(name)
	if n < 1 || n > most {
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

const maxAsk = 1<<31 - 2

func (p *cursor) move(e *Event) {
	if p.lit(`,"ask":`) {
		e.Ask = int32(p.positive("ask", maxAsk))
	}
	if e.Kind == KindSent {
		return
	}
	if !p.lit(`,"a":`) {
		p.fail("no action")
		return
	}
	e.Action = p.action()
	if p.lit(`,"used":`) {
		e.Used = Time(p.positive("used", 1<<53))
	}
	if p.i < len(p.b) && !bytes.HasPrefix(p.b[p.i:], []byte(`,"prev":"`)) {
		p.moveExtra(e)
	}
}

func (p *cursor) moveExtra(e *Event) {
	x := &Extra{}
	e.X = x
	x.Ref = p.lit(`,"ref":true`)
	x.Note = p.text(`,"note":`)
	if p.lit(`,"meta":`) {
		x.Meta = []byte(p.action())
	}
	x.Key = p.text(`,"key":`)
	x.Raw = p.text(`,"raw":`)
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

func (p *cursor) prev(to *[32]byte) {
	if !p.lit(`,"prev":"`) || p.i+45 != len(p.b) || string(p.b[p.i+43:]) != `"}` {
		p.fail("prev: not there, or not at the end")
		return
	}
	if n, err := base64.RawURLEncoding.Strict().Decode(to[:], p.b[p.i:p.i+43]); err != nil || n != 32 {
		p.fail("prev: not base64url of 32 bytes")
		return
	}
	p.i = len(p.b)
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
