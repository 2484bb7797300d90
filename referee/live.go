package referee

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
)

// ErrStopped says that nobody plays the match here: Run has not begun, or has
// returned with an error.
var ErrStopped = errors.New("referee: the match is not running here")

// Live is one match while it is played. It has no goroutines but those of Run, of
// [Seat.Go] and of its Host's answers, all of which end before Run returns. Safe for
// concurrent use.
type Live struct {
	m  *Match
	ps []Player
	c  Config

	lock   chan struct{} // a channel, so that waiting for it can end and stands still in virtual time
	seats  []Seat
	inline game.SeatSet // seats whose player is Inline
	alone  bool         // nobody else is told of anything
	record recorder
	queue  []notice // to be told by Run, in order
	spare  []notice
	reqs   []Request // of inline players, by seat; a new list each match, for players may keep them
	tries  int       // answers in vain of an inline player to one request,
	tried  asked     // this one
	stuck  []asked   // requests that inline players are asked no more
	err    error     // the store's
	ctx    context.Context
	before string    // what a spectator saw of a game with hidden information
	steps  int       // likewise
	began  time.Time // Run did, by the monotonic clock
	wall   Time      // and by the wall's
	driver

	mu      sync.Mutex // of what follows; nothing blocks under it
	inbox   []*submission
	running bool // Run has begun
	closed  bool // and is ending, or has returned
	wg      sync.WaitGroup
	nudge   chan struct{}
	watch   watchers
}

type notice struct {
	seat game.Seat
	Notice
}

// NewLive seats the players. There must be one for each seat of the match.
func NewLive(m *Match, ps []Player, c Config) (*Live, error) {
	l := &Live{lock: make(chan struct{}, 1), nudge: make(chan struct{}, 1)}
	if err := l.init(m, ps, c); err != nil {
		return nil, err
	}
	return l, nil
}

// init readies l for a match; it has been used for none, or for one with inline
// players alone.
func (l *Live) init(m *Match, ps []Player, c Config) error {
	if len(ps) != len(m.seats) {
		return fmt.Errorf("referee: %d players for %d seats", len(ps), len(m.seats))
	}
	l.m, l.c, l.inline = m, c, 0
	l.ps = append(l.ps[:0], ps...)
	for i, p := range ps {
		if p == nil {
			return fmt.Errorf("referee: seat %d has no player", i)
		}
		if _, ok := p.(Inline); ok {
			l.inline = l.inline.With(game.Seat(i))
		}
	}
	l.reqs = nil
	if l.inline != 0 {
		l.reqs = make([]Request, len(ps))
		const few = 8 // actions to list; more allocate
		listed := make([]game.Action, few*len(ps))
		for i := range l.reqs {
			l.reqs[i].filter, l.reqs[i].listed = c.Filter, listed[few*i:few*i:few*(i+1)]
		}
	}
	l.seats = slices.Grow(l.seats[:0], len(ps))[:len(ps)]
	for i := range l.seats {
		l.seats[i] = Seat{live: l, num: game.Seat(i)}
	}
	l.record.init(m.ID(), c.Log, c.Seal)
	l.alone = l.onlyInline() && c.Observe == nil && c.Opened == nil && c.Ended == nil
	m.unseen, m.filter = c.Log == nil && c.Observe == nil, c.Filter
	l.tries, l.stuck, l.err, l.ctx, l.steps, l.before, l.driver = 0, nil, nil, nil, 0, "", driver{}
	l.closed, l.running = false, false
	return nil
}

// onlyInline reports whether nobody but inline players is seated: they hold
// nothing of the match.
func (l *Live) onlyInline() bool { return l.inline == game.FirstSeats(len(l.seats)) }

// Seat gives the mailbox of a seat.
func (l *Live) Seat(s game.Seat) *Seat { return &l.seats[s] }

// time gives the match's time. Arrivals and timers go by it.
func (l *Live) time() Time {
	t, _ := l.times()
	return t
}

// stamp is when something that happens now is recorded to have happened: a
// part of a millisecond counts whole. So no clock starts before it should, and
// no answer has less time than was announced.
func (l *Live) stamp() Time {
	_, t := l.times()
	return t
}

func (l *Live) times() (time, stamp Time) {
	if l.c.Now != nil {
		now := l.c.Now()
		return now, now
	}
	return l.since()
}

func (l *Live) since() (floor, ceiling Time) {
	d := time.Since(l.began)
	floor = l.wall + Time(d/time.Millisecond)
	if d%time.Millisecond != 0 {
		return floor, floor + 1
	}
	return floor, floor
}

// Run plays the match to its end, or goes on with a resumed one; players of one
// that has ended are told so. When the
// context ends, the log fails ([ErrFenced] among others), or the log cannot be
// read, it returns an error and the match stays resumable from its log. Run is
// called once.
func (l *Live) Run(ctx context.Context) (*Result, error) {
	cancel := func() {}
	if !l.onlyInline() || l.c.Host != nil {
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
	}
	if err := l.begin(ctx); err != nil {
		return nil, err
	}
	for l.err == nil && ctx.Err() == nil {
		l.playInline(ctx, math.MaxInt)
		if l.tell() {
			continue
		}
		if l.m.result != nil || l.err != nil || ctx.Err() != nil {
			break
		}
		l.wait(ctx)
	}
	return l.finish(ctx, cancel)
}

// begin takes the lock, which finish gives back.
func (l *Live) begin(ctx context.Context) error {
	l.lock <- struct{}{}
	if l.running {
		<-l.lock
		return errors.New("referee: Run is called once")
	}
	l.busy = true
	if l.c.Now == nil {
		l.began = time.Now()
		l.wall = max(Time(l.began.UnixMilli()), l.m.last) // where the wall ran back, the match goes on from where it was
	}
	l.ctx = ctx
	if l.m.pos > 0 {
		if err := l.record.load(ctx, l.m.pos); err != nil {
			l.watch.close()
			<-l.lock
			return err
		}
	}
	l.mu.Lock()
	l.running = true
	l.mu.Unlock()
	if !l.onlyInline() {
		for i := range l.seats {
			l.post(game.Seat(i), Notice{Kind: Seated})
		}
	}
	if l.m.result != nil {
		l.tellEnd() // who recorded the end may have stopped before it could
		return nil
	}
	l.steps = l.m.steps
	l.commit(l.safely(func() Output {
		if l.m.pos == 0 {
			return l.m.Start(l.stamp())
		}
		return l.m.Resumed(l.stamp())
	}))
	if l.m.info.Hidden && (!l.onlyInline() || l.watch.any.Load()) {
		l.before = l.face() // what is unseen shows nobody anything, from the first move on
	}
	return nil
}

// finish tells the end, seals, and lets every goroutine end.
func (l *Live) finish(ctx context.Context, cancel func()) (*Result, error) {
	r, over := l.m.Result()
	if over && l.err == nil {
		l.err = l.record.finish(ctx)
	}
	err := l.err
	if cause := context.Cause(ctx); cause != nil && (err == nil && !over || err != nil && errors.Is(err, ctx.Err())) {
		err = cause
		l.err = fmt.Errorf("%w: %w", ErrStopped, err)
	}
	l.drain()
	l.tell()
	cancel()
	for i := range l.seats {
		l.seats[i].close()
	}
	l.watch.close()
	l.mu.Lock()
	l.closed = true
	l.mu.Unlock()
	<-l.lock
	l.wg.Wait()
	l.lock <- struct{}{}
	l.drain()
	<-l.lock
	if err != nil {
		return nil, err
	}
	return r, nil
}

// Rule ends the match by the host's word; see [Match.Rule]. It waits for a slow log.
// The error may also be ErrStopped, or the log's.
func (l *Live) Rule(r Ruling) error {
	return l.do(context.Background(), func(now Time) (Output, error) { return l.m.Rule(now, r) })
}

// ID gives the match's id.
func (l *Live) ID() string { return l.m.s.ID }
