package referee_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// slowOne answers each request with 1, in 3 s.
var slowOne = referee.Inline(func(*referee.Request) referee.Answer { time.Sleep(3 * time.Second); return referee.Answer{Action: "1"} })

// TestStintOfJointTurn: players in place of whose moves nobody is told keep a verdict from who brought the answer no longer than one of them takes.
func TestStintOfJointTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box, log := newMailbox(), new(referee.Memory)
		s := parlourSetup(t, "safe", "oj", 4, referee.Policy{}, referee.Clock{Move: time.Minute})
		l := newLive(t, s, referee.Config{Log: log}, box, slowOne, slowOne, slowOne)
		begin, done := time.Now(), running(t.Context(), l)
		box.await(t, referee.Opened)
		box.submit(t, referee.Answer{Action: "2"})
		if d := time.Since(begin); d != 3*time.Second {
			t.Errorf("a verdict after %v", d)
		}
		box.submit(t, referee.Answer{Action: "2"}) // waits for the others, whom Run calls
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay || time.Since(begin) != 9*time.Second {
			t.Errorf("%+v after %v", o, time.Since(begin))
		}
		checkRecord(t, s, log)
	})
}

// TestRunGoesFirst: who brings an answer leaves the rest to Run, where that waits for its turn already.
func TestRunGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box, ear := newMailbox(), &slowEar{mailbox: newMailbox(), t: t, takes: 500 * time.Microsecond}
		s := parlourSetup(t, "safe", "ojj", 3, referee.Policy{}, referee.Clock{Move: time.Minute})
		l := newLive(t, s, referee.Config{}, box, ear, slowOne)
		done := running(t.Context(), l)
		box.await(t, referee.Opened)
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
