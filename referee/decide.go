package referee

import (
	"crypto/sha256"
	"errors"
	"strings"

	"github.com/matchreferee/arena/game"
)

// Answer judges what came for a seat. The verdict counts once Output.Events are
// recorded. The Answer is not kept.
func (m *Match) Answer(now Time, i game.Seat, a *Answer) (Verdict, Output) {
	m.begin(now)
	v := m.judge(i, a)
	m.hide(&v)
	return v, m.output()
}

// hide takes from a verdict the position of its event where information is
// hidden and the match goes on: it would count the moves of others.
func (m *Match) hide(v *Verdict) {
	if m.info.Hidden && m.result == nil {
		v.Event = -1
	}
}

func (m *Match) judge(i game.Seat, a *Answer) Verdict {
	if i < 0 || int(i) >= len(m.seats) {
		return Verdict{Code: Refused, Fault: Internal, Do: DoReject, Event: -1, Detail: "no such seat"}
	}
	s := &m.seats[i]
	if a.Key != "" && len(a.Key) <= MaxKey {
		if k, ok := s.keys[clean(a.Key, MaxKey)]; ok { // as it was recorded
			if k.matches(a.Action) {
				return Verdict{Code: Duplicate, Event: k.event, Strikes: s.strikes}
			}
			return Verdict{Code: KeyReused, Event: k.event, Strikes: s.strikes, Detail: "this key came with another action"}
		}
	}
	arrived := m.last
	if a.Arrived != 0 && a.Arrived < arrived {
		arrived = a.Arrived
	}
	if m.result == nil && arrived >= m.expiry {
		m.expire()
	}
	switch {
	case m.result != nil:
		return Verdict{Code: Over, Event: -1, Strikes: s.strikes}
	case !m.addressed(i, a.To), arrived+1 < s.openAt: // what came before it was open is for another, or a guess; a stamp is rounded up, an arrival down
		return m.stale(i, a)
	case s.late(arrived):
		return m.fault(i, Late, "", arrived, a)
	case a.Fault == Late || a.Fault == Stale || a.Fault >= faultCount:
		return m.fault(i, Internal, "a transport reported "+a.Fault.String(), arrived, nil)
	case a.Fault != NoFault:
		return m.fault(i, a.Fault, a.Detail, arrived, a)
	case len(a.Action) > MaxAction:
		return m.fault(i, Oversized, "", arrived, a)
	case len(a.Key) > MaxKey:
		return m.fault(i, Malformed, "the idempotency key is too long", arrived, a)
	}
	v := Verdict{Code: OK}
	at, err := m.accept(i, a, arrived)
	if err != nil {
		detail := hint(err)
		if m.filter != nil { // it may quote the action
			detail = m.filter(detail)
		}
		return m.fault(i, Illegal, detail, arrived, a)
	}
	v.Event, v.Strikes = at, s.strikes
	return v
}

// accept makes an action that the rules allow the seat's move, and gives the
// position of its event.
func (m *Match) accept(i game.Seat, a *Answer, arrived Time) (at int64, err error) {
	s := &m.seats[i]
	var canon game.Action
	single := m.turn.Mode != game.Joint || m.turn.Seats.Len() == 1
	if single {
		canon, err = m.state.Play(i, a.Action)
	} else {
		canon, err = m.state.Check(i, a.Action)
	}
	if err != nil {
		return 0, err
	}
	m.played = single
	m.events = append(m.events, Event{})
	e := &m.events[len(m.events)-1] // filled in place: to copy what was just written in parts stalls
	e.Kind, e.Seat, e.Ask, e.Time, e.Used, e.Action = KindMove, i, s.ask, m.last, s.charge(arrived), canon
	if a.Note != "" || a.Key != "" || len(a.Meta) > 0 {
		e.X = &Extra{Note: clean(a.Note, MaxNote), Meta: meta(a.Meta), Key: clean(a.Key, MaxKey)}
		if a.Key != "" && canon != a.Action {
			e.X.Raw = digest(a.Action)
		}
	}
	at = m.pos
	m.apply(e)
	m.folded = len(m.events)
	m.settle()
	return at, nil
}

// addressed reports whether a names the request that is open for the seat.
func (m *Match) addressed(i game.Seat, to Address) bool {
	s := &m.seats[i]
	if !m.open.Has(i) || s.openAt > m.last {
		return false
	}
	switch to.By {
	case ByOpen:
		return true
	case ByAsk:
		return to.N == s.ask
	case ByTurn:
		return to.N == s.turnNo
	case ByNth:
		return to.N == s.nth+1
	}
	return false
}

// stale refuses an answer to what is not open. It is noted, never punished.
func (m *Match) stale(i game.Seat, a *Answer) Verdict {
	s := &m.seats[i]
	v := Verdict{Code: WasStale, Fault: Stale, Do: DoReject, Event: -1, Strikes: s.strikes, Detail: "that request is not open"}
	if s.notes < s.info.Policy.notes() {
		v.Event = m.pos
		got := a.To
		if got.By > ByNth {
			got = Address{}
		}
		m.record(Event{Kind: KindFault, Seat: i, Ask: s.ask, X: &Extra{Fault: Stale, Do: DoReject, Got: got}})
	}
	return v
}

// consequence decides what a fault brings, the limit of strikes included.
func (s *seat) consequence(f Fault) Do {
	p := &s.info.Policy
	do := p.of(f)
	if (do == DoStrike || do == DoDefault) && p.Strikes > 0 && s.strikes+1 >= p.Strikes {
		return p.Out
	}
	return do
}

// fault decides a fault of a seat, and what follows. a may be nil.
func (m *Match) fault(i game.Seat, f Fault, detail string, at Time, a *Answer) Verdict {
	s := &m.seats[i]
	detail = clean(detail, MaxDetail)
	do := s.consequence(f)
	if do == DoReject && s.notes >= s.info.Policy.notes() {
		return Verdict{Code: Refused, Fault: f, Do: do, Event: -1, Strikes: s.strikes, Detail: detail}
	}
	e := Event{Kind: KindFault, Seat: i, Ask: s.ask, X: &Extra{Fault: f, Do: do, Detail: detail}}
	if m.open.Has(i) && do != DoReject {
		e.Used = s.charge(at)
	}
	if a != nil {
		e.X.Note, e.X.Meta = clean(a.Note, MaxNote), meta(a.Meta)
	}
	if do == DoDefault && m.open.Has(i) {
		d, ok := m.state.Default(i)
		if !ok {
			e.X.Fault, e.X.Do, e.X.Detail = Internal, DoVoid, "the rules give no default"
		}
		e.Action = d
	}
	v := Verdict{Code: Refused, Fault: e.X.Fault, Do: e.X.Do, Event: m.pos, Detail: detail}
	m.record(e)
	v.Strikes = s.strikes
	m.settle()
	return v
}

// applyFault folds what a fault brought.
func (m *Match) applyFault(e *Event) {
	if e.Seat == game.Host {
		m.ending = &ending{cause: CauseVoid, reason: Internal.String()}
		return
	}
	s, x := &m.seats[e.Seat], e.X
	s.used += e.Used
	if x.Fault == Disconnected && s.gone {
		s.goneAt = e.Time // gone for another while
	}
	switch x.Do {
	case DoReject:
		s.notes++
	case DoStrike:
		if m.open.Has(e.Seat) {
			m.askAgain(e.Seat)
		}
	case DoDefault:
		if e.Action != "" {
			s.nth++
			if m.offer.by != game.Spectator {
				m.offer.moved(e.Seat)
			}
			m.closing(e.Seat)
			m.move(e)
		}
	case DoEliminate:
		m.eliminate(e.Seat)
	case DoForfeit:
		m.lose(CauseForfeit, x.Fault.String(), m.out.With(e.Seat))
	case DoVoid:
		m.ending = &ending{cause: CauseVoid, reason: x.Fault.String()}
	}
	// Counted last: where the rules panicked above, the event is dropped and the end must not tell of it.
	s.faults[x.Fault]++
	if planned := s.info.Policy.of(x.Fault); planned == DoStrike || planned == DoDefault {
		s.strikes++
	}
}

// expire ends the match because its time as a whole is over.
func (m *Match) expire() {
	m.record(m.endEvent(ending{cause: CauseExpiry, reason: "expiry"}))
	m.settle()
}

// Crash voids the match because the host failed: its rules panicked, its Host
// had no answer. It touches nothing of the game. After a panic in a step, what
// that step had decided stands, but for the event that the rules broke in.
func (m *Match) Crash(now Time, detail string) Output {
	if m.inStep {
		m.pos -= int64(len(m.events) - m.folded)
		m.events = m.events[:m.folded]
		m.last = max(m.last, now)
	} else {
		m.begin(now)
	}
	if m.result == nil {
		m.record(Event{Kind: KindFault, Seat: game.Host, X: &Extra{Fault: Internal, Do: DoVoid, Detail: clean(detail, MaxDetail)}})
		m.settle()
	}
	return m.output()
}

func (k keyed) matches(a game.Action) bool {
	if k.raw != "" {
		return k.raw == digest(a)
	}
	return k.action == a
}

// digest tells whether a retry sends the same action again.
func digest(a game.Action) string {
	h := sha256.Sum256([]byte(a))
	return b64(h[:12])
}

// meta keeps what is a canonical JSON object of bounded size.
func meta(b []byte) []byte {
	if len(b) == 0 || len(b) > MaxMeta || b[0] != '{' {
		return nil
	}
	if c, err := game.Canonical(b); err == nil && len(c) <= MaxMeta {
		return []byte(c)
	}
	return nil
}

// hint is what the mover may read of the rules' refusal.
func hint(err error) string {
	s := err.Error()
	if errors.Is(err, game.ErrIllegal) {
		s = strings.TrimPrefix(s, game.ErrIllegal.Error()+": ")
	}
	return s
}
