package game

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/matchreferee/arena/internal/jsontext"
)

// position is a typed state behind an interface without types. The turn is the caller's to know: it is kept beside.
type position interface {
	turn() Turn
	legal(dst []Action, seat Seat) []Action
	check(seat Seat, a Action) (Action, error)
	play(seat Seat, a Action, next *Turn) (Action, error)
	apply(Step) error
	view(Seat) any
	outcome() Outcome
	forfeit(SeatSet) (Outcome, bool)
	clone() position
	set(position) bool
	defaultOf(Seat) (Action, bool)
	chance(*rand.Rand) (Action, bool)
	asks() []Ask
	form(Seat) json.RawMessage
	text(Action) string
	parse(Seat, string) (Action, error)
	board(Seat) (string, bool)
	svg([]byte, Seat) ([]byte, bool)
	notation() (string, bool)
	resample(Seat, *rand.Rand) (position, bool)
	dump() string
}

// pos is the position of one state. Its reading methods write nothing, so that they may run at the same time.
type pos[S any, A comparable] struct {
	core *core[S, A]
	s    S
	buf  []Move[A] // of apply and play, which only the owner calls
}

func (p *pos[S, A]) turn() Turn { return p.core.Turn(&p.s) }

func (p *pos[S, A]) legal(dst []Action, seat Seat) []Action {
	moves, list := p.list(seat)
	dst = p.core.codec.appendListed(dst, moves)
	p.core.release(list, len(moves))
	return dst
}

// list gives the rules' legal moves in memory that release takes back.
func (p *pos[S, A]) list(seat Seat) ([]A, *[]A) {
	list := p.core.lists.Get().(*[]A)
	return p.core.Legal((*list)[:0], &p.s, seat), list
}

// judge decodes an action of an acting seat and decides whether it is legal.
func (p *pos[S, A]) judge(seat Seat, text Action) (A, Action, error) {
	a, canonical, err := p.core.codec.decode(text)
	if err != nil {
		return a, "", fmt.Errorf("%w: %w", ErrIllegal, err)
	}
	if p.core.checker != nil {
		checked, err := p.core.checker.Check(&p.s, seat, a)
		if err != nil {
			return a, "", illegal(err)
		}
		if checked != a {
			if canonical, err = marshalMove(checked); err != nil {
				return a, "", fmt.Errorf("%w: %w", ErrIllegal, err)
			}
		}
		return checked, canonical, nil
	}
	if !p.isListed(seat, a) {
		return a, "", fmt.Errorf("%w: %s is not among the legal moves: %s", ErrIllegal, jsontext.Quote(string(canonical)), p.hint(seat, nil))
	}
	return a, canonical, nil
}

func (p *pos[S, A]) isListed(seat Seat, a A) bool {
	moves, list := p.list(seat)
	found := slices.Contains(moves, a)
	p.core.release(list, len(moves))
	return found
}

func illegal(err error) error {
	if errors.Is(err, ErrIllegal) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrIllegal, err)
}

// hint names the first legal moves of seat, as actions or as texts.
func (p *pos[S, A]) hint(seat Seat, text func(A) string) string {
	const most = 16
	moves := p.core.Legal(nil, &p.s, seat)
	var b strings.Builder
	for i, a := range moves {
		if i == most || b.Len() > 512 {
			fmt.Fprintf(&b, ", and %d more", len(moves)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		if text != nil {
			b.WriteString(text(a))
		} else {
			b.WriteString(string(p.core.codec.own(a)))
		}
	}
	if len(moves) == 0 {
		return "none is listed"
	}
	return b.String()
}

func (p *pos[S, A]) check(seat Seat, a Action) (Action, error) {
	_, canonical, err := p.judge(seat, a)
	return canonical, err
}

func (p *pos[S, A]) play(seat Seat, text Action, next *Turn) (Action, error) {
	a, canonical, err := p.judge(seat, text)
	if err != nil {
		return "", err
	}
	p.buf = append(p.buf[:0], Move[A]{seat, a})
	p.core.Apply(&p.s, p.buf)
	*next = p.core.Turn(&p.s)
	return canonical, nil
}

func (p *pos[S, A]) apply(step Step) error {
	p.buf = p.buf[:0]
	for _, m := range step {
		a, canonical, err := p.judge(m.Seat, m.Action)
		if err != nil {
			return fmt.Errorf("seat %s: %w", m.Seat, err)
		}
		if canonical != m.Action {
			return fmt.Errorf("seat %s: %w: %s is recorded as %s", m.Seat, ErrIllegal, jsontext.Quote(string(m.Action)), jsontext.Quote(string(canonical)))
		}
		p.buf = append(p.buf, Move[A]{m.Seat, a})
	}
	p.core.Apply(&p.s, p.buf)
	return nil
}

func (p *pos[S, A]) view(seat Seat) any { return p.core.View(&p.s, seat) }
func (p *pos[S, A]) outcome() Outcome   { return p.core.Outcome(&p.s) }
func (p *pos[S, A]) dump() string       { return dumpState(&p.s) }
func (p *pos[S, A]) clone() position    { return &pos[S, A]{core: p.core, s: p.core.copyState(&p.s)} }
func (p *pos[S, A]) typed() S           { return p.core.copyState(&p.s) }

func (p *pos[S, A]) set(from position) bool {
	q, ok := from.(*pos[S, A])
	if !ok || q == p {
		return ok
	}
	p.core = q.core
	if p.core.cloner != nil {
		p.s = p.core.cloner.Clone(&q.s)
	} else {
		p.s = q.s
	}
	return true
}

func (p *pos[S, A]) forfeit(out SeatSet) (Outcome, bool) {
	if p.core.forfeiter == nil {
		return Outcome{}, false
	}
	return p.core.forfeiter.Forfeit(&p.s, out), true
}

func (p *pos[S, A]) defaultOf(seat Seat) (Action, bool) {
	if p.core.defaulter == nil {
		return "", false
	}
	return p.core.codec.own(p.core.defaulter.Default(&p.s, seat)), true
}

// chance draws Chance's move: by the rules' odds, else all listed ones equally. The draw of a listed one takes one
// 64-bit word u and is number floor(u * n / 2^64), the same on every machine.
func (p *pos[S, A]) chance(r *rand.Rand) (Action, bool) {
	if p.core.chancer != nil {
		return p.core.codec.own(p.core.chancer.Chance(&p.s, r)), true
	}
	moves, list := p.list(Chance)
	defer p.core.release(list, len(moves))
	if len(moves) == 0 {
		return "", false
	}
	i, _ := bits.Mul64(r.Uint64(), uint64(len(moves)))
	return p.core.codec.listed(moves[i]), true
}

func (p *pos[S, A]) asks() []Ask {
	if p.core.asker == nil {
		return nil
	}
	return p.core.asker.Asks(nil, &p.s)
}

func (p *pos[S, A]) form(seat Seat) json.RawMessage {
	if p.core.former == nil {
		return nil
	}
	return p.core.former.Form(&p.s, seat)
}

func (p *pos[S, A]) board(seat Seat) (string, bool) {
	if p.core.boarder == nil {
		return "", false
	}
	return p.core.boarder.Board(&p.s, seat), true
}

func (p *pos[S, A]) svg(dst []byte, seat Seat) ([]byte, bool) {
	if p.core.drawer == nil {
		return dst, false
	}
	return p.core.drawer.SVG(dst, &p.s, seat), true
}

func (p *pos[S, A]) notation() (string, bool) {
	if p.core.positioner == nil {
		return "", false
	}
	return p.core.positioner.Position(&p.s), true
}

func (p *pos[S, A]) resample(seat Seat, r *rand.Rand) (position, bool) {
	if p.core.resampler == nil {
		return nil, false
	}
	return &pos[S, A]{core: p.core, s: p.core.resampler.Resample(&p.s, seat, r)}, true
}
