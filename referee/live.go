package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
)

// ErrStopped says that nobody plays the match here: Run has not begun, or has
// returned with an error.
var ErrStopped = errors.New("referee: the match is not running here")

// Config is what a match needs of its host. The zero value plays without a
// record, by the wall clock.
type Config struct {
	Log  Log  // nil: no record
	Host Host // nil: a game that asks the host is void
	// Now gives the time. nil: the wall clock when Run begins, plus what the
	// monotonic clock has counted since. A constant makes two runs of the same
	// seeds byte-identical. Safe for concurrent use.
	Now func() Time
	// Seal makes the line that follows the end event, from the number of lines
	// and their leaf hashes, which it must not keep; replay.Sealer gives one. nil: none.
	Seal func(count int64, leaves [][32]byte) ([]byte, error)
	// Observe is told of each event of a match once it is recorded, in order,
	// while the match stands still: it must be quick, call nothing of the match,
	// and keep nothing of the event. nil: nobody is told.
	Observe func(match string, e *Event)
	// Opened is told of each request once it is open, under the same terms.
	Opened func(match string, s game.Seat, ask int32)
	// Filter sees every text of an agent (notes, what is said) before it is
	// recorded. It must be quick. nil: text stays as it is.
	Filter func(string) string
}

// Ruler is an optional interface of a [Host]: it rules when Setup.MaxSteps is
// reached. view is the public view of the position. An error means a draw.
type Ruler interface {
	Rule(ctx context.Context, view any) (Ruling, error)
}

// Live is one match at play. It has no goroutines but those of Run, of
// [Seat.Go] and of its Host's answers, all of which end before Run returns.
type Live struct {
	m  *Match
	ps []Player
	c  Config

	lock   chan struct{} // a channel, so that waiting for it can end and stands still in virtual time
	seats  []Seat
	inline game.SeatSet // seats whose player is Inline
	record recorder
	queue  []notice // to be told by Run, in order
	spare  []notice
	req    Request // of the inline player being asked
	tries  int     // rejected answers of an inline player to one request
	err    error   // the store's
	ctx    context.Context
	before string    // what a spectator saw of a game with hidden information
	steps  int       // likewise
	began  time.Time // Run did, by the monotonic clock
	wall   Time      // and by the wall's

	mu      sync.Mutex // of what follows; nothing blocks under it
	inbox   []*submission
	closed  bool // Run has returned, or not begun
	running bool
	wg      sync.WaitGroup
	nudge   chan struct{}
	watch   watchers
}

type notice struct {
	seat game.Seat
	Notice
}

// submission is an answer on its way to judgement.
type submission struct {
	seat    game.Seat
	answer  Answer
	verdict Verdict
	err     error
	done    chan struct{}
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
	l.seats = slices.Grow(l.seats[:0], len(ps))[:len(ps)]
	for i := range l.seats {
		l.seats[i] = Seat{live: l, num: game.Seat(i)}
	}
	l.record.init(c.Log, c.Seal)
	l.tries, l.err, l.ctx, l.steps, l.before = 0, nil, nil, 0, ""
	l.closed, l.running = false, false
	return nil
}

// onlyInline reports whether nobody but inline players is seated: they hold
// nothing of the match.
func (l *Live) onlyInline() bool { return l.inline == game.FirstSeats(len(l.seats)) }

// Seat gives the mailbox of a seat.
func (l *Live) Seat(s game.Seat) *Seat { return &l.seats[s] }

// time gives the match's time.
func (l *Live) time() Time {
	if l.c.Now != nil {
		return l.c.Now()
	}
	return l.wall + Time(time.Since(l.began)/time.Millisecond)
}

// Run plays the match to its end, or goes on with a resumed one. When the
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
		l.playInline(ctx)
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
	if l.m.result != nil {
		return nil
	}
	if !l.onlyInline() {
		for i := range l.seats {
			l.post(game.Seat(i), Notice{Kind: Seated})
		}
	}
	l.steps = l.m.steps
	l.commit(l.safely(func() Output {
		if l.m.pos == 0 {
			return l.m.Start(l.time())
		}
		return l.m.Resumed(l.time())
	}))
	return nil
}

// safely runs a step of the match; when the rules panic, that match is void.
func (l *Live) safely(f func() Output) (o Output) {
	defer func() {
		if p := recover(); p != nil {
			o = l.m.Crash(l.time(), fmt.Sprint("panic: ", p))
		}
	}()
	return f()
}

// wait gives the lock back until something happens, and takes it again.
func (l *Live) wait(ctx context.Context) {
	wake := l.m.Wake()
	now := l.time()
	var alarm <-chan time.Time
	if wake < never-1 {
		const longest = 1 << 40 // ms; a Duration holds no more than 292 years
		t := time.NewTimer(time.Duration(min(max(wake-now, 0), longest)) * time.Millisecond)
		defer t.Stop()
		alarm = t.C
	}
	<-l.lock
	select {
	case <-alarm:
	case <-l.nudge:
	case <-ctx.Done():
	}
	l.lock <- struct{}{}
	if ctx.Err() != nil {
		return
	}
	now = l.drain()
	if l.m.result == nil && l.m.Wake() <= now {
		l.commit(l.safely(func() Output { return l.m.Tick(now) }))
	}
}

// drain judges what is in the inbox, in the order of arrival, and gives a
// moment before which nothing else has arrived.
func (l *Live) drain() Time {
	for {
		l.mu.Lock()
		now := l.time()
		subs := l.inbox
		l.inbox = nil
		l.mu.Unlock()
		for _, s := range subs {
			if l.err != nil {
				s.err = l.err
			} else {
				var o Output
				s.verdict, o = l.judge(s.seat, &s.answer)
				if l.commit(o); l.err != nil {
					s.verdict, s.err = Verdict{}, l.err
				}
			}
			close(s.done)
		}
		if len(subs) == 0 {
			return now
		}
	}
}

// judge is Match.Answer that survives panics of the rules.
func (l *Live) judge(s game.Seat, a *Answer) (v Verdict, o Output) {
	defer func() {
		if p := recover(); p != nil {
			v = Verdict{Code: Refused, Fault: Internal, Do: DoVoid, Event: l.m.pos}
			o = l.m.Crash(l.time(), fmt.Sprint("panic: ", p))
		}
	}()
	if l.c.Filter != nil && a.Note != "" {
		a.Note = l.c.Filter(a.Note)
	}
	return l.m.Answer(l.time(), s, a)
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

// Rule ends the match by the host's word; see [Match.Rule].
func (l *Live) Rule(r Ruling) error {
	return l.do(context.Background(), func(now Time) (Output, error) { return l.m.Rule(now, r) })
}

// do makes a step of the match from any goroutine.
func (l *Live) do(ctx context.Context, f func(now Time) (Output, error)) error {
	select {
	case l.lock <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-l.lock }()
	if !l.alive() {
		if _, over := l.m.Result(); over {
			return ErrOver
		}
		return ErrStopped
	}
	if l.err != nil {
		return l.err
	}
	now := l.drain()
	var err error
	l.commit(l.safely(func() Output {
		var o Output
		o, err = f(now)
		return o
	}))
	l.poke()
	if l.err != nil {
		return l.err
	}
	return err
}

// alive reports whether Run is at work.
func (l *Live) alive() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running && !l.closed
}

// poke wakes Run.
func (l *Live) poke() {
	select {
	case l.nudge <- struct{}{}:
	default:
	}
}

// spawn starts a goroutine that Run waits for; false: Run is ending.
func (l *Live) spawn(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || !l.running {
		return false
	}
	l.wg.Go(f)
	return true
}

// ID gives the match's id.
func (l *Live) ID() string { return l.m.s.ID }
