package referee_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// slowOne answers each request with 1, after a while.
func slowOne(takes time.Duration) referee.Inline {
	return func(*referee.Request) referee.Answer { time.Sleep(takes); return referee.Answer{Action: "1"} }
}

// TestStintOfJointTurn: players in place of whose moves nobody is told keep a verdict from who brought the answer no longer than one of them takes.
func TestStintOfJointTurn(t *testing.T) {
	for _, takes := range []time.Duration{2 * time.Millisecond, 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			box, log, slow := newMailbox(), new(referee.Memory), slowOne(takes)
			s := parlourSetup(t, "safe", "oj", 4, referee.Policy{}, referee.Clock{Move: time.Minute})
			l := newLive(t, s, referee.Config{Log: log}, box, slow, slow, slow)
			begin, done := time.Now(), running(t.Context(), l)
			box.await(t, referee.Opened)
			synctest.Wait() // Run has told all
			box.submit(t, referee.Answer{Action: "2"})
			if d := time.Since(begin); d != takes {
				t.Errorf("a verdict after %v", d)
			}
			box.submit(t, referee.Answer{Action: "2"}) // waits for the others, whom Run calls
			if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay || time.Since(begin) != 3*takes {
				t.Errorf("%+v after %v", o, time.Since(begin))
			}
			checkRecord(t, s, log)
		})
	}
}

// TestRunGoesFirst: who brings an answer leaves the rest to Run, where that waits for its turn already.
func TestRunGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box, ear := newMailbox(), &slowEar{mailbox: newMailbox(), t: t, takes: 500 * time.Microsecond}
		s := parlourSetup(t, "safe", "ojj", 3, referee.Policy{}, referee.Clock{Move: time.Minute})
		l := newLive(t, s, referee.Config{}, box, ear, slowOne(3*time.Second))
		done := running(t.Context(), l)
		box.await(t, referee.Opened)
		synctest.Wait() // Run has told all
		time.AfterFunc(250*time.Microsecond, func() { box.seat.Say(0, "Run has something to do, while the other is told") })
		begin := time.Now()
		var both sync.WaitGroup
		for _, b := range []*mailbox{box, ear.mailbox} {
			both.Go(func() {
				time.Sleep(time.Second) // the player in place is at it
				if b.submit(t, referee.Answer{Action: "2"}); time.Since(begin) > 4*time.Second {
					t.Errorf("a verdict after %v: the next move in place was waited for", time.Since(begin))
				}
			})
		}
		box.submit(t, referee.Answer{Action: "2"})
		both.Wait()
		for _, b := range []*mailbox{box, ear.mailbox} {
			b.submit(t, referee.Answer{Action: "2"})
		}
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay {
			t.Errorf("%+v", o)
		}
	})
}

// TestClockLeaps: with a clock of the host's that leaps, an answer shows that another is late.
func TestClockLeaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now atomic.Int64
		now.Store(int64(epoch))
		box, silent := newMailbox(), newMailbox()
		s := parlourSetup(t, "safe", "jo", 2, referee.Policy{}, referee.Clock{Move: 10 * time.Second})
		s.Seats[0].Clock.Move = time.Minute
		l := newLive(t, s, referee.Config{Now: func() referee.Time { return referee.Time(now.Load()) }}, box, silent)
		begin, done := time.Now(), running(t.Context(), l)
		box.await(t, referee.Opened)
		synctest.Wait() // Run waits for its alarm
		now.Add(11_000)
		box.submit(t, referee.Answer{Action: "2"})
		if o := <-done; o.err != nil || o.result.Cause != referee.CauseForfeit || time.Since(begin) != 0 {
			t.Errorf("%+v after %v", o, time.Since(begin))
		}
	})
}

// TestRunWaitsItsTurn: whatever wakes Run while somebody else tells, it tells nobody beside; after that, who brings an answer plays on again.
func TestRunWaitsItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box, ear := newMailbox(), &slowEar{mailbox: newMailbox(), t: t, takes: 30 * time.Second}
		s := parlourSetup(t, "safe", "ooo", 2, referee.Policy{}, referee.Clock{Move: time.Minute})
		l := newLive(t, s, referee.Config{}, box, ear)
		done := running(t.Context(), l)
		box.await(t, referee.Opened)
		synctest.Wait() // Run has told all
		for _, after := range []time.Duration{10 * time.Second, 20 * time.Second} {
			time.AfterFunc(after, func() { box.seat.Say(0, "hello") })
		}
		box.submit(t, referee.Answer{Action: "2"}) // tells the other, for 30 s
		synctest.Wait()
		ear.submit(t, referee.Answer{Action: "2"})
		if kinds := box.kinds(); len(kinds) == 0 || kinds[len(kinds)-1] != referee.Opened {
			t.Errorf("told before the verdict: %v", kinds)
		}
		box.submit(t, referee.Answer{Action: "2"})
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay {
			t.Errorf("%+v", o)
		}
	})
}

// TestArrivedInTime: an answer whose sender waited no longer, for the store was slow, is judged before time brings anything.
func TestArrivedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box, other, log := newMailbox(), newMailbox(), &slowLog{}
		s := parlourSetup(t, "safe", "o", 2, referee.Policy{}, referee.Clock{Move: 10 * time.Second})
		l := newLive(t, s, referee.Config{Log: log}, box, other)
		done := running(t.Context(), l)
		box.await(t, referee.Opened)
		other.await(t, referee.Seated)
		time.Sleep(8 * time.Second)
		log.takes = 4 * time.Second
		go other.seat.Say(0, "hello")
		time.Sleep(time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := box.seat.Submit(ctx, referee.Answer{Action: "2"}); err != context.DeadlineExceeded {
			t.Error(err)
		}
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay {
			t.Errorf("%+v", o)
		}
	})
}

// TestPanicInStint: after a panic of a player in place that costs it nothing, who brought the answer asks it again.
func TestPanicInStint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		timid := referee.Inline(func(*referee.Request) referee.Answer {
			if asked++; asked == 1 {
				panic("stage fright")
			}
			return referee.Answer{Action: "1"}
		})
		box := newMailbox()
		s := parlourSetup(t, "safe", "oo", 2, policies["gridarena"], referee.Clock{Move: 10 * time.Second})
		done := running(t.Context(), newLive(t, s, referee.Config{}, box, timid))
		box.await(t, referee.Opened)
		synctest.Wait() // Run has told all
		box.submit(t, referee.Answer{Action: "2"})
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay || asked != 2 {
			t.Errorf("%+v, asked %d times", o, asked)
		}
	})
}
