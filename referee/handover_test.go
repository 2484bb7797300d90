package referee_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// one answers each request with 1.
var one = referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Action: "1"} })

// TestPlaysOn: who brings an answer plays on until it is asked again, before its verdict.
func TestPlaysOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := newMailbox()
		log := new(referee.Memory)
		s := parlourSetup(t, "safe", "oooooo", 2, referee.Policy{}, referee.Clock{Move: 10 * time.Second})
		l := newLive(t, s, referee.Config{Log: log}, box, one)
		done := running(t.Context(), l)
		box.await(t, referee.Opened)
		for turn := int32(2); turn <= 4; turn += 2 {
			time.Sleep(time.Second)
			box.submit(t, referee.Answer{Action: "2"})
			if r, open := box.seat.Open(); !open || r.Turn != turn {
				t.Errorf("turn %d: %+v, %v", turn, r, open)
			}
			if kinds := box.kinds(); len(kinds) == 0 || kinds[len(kinds)-1] != referee.Opened {
				t.Errorf("turn %d: told %v", turn, kinds)
			}
		}
		time.Sleep(time.Second)
		box.submit(t, referee.Answer{Action: "2"}) // the last turn is the other's: Run ends the match
		if o := <-done; o.err != nil || o.result.Scores[0] != 6 || o.result.Scores[1] != 3 {
			t.Errorf("%+v", o)
		}
		checkRecord(t, s, log)
	})
}

// TestStint: a slow store, or players in place that are slow, keep a verdict from who brought the answer no longer than one of them takes.
func TestStint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := newMailbox()
		slow := referee.Inline(func(*referee.Request) referee.Answer { time.Sleep(3 * time.Second); return referee.Answer{Action: "1"} })
		s := parlourSetup(t, "safe", "oooo", 4, referee.Policy{}, referee.Clock{Move: time.Minute})
		log := new(slowLog)
		l := newLive(t, s, referee.Config{Log: log}, box, slow, slow, slow)
		done := running(t.Context(), l)
		box.await(t, referee.Opened)
		begin := time.Now()
		box.submit(t, referee.Answer{Action: "2"})
		if d := time.Since(begin); d > 3*time.Second {
			t.Errorf("slow players: a verdict after %v", d)
		}
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay {
			t.Errorf("%+v", o)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		box := newMailbox()
		s := parlourSetup(t, "safe", "oooo", 4, referee.Policy{}, referee.Clock{Move: time.Minute})
		l := newLive(t, s, referee.Config{Log: &slowLog{takes: 2 * time.Second}}, box, one, one, one)
		done := running(t.Context(), l)
		box.await(t, referee.Opened)
		begin := time.Now()
		box.submit(t, referee.Answer{Action: "2"})
		if d := time.Since(begin); d != 2*time.Second {
			t.Errorf("a slow store: a verdict after %v", d)
		}
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay {
			t.Errorf("%+v", o)
		}
	})
}

// slowEar takes a while to be told that a request is open, which it should not.
type slowEar struct {
	*mailbox
	t     *testing.T
	takes time.Duration
	told  atomic.Int32 // at the moment
}

func (e *slowEar) Tell(s *referee.Seat, n referee.Notice) {
	if e.told.Add(1) != 1 {
		e.t.Errorf("%v is told beside another notice", n.Kind)
	}
	if n.Kind == referee.Opened {
		time.Sleep(e.takes)
	}
	e.mailbox.Tell(s, n)
	e.told.Add(-1)
}

// TestRunTakesOver: deadlines, ends of contexts and the end of the match that come while somebody else tells wait for that, and no longer.
func TestRunTakesOver(t *testing.T) {
	start := func(t *testing.T, takes, other time.Duration) (*mailbox, *slowEar, <-chan outcome, func()) {
		box, ear := newMailbox(), &slowEar{mailbox: newMailbox(), t: t, takes: takes}
		s := parlourSetup(t, "safe", "oo", 2, referee.Policy{Late: referee.DoForfeit}, referee.Clock{Move: 10 * time.Second})
		s.Seats[1].Clock.Move = other
		l := newLive(t, s, referee.Config{}, box, ear)
		ctx, cancel := context.WithCancel(t.Context())
		done := running(ctx, l)
		box.await(t, referee.Opened)
		return box, ear, done, cancel
	}
	t.Run("deadline", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			box, _, done, cancel := start(t, 30*time.Second, 10*time.Second)
			defer cancel()
			begin := time.Now()
			box.submit(t, referee.Answer{Action: "2"}) // tells the other, whose clock runs meanwhile
			if d := time.Since(begin); d != 30*time.Second {
				t.Fatalf("told for %v", d)
			}
			if o := <-done; o.err != nil || o.result.Cause != referee.CauseForfeit || time.Since(begin) != 30*time.Second {
				t.Errorf("%+v after %v", o, time.Since(begin))
			}
		})
	})
	t.Run("deadline of another", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			box, _, done, cancel := start(t, 0, time.Second)
			defer cancel()
			begin := time.Now()
			box.submit(t, referee.Answer{Action: "2"})
			if o := <-done; o.err != nil || o.result.Cause != referee.CauseForfeit || time.Since(begin) != time.Second {
				t.Errorf("%+v after %v", o, time.Since(begin))
			}
		})
	})
	t.Run("a moment", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			box, _, done, cancel := start(t, 500*time.Microsecond, 10*time.Second)
			defer cancel()
			time.Sleep(10*time.Second - 250*time.Microsecond) // the alarm of the first deadline rings while the next request is told
			begin := time.Now()
			if v := box.submit(t, referee.Answer{Action: "2"}); v.Code != referee.OK || time.Since(begin) != 500*time.Microsecond {
				t.Fatalf("%+v after %v", v, time.Since(begin))
			}
			o := <-done
			if d := time.Since(begin); o.err != nil || o.result.Cause != referee.CauseForfeit || d < 10*time.Second || d > 10*time.Second+time.Millisecond {
				t.Errorf("%+v after %v", o, d)
			}
		})
	})
	t.Run("store", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			box := newMailbox()
			log := &slowLog{failAt: 2} // the other's move
			l := newLive(t, parlourSetup(t, "safe", "ooo", 2, referee.Policy{}, referee.Clock{}), referee.Config{Log: log}, box, one)
			done := running(t.Context(), l)
			box.await(t, referee.Opened)
			box.submit(t, referee.Answer{Action: "2"})
			if o := <-done; !errors.Is(o.err, errDisk) {
				t.Errorf("%+v", o)
			}
		})
	})
	t.Run("context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			box, _, done, cancel := start(t, 30*time.Second, 10*time.Second)
			begin := time.Now()
			time.AfterFunc(time.Second, cancel)
			box.submit(t, referee.Answer{Action: "2"})
			if o := <-done; o.err == nil || time.Since(begin) != 30*time.Second {
				t.Errorf("%+v after %v", o, time.Since(begin))
			}
		})
	})
	t.Run("ruling", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			box, ear, done, cancel := start(t, 30*time.Second, 10*time.Second)
			defer cancel()
			begin := time.Now()
			time.AfterFunc(time.Second, func() {
				if err := box.seat.Claim(referee.Resign); err != nil {
					t.Error(err)
				}
			})
			box.submit(t, referee.Answer{Action: "2"})
			ear.await(t, referee.Ended)
			if o := <-done; o.err != nil || o.result.Cause != referee.CauseAdjudication || time.Since(begin) != 30*time.Second {
				t.Errorf("%+v after %v", o, time.Since(begin))
			}
		})
	})
}

// TestTellsAlone: who brings an answer while Run tells leaves the telling to it.
func TestTellsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box, ear := newMailbox(), &slowEar{mailbox: newMailbox(), t: t, takes: 5 * time.Second}
		s := parlourSetup(t, "safe", "ooo", 2, referee.Policy{Late: referee.DoDefault}, referee.Clock{Move: 10 * time.Second})
		l := newLive(t, s, referee.Config{}, ear, box)
		done := running(t.Context(), l)
		begin := time.Now()
		ear.await(t, referee.Seated)
		for _, from := range []time.Duration{time.Second, 12 * time.Second} { // told by Run as it begins, and as the other is late at 11 s
			time.Sleep(from - time.Since(begin))
			if v := ear.submit(t, referee.Answer{Action: "1"}); v.Code != referee.OK {
				t.Errorf("%+v", v)
			}
		}
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay {
			t.Errorf("%+v", o)
		}
	})
}

// TestEndToldLater: a match whose end was recorded, and whose players were not told so, tells them when it runs again.
func TestEndToldLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		log := &slowLog{failAt: 3, keep: true} // says that it failed, and did not
		s := parlourSetup(t, "safe", "oo", 2, referee.Policy{}, referee.Clock{})
		l := newLive(t, s, referee.Config{Log: log}, a, b)
		done := running(t.Context(), l)
		a.await(t, referee.Opened)
		a.submit(t, referee.Answer{Action: "1"})
		b.await(t, referee.Opened)
		if _, err := b.seat.Submit(t.Context(), referee.Answer{Action: "2"}); !errors.Is(err, errDisk) {
			t.Error(err)
		}
		if o := <-done; !errors.Is(o.err, errDisk) {
			t.Errorf("%+v", o)
		}
		if kinds := append(a.kinds(), b.kinds()...); slices.Contains(kinds, referee.Ended) {
			t.Errorf("told before it was recorded: %v", kinds)
		}
		log.failAt = 0
		again := newMailbox()
		o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log}, again, one))
		if o.err != nil || o.result.Scores[1] != 2 {
			t.Errorf("%+v", o)
		}
		if kinds := again.kinds(); !slices.Equal(kinds, []referee.NoticeKind{referee.Seated, referee.Ended}) {
			t.Errorf("told %v", kinds)
		}
	})
}

// eager answers in Tell itself.
type eager struct{ verdicts []referee.Code }

func (e *eager) Tell(s *referee.Seat, n referee.Notice) {
	if n.Kind == referee.Opened {
		v, _ := s.Submit(context.Background(), referee.Answer{Action: "1"})
		e.verdicts = append(e.verdicts, v.Code)
	}
}

// TestAnswersInTell: a player may answer while it is told.
func TestAnswersInTell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box, quick := newMailbox(), new(eager)
		log := new(referee.Memory)
		s := parlourSetup(t, "safe", "ojojo", 2, referee.Policy{}, referee.Clock{Move: 10 * time.Second})
		l := newLive(t, s, referee.Config{Log: log}, box, quick)
		begin, done := time.Now(), running(t.Context(), l)
		for range 5 {
			box.await(t, referee.Opened)
			box.submit(t, referee.Answer{Action: "2"})
		}
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay || o.result.Scores[1] != 2 || time.Since(begin) != 0 {
			t.Errorf("%+v", o)
		}
		for _, c := range quick.verdicts {
			if c != referee.OK {
				t.Error(c)
			}
		}
		checkRecord(t, s, log)
	})
}

// TestStuckInPlace: one player in place whose answers are all rejected keeps no other of the same turn from its own.
func TestStuckInPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		stuck := referee.Inline(func(*referee.Request) referee.Answer { asked++; return referee.Answer{Action: "99"} })
		s := parlourSetup(t, "safe", "jj", 2, referee.Policy{Late: referee.DoDefault, Illegal: referee.DoReject}, referee.Clock{Move: 10 * time.Second})
		log := new(referee.Memory)
		l := newLive(t, s, referee.Config{Log: log}, stuck, one)
		begin := time.Now()
		o := <-running(t.Context(), l)
		if o.err != nil || o.result.Cause != referee.CausePlay || o.result.Scores[1] != 2 || o.result.Seats[1].Faults != (referee.SeatResult{}).Faults {
			t.Errorf("%+v", o)
		}
		if d := time.Since(begin); d != 20*time.Second || asked != 32 {
			t.Errorf("asked %d times, in %v", asked, d)
		}
		checkRecord(t, s, log)
	})
}
