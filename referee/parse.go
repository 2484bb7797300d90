package referee

import (
	"bytes"
	"errors"
	"fmt"
)

// MaxLine is the most bytes of a line of a record, its newline not counted.
const MaxLine = 1 << 20

// usualLine is more than a start event of two seats has; longer lines cost an allocation.
const usualLine = 1 << 11

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
	switch kind {
	case KindStart:
		p.start(&e)
	case KindMove, KindSent:
		p.head(&e, start)
		p.move(&e)
		exact = e.X == nil
	default:
		p.head(&e, start)
		p.rare(&e)
	}
	at := p.i
	p.hash(`,"prev":"`, &prev)
	switch {
	case p.bad != "":
		return e, prev, badLine("%s, before or at %.20q", p.bad, line[min(at, len(line)):])
	case !p.lit("}") || p.i != len(line):
		return e, prev, badLine("unexpected %.20q", line[p.i:])
	}
	if !exact {
		var buf [usualLine]byte
		if !bytes.Equal(AppendLine(buf[:0], &e, start, &prev), line) {
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

func (p *cursor) head(e *Event, start Time) {
	e.Time = start.add(Time(p.positive(`,"t":`)))
	switch e.Kind {
	case KindSent, KindMove, KindFault, KindGone, KindBack, KindClaim, KindSay:
		if p.must(`,"s":`) {
			e.Seat = p.seat()
		}
	}
}

func (p *cursor) move(e *Event) {
	e.Ask = p.ask()
	if e.Kind == KindSent || !p.must(`,"a":`) {
		return
	}
	e.Action = p.action()
	e.Used = p.used()
	if p.bad == "" && !bytes.HasPrefix(p.b[p.i:], []byte(`,"prev":"`)) {
		p.moveExtra(e)
	}
}

func (p *cursor) moveExtra(e *Event) {
	x := &Extra{}
	e.X = x
	x.Ref = p.member(`,"ref":true`)
	x.Note = p.text(`,"note":`)
	if p.member(`,"meta":`) {
		x.Meta = []byte(p.action())
	}
	x.Key = p.text(`,"key":`)
	x.Raw = p.text(`,"raw":`)
}
