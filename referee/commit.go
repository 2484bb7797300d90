package referee

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// recorder turns events into the chained lines of a log.
type recorder struct {
	log    Log
	seal   func(int64, [][32]byte) ([]byte, error)
	at     int64
	start  Time
	prev   [32]byte
	leaves [][32]byte // kept where there is a seal
	sealed bool
	buf    []byte
	ends   []int
	lines  [][]byte
}

// init readies the recorder for a log, with the memory it has.
func (r *recorder) init(log Log, seal func(int64, [][32]byte) ([]byte, error)) {
	*r = recorder{log: log, seal: seal, leaves: r.leaves[:0], buf: r.buf[:0], ends: r.ends[:0], lines: r.lines[:0]}
	if log != nil && r.buf == nil {
		r.buf, r.ends, r.lines = make([]byte, 0, 1024), make([]int, 0, 3), make([][]byte, 0, 3)
	}
}

// append records a batch.
func (r *recorder) append(ctx context.Context, events []Event) error {
	if r.log == nil || len(events) == 0 {
		return nil
	}
	r.buf, r.ends, r.lines = r.buf[:0], r.ends[:0], r.lines[:0]
	for i := range events {
		e := &events[i]
		if e.Kind == KindStart {
			r.start = e.Time
		}
		from := len(r.buf)
		r.buf = append(r.buf, 0) // the prefix of a leaf, so that the hash needs no copy
		r.buf = AppendLine(r.buf, e, r.start, &r.prev)
		if len(r.buf)-from-1 > MaxLine {
			return fmt.Errorf("referee: a line of %d bytes", len(r.buf)-from-1)
		}
		r.prev = leafHash(r.buf[from:])
		if r.seal != nil {
			r.leaves = append(r.leaves, r.prev)
		}
		r.ends = append(r.ends, len(r.buf))
	}
	from := 0
	for _, end := range r.ends {
		r.lines = append(r.lines, r.buf[from+1:end])
		from = end
	}
	if err := r.log.Append(ctx, r.at, r.lines); err != nil {
		return fmt.Errorf("referee: recording: %w", err)
	}
	r.at += int64(len(events))
	return nil
}

// load reads the chain of a log that has count events.
func (r *recorder) load(ctx context.Context, count int64) error {
	if r.log == nil {
		return nil
	}
	for line, err := range r.log.Read(ctx, 0) {
		if err != nil {
			return fmt.Errorf("referee: reading the log: %w", err)
		}
		if r.at == count {
			if IsSeal(line) {
				r.sealed = true
				continue
			}
			return fmt.Errorf("%w: it has more than %d lines", ErrFenced, count)
		}
		if r.at == 0 {
			e, _, err := ParseLine(line, 0)
			if err != nil {
				return err
			}
			r.start = e.Time
		}
		r.prev = LeafHash(line)
		if r.seal != nil {
			r.leaves = append(r.leaves, r.prev)
		}
		r.at++
	}
	if r.at != count {
		return fmt.Errorf("%w: it has %d lines, not %d", ErrFenced, r.at, count)
	}
	return nil
}

// finish adds the seal.
func (r *recorder) finish(ctx context.Context) error {
	if r.log == nil || r.seal == nil || r.sealed {
		return nil
	}
	line, err := r.seal(r.at, r.leaves)
	if err != nil {
		return fmt.Errorf("referee: sealing: %w", err)
	}
	if err := r.log.Append(ctx, r.at, [][]byte{line}); err != nil {
		return fmt.Errorf("referee: recording the seal: %w", err)
	}
	r.sealed = true
	return nil
}

// commit records a batch, then lets it have its effects.
func (l *Live) commit(o Output) {
	if l.err != nil {
		return
	}
	if err := l.record.append(l.ctx, o.Events); err != nil {
		l.err = err
		return
	}
	if l.c.Observe != nil {
		for i := range o.Events {
			l.c.Observe(l.m.s.ID, &o.Events[i])
		}
	}
	if l.c.Opened != nil {
		for s := range o.Open.All() {
			l.c.Opened(l.m.s.ID, s, l.m.seats[s].ask)
		}
	}
	if l.onlyInline() && len(o.Effects) == 0 {
		if l.watch.any.Load() && len(o.Events) > 0 {
			stepped := l.visiblyStepped()
			l.watch.recorded(l, stepped || o.Events[0].Kind == KindStart)
		}
		return // nobody to tell
	}
	l.tellLater(&o)
}

// tellLater queues the notices of a batch. Where the rules panic at it, the
// match is void.
func (l *Live) tellLater(o *Output) {
	defer func() {
		if p := recover(); p != nil {
			l.commit(l.m.Crash(l.time(), fmt.Sprint("panic: ", p)))
		}
	}()
	if len(o.Events) > 0 {
		for i := range l.seats {
			l.seats[i].closeStale(l.m)
		}
	}
	for i := range o.Effects {
		e := &o.Effects[i]
		switch e.Kind {
		case EffectClosed:
			l.post(e.Seat, Notice{Kind: Closed, Ask: e.Ask})
		case EffectWarned:
			l.post(e.Seat, Notice{Kind: Warned, Ask: e.Ask})
		case EffectJudged:
			l.post(e.Seat, Notice{Kind: Judged, Ask: e.Ask, Verdict: e.Verdict})
		case EffectAsked:
			l.askHost(e.HostAsk)
		case EffectLimit:
			l.askRuler()
		case EffectSaid:
			to := e.To
			if to == 0 {
				to = game.FirstSeats(len(l.seats))
			}
			for s := range to.Without(e.Seat).All() {
				l.post(s, Notice{Kind: Said, From: e.Seat, Text: e.Text})
			}
		}
	}
	stepped := l.visiblyStepped()
	if stepped {
		for i := range l.seats {
			l.post(game.Seat(i), Notice{Kind: Stepped})
		}
	}
	for s := range o.Open.All() {
		if !l.inline.Has(s) {
			r := l.m.request(s)
			r.state = r.state.Clone()
			l.seats[s].open(l.ctx, r.Ask)
			l.post(s, Notice{Kind: Opened, Ask: r.Ask, Request: &r})
		}
	}
	if len(o.Events) == 0 {
		return
	}
	if r, over := l.m.Result(); over {
		stepped = true
		for i := range l.seats {
			l.post(game.Seat(i), Notice{Kind: Ended, Result: r})
		}
	}
	l.watch.recorded(l, stepped || o.Events[0].Kind == KindStart)
}

// visiblyStepped reports whether the position changed since the last call in a
// way that everybody may know of: where information is hidden, only what a
// spectator sees tells, for that somebody moved unseen, and when, is a secret too.
func (l *Live) visiblyStepped() bool {
	if l.steps == l.m.steps {
		return false
	}
	l.steps = l.m.steps
	if !l.m.info.Hidden {
		return true
	}
	face := l.face()
	if face == l.before {
		return false
	}
	l.before = face
	return true
}

// face is what a spectator sees, as text.
func (l *Live) face() (text string) {
	defer func() {
		if recover() != nil {
			text = l.m.turn.Phase
		}
	}()
	view, _ := json.Marshal(l.m.state.View(game.Spectator))
	return l.m.turn.Phase + "\n" + string(view)
}

// post queues a notice; inline players are told nothing.
func (l *Live) post(s game.Seat, n Notice) {
	if !l.inline.Has(s) {
		l.queue = append(l.queue, notice{s, n})
	}
}

// tell gives the queued notices to their players, outside the lock; false:
// there were none.
func (l *Live) tell() bool {
	if len(l.queue) == 0 {
		return false
	}
	q := l.queue
	l.queue = l.spare[:0]
	<-l.lock
	var trouble any
	for i := range q {
		if p := l.tellOne(&q[i]); p != nil {
			trouble = p
		}
		q[i] = notice{}
	}
	l.lock <- struct{}{}
	l.spare = q
	if trouble != nil && l.err == nil {
		l.commit(l.m.Crash(l.time(), fmt.Sprint("a player panicked: ", trouble)))
	}
	return true
}

func (l *Live) tellOne(n *notice) (trouble any) {
	defer func() { trouble = recover() }()
	l.ps[n.seat].Tell(&l.seats[n.seat], n.Notice)
	return nil
}

// askHost has the host answer a question of the rules.
func (l *Live) askHost(a game.Ask) {
	l.spawn(func() {
		answer, err := l.hostAnswer(a)
		if l.ctx.Err() != nil {
			return
		}
		l.do(l.ctx, func(now Time) (Output, error) {
			if err != nil {
				return l.m.Crash(now, "host: "+err.Error()), nil
			}
			return l.m.HostAnswer(now, a.ID, answer), nil
		})
	})
}

func (l *Live) hostAnswer(a game.Ask) (_ game.Action, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if l.c.Host == nil {
		return "", fmt.Errorf("the rules ask for %q and there is no Host", a.Kind)
	}
	return l.c.Host.Answer(l.ctx, a)
}

// askRuler has the host rule on a match that has gone on too long.
func (l *Live) askRuler() {
	draw := Ruling{What: RuleDraw, By: "referee", Reason: "max_steps"}
	ruler, ok := l.c.Host.(Ruler)
	if !ok {
		l.spawn(func() { l.do(l.ctx, func(now Time) (Output, error) { return l.m.Rule(now, draw) }) })
		return
	}
	view := l.m.state.View(game.Spectator)
	l.spawn(func() {
		r, err := ruling(l.ctx, ruler, view)
		l.do(l.ctx, func(now Time) (Output, error) {
			if err == nil {
				if o, err := l.m.Rule(now, r); err == nil {
					return o, nil
				}
			}
			return l.m.Rule(now, draw)
		})
	})
}

func ruling(ctx context.Context, ruler Ruler, view any) (_ Ruling, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return ruler.Rule(ctx, view)
}
