package referee

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/matchreferee/arena/game"
)

// Seat is the mailbox of one seat of a running match. All methods are safe for
// concurrent use.
type Seat struct {
	live   *Live
	num    game.Seat
	ask    int32           // the request that ctx belongs to; 0: none. Under Live.mu
	ctx    context.Context // done once that request is closed
	cancel func()

	waiting int // answers that are not judged yet. Under Live.mu
}

// maxWaiting bounds the answers of a seat that wait to be judged.
const maxWaiting = 256

// ErrTooMany says that too many answers of a seat wait to be judged already.
var ErrTooMany = errors.New("referee: too many answers at once")

// Match gives the match's id.
func (s *Seat) Match() string { return s.live.m.s.ID }

// Num gives the seat's number.
func (s *Seat) Num() game.Seat { return s.num }

// Card tells what is played and by whom.
func (s *Seat) Card() Card { return Card{Seat: s.num, match: s.live.m} }

// Info gives what the match was set up with for this seat. Read only.
func (s *Seat) Info() SeatInfo { return s.live.m.s.Seats[s.num] }

// Running reports whether the match is at play here: Run has begun and is not
// about to return. It waits for nothing.
func (s *Seat) Running() bool { return s.live.alive() }

// Submit hands an answer in and returns when it is judged and recorded. Its
// arrival is stamped at once, so that waiting makes nobody late. Before it returns
// it may play on for about a millisecond in place of Run: tell players, call those
// that are [Inline]. An error
// comes from the store, from the context, or is [ErrStopped]; after one of those the answer may
// or may not count: the agent asks again with the same key.
func (s *Seat) Submit(ctx context.Context, a Answer) (Verdict, error) {
	l := s.live
	sub := &submission{seat: s.num, answer: a, done: make(chan struct{})}
	if err := ctx.Err(); err != nil {
		return Verdict{}, err
	}
	l.mu.Lock()
	if !l.running {
		l.mu.Unlock()
		return Verdict{}, ErrStopped
	}
	if s.waiting >= maxWaiting {
		l.mu.Unlock()
		return Verdict{}, ErrTooMany
	}
	s.waiting++
	if sub.answer.Arrived == 0 {
		sub.answer.Arrived = l.time()
	}
	l.inbox = append(l.inbox, sub)
	l.mu.Unlock()
	select {
	case l.lock <- struct{}{}:
		l.handOver()
		<-l.lock
	case <-sub.done:
	case <-ctx.Done():
		return Verdict{}, ctx.Err()
	}
	<-sub.done
	return sub.verdict, sub.err
}

// Sent says that a request is about to go out, which starts its clock under
// AtSent. It gives the deadline, 0 for none. False: the request was closed
// meanwhile and should not go out.
func (s *Seat) Sent(ask int32) (deadline Time, ok bool) {
	err := s.live.do(context.Background(), func(now Time) (o Output, err error) {
		deadline, ok, o = s.live.m.Sent(now, s.num, ask)
		return o, nil
	})
	return deadline, ok && err == nil
}

// Open gives the open request, for an agent that comes back or asks.
func (s *Seat) Open() (Request, bool) {
	l := s.live
	l.lock <- struct{}{}
	defer func() { <-l.lock }()
	r, ok := Request{}, false
	l.safeLook(func(View) { r, ok = l.m.Open(s.num) }, View{})
	r.filter = l.c.Filter
	return r, ok
}

// Now gives the referee's time.
func (s *Seat) Now() Time { return s.live.now() }

func (l *Live) now() Time {
	l.mu.Lock()
	running := l.running
	l.mu.Unlock()
	if !running {
		return 0
	}
	return l.time()
}

// Left is the time until the deadline of a request, never below 0; 0 too where
// there is none.
func (s *Seat) Left(r Request) time.Duration {
	if r.Deadline == 0 {
		return 0
	}
	return max(0, r.Deadline-s.Now()).duration()
}

// Gone says that the agent cannot be reached any more, Back that it can again.
func (s *Seat) Gone(why string) {
	if f := s.live.c.Filter; f != nil && why != "" {
		why = f(why)
	}
	s.live.do(context.Background(), func(now Time) (Output, error) { return s.live.m.Gone(now, s.num, why), nil })
}

// Back says that the agent can be reached again.
func (s *Seat) Back() {
	now := s.Now() // before it waits for anything
	s.live.do(context.Background(), func(Time) (Output, error) { return s.live.m.Back(now, s.num), nil })
}

// Claim resigns, abandons, or deals with a draw. The error wraps [ErrClaim]
// where it cannot be made now, is [ErrOver], [ErrStopped], or the store's.
func (s *Seat) Claim(c Claim) error {
	return s.live.do(context.Background(), func(now Time) (Output, error) { return s.live.m.Claim(now, s.num, c) })
}

// Say tells the seats of to, everybody if it is empty. Errors as for Claim.
func (s *Seat) Say(to game.SeatSet, text string) error {
	if f := s.live.c.Filter; f != nil {
		text = f(text)
	}
	return s.live.do(context.Background(), func(now Time) (Output, error) { return s.live.m.Say(now, s.num, to, text) })
}

// Go calls f in a goroutine, which Run lets finish before it returns. Its context ends when the request
// that is open closes, or at once where none is. Nothing is started once Run is
// about to return. Where it panics, the match is void.
func (s *Seat) Go(f func(context.Context)) {
	l := s.live
	l.mu.Lock()
	ctx := s.ctx
	l.mu.Unlock()
	if ctx == nil {
		c, cancel := context.WithCancel(context.Background())
		cancel()
		ctx = c
	}
	l.spawn(func() {
		defer func() {
			if p := recover(); p != nil {
				l.do(l.ctx, func(now Time) (Output, error) { return l.m.Crash(now, fmt.Sprint("a player panicked: ", p)), nil })
			}
		}()
		f(ctx)
	})
}

// open gives the seat a context for a new request.
func (s *Seat) open(ctx context.Context, ask int32) {
	s.close()
	c, cancel := context.WithCancel(ctx)
	s.live.mu.Lock()
	s.ask, s.ctx, s.cancel = ask, c, cancel
	s.live.mu.Unlock()
}

// close ends the context of the seat's request.
func (s *Seat) close() {
	s.live.mu.Lock()
	cancel := s.cancel
	s.ask, s.cancel = 0, nil
	s.live.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// closeStale closes it unless its request is still open.
func (s *Seat) closeStale(m *Match) {
	if s.ask != 0 && (!m.open.Has(s.num) || m.seats[s.num].ask != s.ask) {
		s.close()
	}
}
