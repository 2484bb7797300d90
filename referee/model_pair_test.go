package referee_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// operation is one thing that happens to a match.
type operation struct {
	what   string // start tick answer sent gone back claim rule say host abort crash
	now    referee.Time
	seat   game.Seat
	ask    int32
	answer referee.Answer
	claim  referee.Claim
	ruling referee.Ruling
	id     int64
	action game.Action
	cut    int // crash: events of the last batch that are lost
}

func (o operation) String() string {
	return fmt.Sprintf("%s at %d seat %d ask %d %+v claim %v ruling %+v id %d %s cut %d", o.what, o.now-epoch, o.seat, o.ask, o.answer, o.claim, o.ruling, o.id, o.action, o.cut)
}

// subject is a match under test, with its record.
type subject struct {
	setup   referee.Setup
	m       *referee.Match
	chain   chain
	events  []referee.Event
	batch   int // how many events the last step recorded
	open    game.SeatSet
	effects []referee.Effect
	verdict referee.Verdict
	due     referee.Time
	ok      bool
}

// do makes an operation happen to the match.
func (s *subject) do(op operation) error {
	var o referee.Output
	var err error
	s.verdict, s.due, s.ok = referee.Verdict{}, 0, true
	switch op.what {
	case "start":
		if s.m, err = referee.New(s.setup); err != nil {
			return err
		}
		o = s.m.Start(op.now)
	case "tick":
		o = s.m.Tick(op.now)
		if _, over := s.m.Result(); !over && s.m.Wake() <= op.now {
			return fmt.Errorf("after a tick at %d it wants to be woken at %d", op.now-epoch, s.m.Wake()-epoch)
		}
	case "answer":
		a := op.answer
		s.verdict, o = s.m.Answer(op.now, op.seat, &a)
		s.verdict.Detail = ""
	case "sent":
		s.due, s.ok, o = s.m.Sent(op.now, op.seat, op.ask)
	case "gone":
		o = s.m.Gone(op.now, op.seat, "away")
	case "back":
		o = s.m.Back(op.now, op.seat)
	case "claim":
		o, err = s.m.Claim(op.now, op.seat, op.claim)
	case "rule":
		o, err = s.m.Rule(op.now, op.ruling)
	case "say":
		o, err = s.m.Say(op.now, op.seat, 0, "hm")
	case "host":
		o = s.m.HostAnswer(op.now, op.id, op.action)
	case "abort":
		o = s.m.Crash(op.now, "host")
	case "crash":
		n := len(s.events) - op.cut
		s.chain = chain{start: s.chain.start, lines: s.chain.lines[:n]}
		s.events, s.chain.prev = s.events[:n], referee.LeafHash(s.chain.lines[n-1])
		if s.m, err = referee.Resume(s.setup, s.chain.events); err != nil {
			return err
		}
		o = s.m.Resumed(op.now)
	}
	if err != nil {
		if !errors.Is(err, referee.ErrClaim) && !errors.Is(err, referee.ErrRuling) && !errors.Is(err, referee.ErrOver) {
			return err
		}
		s.ok = false
	}
	for i := range o.Events {
		s.chain.add(&o.Events[i])
		s.events = append(s.events, o.Events[i])
	}
	s.batch, s.open, s.effects = len(o.Events), o.Open, slices.Clone(o.Effects)
	return nil
}

// pair is a match and its model.
type pair struct {
	subject
	model *model
}

func newPair(s referee.Setup) *pair {
	return &pair{subject: subject{setup: s}, model: &model{
		setup: s, shown: map[game.Seat]int32{}, warned: map[game.Seat]int32{}, asked: map[int64]bool{},
	}}
}

// do makes an operation happen to both, and gives the first difference.
func (p *pair) do(op operation) error {
	m := p.model
	shown := maps.Clone(m.shown)
	var verdict referee.Verdict
	var due referee.Time
	ok := true
	if err := p.subject.do(op); err != nil {
		return err
	}
	switch op.what {
	case "start":
		m.start(op.now)
	case "tick":
		m.tick(op.now)
	case "answer":
		verdict = m.answer(op.now, op.seat, op.answer)
	case "sent":
		due, ok = m.sent(op.now, op.seat, op.ask)
	case "gone":
		m.gone(op.now, op.seat)
	case "back":
		m.back(op.now, op.seat)
	case "claim":
		ok = m.claim(op.now, op.seat, op.claim)
	case "rule":
		ok = m.rule(op.now, op.ruling)
	case "say":
		ok = m.say(op.now, op.seat)
	case "host":
		m.host(op.now, op.id, op.action)
	case "abort":
		if m.begin(op.now).end == nil {
			m.record(entry{kind: referee.KindFault, seat: game.Host, fault: referee.Internal, do: referee.DoVoid})
		}
	case "crash":
		m.crash(op.now, len(m.history)-op.cut)
		shown = map[game.Seat]int32{}
	}
	open := m.finish()
	if diff := cmp.Diff(historyText(m), eventsText(p.events)); diff != "" {
		return fmt.Errorf("the record (-model +match)\n%s", diff)
	}
	if p.verdict != verdict {
		return fmt.Errorf("the verdict\n%+v, the model's\n%+v", p.verdict, verdict)
	}
	if p.due != due || p.ok != ok {
		return fmt.Errorf("deadline %d ok %v, the model's %d %v", p.due, p.ok, due, ok)
	}
	if p.open != open {
		return fmt.Errorf("told of requests of %b, the model of %b", p.open, open)
	}
	if diff := cmp.Diff(slices.Sorted(slices.Values(m.told)), effectsText(p.effects)); diff != "" {
		return fmt.Errorf("effects (-model +match)\n%s", diff)
	}
	if err := p.checkClosed(shown, op, verdict); err != nil {
		return err
	}
	return p.compare(m.world(), p.subject.m)
}

// checkClosed: a request that somebody was told of and that is open no more was answered, judged, or told to be closed; once.
func (p *pair) checkClosed(shown map[game.Seat]int32, op operation, v referee.Verdict) error {
	w := p.model.world()
	closed := map[game.Seat]bool{}
	for _, e := range p.effects {
		if e.Kind == referee.EffectClosed {
			if closed[e.Seat] || shown[e.Seat] != e.Ask || w.seats[e.Seat].request != nil && w.seats[e.Seat].ask == e.Ask {
				return fmt.Errorf("told that request %d of seat %d closed: before %v", e.Ask, e.Seat, shown)
			}
			closed[e.Seat] = true
		}
	}
	for s, ask := range shown {
		c := &w.seats[s]
		heard := closed[s] || op.what == "answer" && op.seat == s && (v.Code == referee.OK || v.Code == referee.Refused && v.Do != referee.DoReject)
		for _, e := range p.effects {
			heard = heard || e.Kind == referee.EffectJudged && e.Seat == s && e.Ask == ask
		}
		if gone := c.request == nil || c.ask != ask; gone && !heard {
			return fmt.Errorf("request %d of seat %d went without a word", ask, s)
		} else if gone {
			delete(p.model.shown, s)
			if c.request != nil && p.open.Has(s) {
				p.model.shown[s] = c.ask
			}
		}
	}
	return nil
}

// compare compares what can be seen of a match with the model.
func (p *pair) compare(w *world, m *referee.Match) error {
	for i := range w.seats {
		c, s := &w.seats[i], game.Seat(i)
		r, open := m.Open(s)
		if want := w.answers(s, referee.Address{}); open != want {
			return fmt.Errorf("seat %d: request open %v, the model's %v", s, open, want)
		}
		if !open {
			continue
		}
		got := fmt.Sprintf("ask %d turn %d nth %d strikes %d deadline %d phase %s", r.Ask, r.Turn, r.Nth, r.Strikes, r.Deadline, r.Phase)
		want := fmt.Sprintf("ask %d turn %d nth %d strikes %d deadline %d phase %s", c.ask, c.request.turn, c.nth+1, c.strikes, max(0, c.deadline()), w.state.Turn().Phase)
		if got != want {
			return fmt.Errorf("seat %d: %s, the model's %s", s, got, want)
		}
		if r.Deadline != 0 && r.Limit <= 0 {
			return fmt.Errorf("seat %d: a deadline and a limit of %v", s, r.Limit)
		}
		if diff := cmp.Diff(w.state.View(s), r.View(), cmp.AllowUnexported(game.Opt[game.Seat]{})); diff != "" || !slices.Equal(w.state.Legal(nil, s), r.Legal(nil)) {
			return fmt.Errorf("seat %d sees (-model +match)\n%s%v, the model %v", s, diff, r.Legal(nil), w.state.Legal(nil, s))
		}
	}
	if list := w.appointments(); w.m.now == p.model.now && m == p.subject.m {
		wake := referee.Time(1<<63 - 1)
		if len(list) > 0 {
			wake = list[0].at
		}
		if m.Wake() != wake {
			return fmt.Errorf("wake at %d, the model's %d (%+v)", m.Wake()-epoch, wake-epoch, list)
		}
	}
	r, over := m.Result()
	if over != (w.end != nil) {
		return fmt.Errorf("over %v, the model's %v", over, w.end != nil)
	}
	if !over {
		return nil
	}
	want := &referee.Result{Cause: w.end.cause, Reason: w.end.reason, By: w.end.by}
	if o := w.end.outcome; o != nil {
		want.Returns, want.Scores, want.Places = o.Returns, o.Scores, o.Places()
	}
	for i, c := range w.seats {
		want.Seats = append(want.Seats, referee.SeatResult{
			Strikes: c.strikes, Faults: c.faults, Out: c.out || w.end.out.Has(game.Seat(i)), Used: c.used, Moves: int(c.nth),
		})
	}
	if diff := cmp.Diff(want, r); diff != "" {
		return fmt.Errorf("the result (-model +match)\n%s", diff)
	}
	return nil
}

// historyText and eventsText write the model's history and the match's events alike.
func historyText(m *model) (list []string) {
	w := &world{}
	for i, e := range m.history {
		used, key := e.used, e.key
		switch e.kind {
		case referee.KindEnd:
			m := *m
			m.history = m.history[:i]
			w = m.world()
			list = append(list, endText(e.at, e.end.cause, e.end.reason, e.end.outcome, w))
			continue
		case referee.KindClaim:
			key = e.claim.String()
		case referee.KindRule:
			key = e.ruling.What.String() + e.ruling.By + e.ruling.Reason
		}
		list = append(list, fmt.Sprintf("%d %v s%d ask %d %q used %d key %q ref %v %v %v", e.at-epoch, e.kind, e.seat, e.ask, e.action, used, key, e.ref, e.fault, e.do))
	}
	return list
}

func endText(at referee.Time, cause referee.Cause, reason string, o *game.Outcome, w *world) string {
	var returns, places, scores any = []float64(nil), []int(nil), []int64(nil)
	if o != nil {
		returns, places, scores = o.Returns, o.Places(), o.Scores
	}
	var strikes []int
	var faults [][11]int
	for _, c := range w.seats {
		strikes, faults = append(strikes, c.strikes), append(faults, c.faults)
	}
	if slices.Max(strikes) == 0 {
		strikes = nil
	}
	if !slices.ContainsFunc(faults, func(f [11]int) bool { return f != [11]int{} }) {
		faults = nil
	}
	return fmt.Sprint(at-epoch, " end ", cause, reason, returns, places, scores, strikes, faults)
}

func eventsText(events []referee.Event) (list []string) {
	for _, e := range events {
		x := e.X
		if x == nil {
			x = new(referee.Extra)
		}
		key := x.Key
		switch e.Kind {
		case referee.KindEnd:
			end := x.End
			list = append(list, fmt.Sprint(e.Time-epoch, " end ", end.Cause, end.Reason, end.Ret, end.Places, end.Scores, end.Strikes, end.Faults))
			continue
		case referee.KindClaim:
			key = x.Claim.String()
		case referee.KindRule:
			key = x.Rule.String() + x.By + x.Reason
		}
		list = append(list, fmt.Sprintf("%d %v s%d ask %d %q used %d key %q ref %v %v %v", e.Time-epoch, e.Kind, e.Seat, e.Ask, e.Action, e.Used, key, x.Ref, x.Fault, x.Do))
	}
	return list
}

// effectsText writes effects as the model tells them, but for closed requests.
func effectsText(effects []referee.Effect) (list []string) {
	for _, e := range effects {
		switch e.Kind {
		case referee.EffectWarned:
			list = append(list, fmt.Sprintf("warned %d %d", e.Seat, e.Ask))
		case referee.EffectJudged:
			v := e.Verdict
			list = append(list, fmt.Sprintf("judged %d %d %v %v %d %d", e.Seat, e.Ask, v.Fault, v.Do, v.Event, v.Strikes))
		case referee.EffectAsked:
			list = append(list, fmt.Sprintf("asked %d", e.HostAsk.ID))
		case referee.EffectSaid:
			list = append(list, fmt.Sprintf("said %d", e.Seat))
		case referee.EffectLimit:
			list = append(list, "limit")
		case referee.EffectEnded:
			list = append(list, "ended")
		}
	}
	slices.Sort(list)
	return list
}
