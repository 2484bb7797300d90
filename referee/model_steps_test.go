package referee_test

import (
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// The steps of the model. Each begins with begin, and ends with end.

func (m *model) begin(now referee.Time) *world {
	m.now = max(m.now, now)
	m.told, m.paused = nil, map[game.Seat]int32{}
	return m.world()
}

// record adds to the history, and then what follows of necessity.
func (m *model) record(e entry) {
	e.at = m.now
	m.history = append(m.history, e)
	for {
		w := m.world()
		next := w.follows()
		if next == nil {
			m.tellHost(w)
			break
		}
		next.at = m.now
		m.history = append(m.history, *next)
	}
}

// tellHost tells what the host is to do, or that all is over.
func (m *model) tellHost(w *world) {
	switch {
	case w.end != nil:
		m.tell("ended")
	case w.limitAt != none:
		if !m.limited {
			m.tell("limit")
		}
		m.limited = true
	default:
		for _, a := range w.state.Asks() {
			if !m.asked[a.ID] {
				m.tell("asked %d", a.ID)
			}
			m.asked[a.ID] = true
		}
	}
}

// follows is the event that must come next, whatever anybody does.
func (w *world) follows() *entry {
	turn := w.state.Turn()
	end := func(e *ending) *entry { return &entry{kind: referee.KindEnd, end: e} }
	switch {
	case w.end != nil:
		return nil
	case w.decided != nil:
		return end(w.decided)
	case turn.Over():
		o := w.state.Outcome()
		return end(&ending{cause: referee.CausePlay, reason: o.Reason, outcome: &o})
	case w.steps >= w.m.setup.Table.Info().MaxSteps:
		return end(&ending{cause: referee.CauseVoid, reason: "rules_max_steps"})
	case w.limitAt != none:
		return nil
	case turn.Chance:
		a, _ := w.state.Chance(w.m.setup.Secret)
		return &entry{kind: referee.KindMove, seat: game.Chance, action: a}
	}
	for s := range turn.Seats.All() {
		if _, in := w.sealed[s]; w.seats[s].out && !in {
			a, _ := w.state.Default(s)
			return &entry{kind: referee.KindMove, seat: s, action: a, ref: true}
		}
	}
	return nil
}

func (m *model) start(now referee.Time) {
	m.begin(now)
	m.record(entry{kind: referee.KindStart})
}

// crash forgets all but the first n events, and goes on from there.
func (m *model) crash(now referee.Time, n int) {
	m.history = m.history[:n]
	m.now = m.history[n-1].at
	m.begin(now)
	m.shown, m.warned, m.asked, m.limited = map[game.Seat]int32{}, map[game.Seat]int32{}, map[int64]bool{}, false
	if m.world().end == nil {
		m.record(entry{kind: referee.KindResume})
	}
}

func (m *model) answer(now referee.Time, s game.Seat, a referee.Answer) referee.Verdict {
	return m.spoken(m.judge(now, s, a))
}

// spoken is what a seat hears of a verdict: while information is hidden, not where its event stands.
func (m *model) spoken(v referee.Verdict) referee.Verdict {
	if m.setup.Table.Info().Hidden && m.world().end == nil {
		v.Event = -1
	}
	return v
}

func (m *model) judge(now referee.Time, s game.Seat, a referee.Answer) referee.Verdict {
	w := m.begin(now)
	c := &w.seats[s]
	for i, e := range m.history {
		if a.Key != "" && e.kind == referee.KindMove && e.seat == s && e.key == plain(a.Key) {
			code := referee.KeyReused
			if e.sentAs == a.Action {
				code = referee.Duplicate
			}
			return referee.Verdict{Code: code, Event: int64(i), Strikes: c.strikes}
		}
	}
	arrived := m.now
	if a.Arrived != 0 {
		arrived = min(arrived, a.Arrived)
	}
	if x := w.expiry(); w.end == nil && x != none && arrived >= x {
		m.record(entry{kind: referee.KindEnd, end: &ending{cause: referee.CauseExpiry, reason: "expiry"}})
		w = m.world()
	}
	switch {
	case w.end != nil:
		return referee.Verdict{Code: referee.Over, Event: -1, Strikes: c.strikes}
	case !w.answers(s, a.To), arrived+1 < c.request.opens:
		v := referee.Verdict{Code: referee.WasStale, Fault: referee.Stale, Do: referee.DoReject, Event: -1, Strikes: c.strikes}
		if c.notes < notes(c.info.Policy) {
			v.Event = int64(len(m.history))
			m.record(entry{kind: referee.KindFault, seat: s, ask: c.ask, fault: referee.Stale, do: referee.DoReject})
		}
		return v
	case c.late(arrived):
		return m.fault(s, referee.Late, arrived)
	case a.Fault == referee.Late || a.Fault == referee.Stale:
		return m.fault(s, referee.Internal, arrived)
	case a.Fault != referee.NoFault:
		return m.fault(s, a.Fault, arrived)
	case len(a.Action) > referee.MaxAction:
		return m.fault(s, referee.Oversized, arrived)
	case len(a.Key) > referee.MaxKey:
		return m.fault(s, referee.Malformed, arrived)
	}
	canonical, err := w.state.Check(s, a.Action)
	if err != nil {
		return m.fault(s, referee.Illegal, arrived)
	}
	v := referee.Verdict{Code: referee.OK, Event: int64(len(m.history)), Strikes: c.strikes}
	m.record(entry{kind: referee.KindMove, seat: s, ask: c.ask, used: c.thought(arrived), action: canonical, sentAs: a.Action, key: plain(a.Key)})
	return v
}

// plain is a key as the record has it: control characters replaced.
func plain(key string) string { return strings.ReplaceAll(key, "\x00", "\uFFFD") }

func notes(p referee.Policy) int {
	if p.Notes == 0 {
		return 16
	}
	return p.Notes
}

// answers tells whether an answer of that address is for the request that is open for s.
func (w *world) answers(s game.Seat, to referee.Address) bool {
	c := &w.seats[s]
	if c.request == nil || c.request.opens > w.m.now {
		return false
	}
	return to.By == referee.ByOpen || to.By == referee.ByAsk && to.N == c.ask || to.By == referee.ByTurn && to.N == c.request.turn || to.By == referee.ByNth && to.N == c.nth+1
}

func (m *model) fault(s game.Seat, f referee.Fault, at referee.Time) referee.Verdict {
	w := m.world()
	c := &w.seats[s]
	do := planned(c.info.Policy, f)
	if most := c.info.Policy.Strikes; most > 0 && (do == referee.DoStrike || do == referee.DoDefault) && c.strikes == most-1 {
		do = c.info.Policy.Out
	}
	v := referee.Verdict{Code: referee.Refused, Fault: f, Do: do, Event: int64(len(m.history)), Strikes: c.strikes}
	if do == referee.DoReject && c.notes >= notes(c.info.Policy) {
		v.Event = -1
		return v
	}
	e := entry{kind: referee.KindFault, seat: s, ask: c.ask, fault: f, do: do}
	if do != referee.DoReject {
		e.used = c.thought(at)
	}
	if do == referee.DoDefault && c.request != nil {
		e.action, _ = w.state.Default(s)
	}
	m.record(e)
	v.Strikes = m.world().seats[s].strikes
	return v
}

func (m *model) sent(now referee.Time, s game.Seat, ask int32) (referee.Time, bool) {
	w := m.begin(now)
	c := &w.seats[s]
	if x := w.expiry(); w.end != nil || !w.answers(s, referee.Address{By: referee.ByAsk, N: ask}) || x != none && m.now >= x {
		return 0, false
	}
	if c.info.Clock.Starts == referee.AtSent && c.request.sent == none {
		m.record(entry{kind: referee.KindSent, seat: s, ask: ask})
		c = &m.world().seats[s]
	}
	return max(0, c.deadline()), true
}

func (m *model) gone(now referee.Time, s game.Seat) {
	w := m.begin(now)
	if c := &w.seats[s]; w.end == nil && !c.gone && c.gones < 16 {
		m.record(entry{kind: referee.KindGone, seat: s})
	}
}

func (m *model) back(now referee.Time, s game.Seat) {
	w := m.begin(now)
	if at := w.goneUntil(s); at != none && m.now >= at {
		m.judged(s, referee.Disconnected)
		w = m.world()
	}
	if c := &w.seats[s]; w.end == nil && c.gone {
		m.record(entry{kind: referee.KindBack, seat: s})
	}
}

func (m *model) claim(now referee.Time, s game.Seat, c referee.Claim) (ok bool) {
	w := m.begin(now)
	me := &w.seats[s]
	inPlay := 0
	for i := range w.seats {
		if !w.seats[i].out {
			inPlay++
		}
	}
	offered := w.offer != game.Spectator
	switch {
	case w.end != nil, me.out:
		return false
	case c == referee.OfferDraw && (offered || me.offeredNth == me.nth || inPlay == 1):
		return false
	case (c == referee.AcceptDraw || c == referee.DeclineDraw) && (!offered || w.offer == s):
		return false
	case c == referee.AcceptDraw && w.yes.Has(s):
		return false
	}
	m.record(entry{kind: referee.KindClaim, seat: s, claim: c})
	return true
}

func (m *model) rule(now referee.Time, r referee.Ruling) (ok bool) {
	if m.begin(now).end != nil {
		return false
	}
	m.record(entry{kind: referee.KindRule, ruling: r})
	return true
}

func (m *model) say(now referee.Time, s game.Seat) (ok bool) {
	w := m.begin(now)
	if w.end != nil || w.seats[s].says >= 64 {
		return false
	}
	m.record(entry{kind: referee.KindSay, seat: s})
	m.tell("said %d", s)
	return true
}

func (m *model) host(now referee.Time, id int64, a game.Action) {
	w := m.begin(now)
	for _, ask := range w.state.Asks() {
		if ask.ID != id || w.end != nil {
			continue
		}
		if canonical, err := w.state.Check(game.Host, a); err == nil {
			m.record(entry{kind: referee.KindMove, seat: game.Host, action: canonical})
		} else {
			m.record(entry{kind: referee.KindFault, seat: game.Host, fault: referee.Internal, do: referee.DoVoid})
		}
		return
	}
}
