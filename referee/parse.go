package referee

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
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

// maxTime bounds the moments in a record, and the spans between them, so that
// they add up: 36 million years in milliseconds.
const maxTime = Time(1) << 60

func (p *cursor) head(e *Event, start Time) {
	e.Time = start
	if p.lit(`,"t":`) {
		e.Time = start.add(Time(p.positive("t", int64(maxTime))))
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
