package referee_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// TestBlame lets a player write another seat into its request and panic: the fault is its own.
func TestBlame(t *testing.T) {
	for _, script := range []string{"jj", "oooo"} {
		s := parlourSetup(t, "safe", script, 2, referee.Policy{}, referee.Clock{})
		mallory := referee.Inline(func(r *referee.Request) referee.Answer {
			r.Seat, r.Ask = 1-r.Seat, 99
			panic("boo")
		})
		r, record := play(t, s, referee.Config{Now: constant}, mallory, random())
		if r.Cause != referee.CauseForfeit || !r.Seats[0].Out || r.Seats[1].Out || !strings.Contains(string(record), "panic: boo") {
			t.Errorf("%s: %+v\n%s", script, r, record)
		}
	}
}

// TestOtherSeat: what a request shows goes by the seat that it was made for.
func TestOtherSeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := parlourSetup(t, "safe", "ljj", 2, referee.Policy{}, referee.Clock{})
		s.Table = parlourTable(t, "safe", "ljj", true)
		a, b := newMailbox(), newMailbox()
		ctx, cancel := context.WithCancel(t.Context())
		done := running(ctx, newLive(t, s, referee.Config{}, a, b))
		mine, theirs := a.await(t, referee.Opened).Request, b.await(t, referee.Opened).Request
		if mine.View().(ParlourView).Drawn == 0 || theirs.View().(ParlourView).Drawn != 0 {
			t.Fatalf("%+v %+v", mine.View(), theirs.View())
		}
		want := mine.Rand().Uint64()
		stolen := *theirs
		stolen.Seat, stolen.Ask = 0, 1
		if v := stolen.View().(ParlourView); v.Drawn != 0 {
			t.Errorf("seat 1 sees what seat 0 drew: %+v", v)
		}
		if stolen.Rand().Uint64() == want {
			t.Error("seat 1 foresees the lots of seat 0")
		}
		stolen.Seat = 63
		stolen.View() // and nothing breaks
		cancel()
		<-done
	})
}

// TestOwnWord: a player in this process can neither void its match nor turn back the clock.
func TestOwnWord(t *testing.T) {
	for _, f := range []referee.Fault{referee.Internal, referee.Stale, referee.Late} {
		answer := func(*referee.Request) referee.Answer { return referee.Answer{Fault: f} }
		for kind, p := range map[string]referee.Player{
			"inline": referee.Inline(answer),
			"func":   referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) { return answer(r), nil }),
		} {
			s := parlourSetup(t, "safe", "oooo", 2, referee.Policy{}, referee.Clock{})
			if r, _ := play(t, s, referee.Config{Now: constant}, p, random()); r.Cause != referee.CauseForfeit || r.Reason != "bad_protocol" || !r.Seats[0].Out {
				t.Errorf("%s says %v: %+v", kind, f, r)
			}
		}
	}
	synctest.Test(t, func(t *testing.T) {
		s := parlourSetup(t, "safe", "oooo", 2, referee.Policy{}, referee.Clock{Base: time.Second})
		backdates := referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
			time.Sleep(2 * time.Second)
			return referee.Answer{Action: r.Legal(nil)[0], Arrived: 1}, nil
		})
		if r, _ := play(t, s, referee.Config{}, backdates, random()); r.Reason != "late" {
			t.Errorf("%+v", r)
		}
	})
}

// TestRequestOfAnotherMatch keeps a request for longer than its match: it shows nothing of the next one.
func TestRequestOfAnotherMatch(t *testing.T) {
	var kept *referee.Request
	keeps := func(p referee.Inline) referee.Player {
		return referee.Inline(func(r *referee.Request) referee.Answer {
			kept = r
			return p(r)
		})
	}
	local := new(referee.Local)
	if _, err := local.Play(t.Context(), setup(t, "first", 1), keeps(random()), random()); err != nil {
		t.Fatal(err)
	}
	old := kept
	spy := referee.Inline(func(r *referee.Request) referee.Answer {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("a request of another match still shows something")
				}
			}()
			old.View()
		}()
		return random()(r)
	})
	if _, err := local.Play(t.Context(), setup(t, "second", 2), spy, random()); err != nil {
		t.Fatal(err)
	}
}

// TestSealedUnseen: neither a verdict nor a look tells when another seat has moved unseen.
func TestSealedUnseen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := parlourSetup(t, "safe", "jj", 3, referee.Policy{Malformed: referee.DoReject, Illegal: referee.DoReject}, referee.Clock{Move: time.Hour})
		s.Table = parlourTable(t, "safe", "jj", true)
		a, b, c := newMailbox(), newMailbox(), newMailbox()
		done := running(t.Context(), newLive(t, s, referee.Config{}, a, b, c))
		a.await(t, referee.Opened)
		c.await(t, referee.Opened)
		b.await(t, referee.Opened)
		probe := referee.Answer{To: referee.Address{By: referee.ByAsk, N: 7}}
		before := a.submit(t, probe)
		changed := a.seat.Look(func(referee.View) {})
		own := b.seat.Look(func(referee.View) {})
		b.submit(t, referee.Answer{Action: "1"})
		synctest.Wait()
		select {
		case <-own:
		default:
			t.Error("a seat is not told of its own move")
		}
		select {
		case <-changed:
			t.Error("a sealed move wakes another seat")
		default:
		}
		if after := a.submit(t, probe); after != before || after.Event != -1 {
			t.Errorf("%+v, then %+v", before, after)
		}
		changed = a.seat.Look(func(referee.View) {})
		c.submit(t, referee.Answer{Action: "1"})
		if v := a.submit(t, referee.Answer{Action: "1"}); v.Code != referee.OK || v.Event != -1 {
			t.Errorf("%+v", v)
		}
		synctest.Wait()
		select {
		case <-changed:
		default:
			t.Error("a step wakes nobody")
		}
		for _, p := range []*mailbox{a, b, c} {
			p.submit(t, referee.Answer{Action: "1"})
		}
		<-done
	})
}

// TestResultIsOwn: what a player does to the result that it is told of changes nobody else's.
func TestResultIsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := setup(t, "own", 3)
		a, b := newMailbox(), newMailbox()
		done := running(t.Context(), newLive(t, s, referee.Config{}, a, b))
		a.await(t, referee.Opened)
		if err := a.seat.Claim(referee.Resign); err != nil {
			t.Fatal(err)
		}
		mine := a.await(t, referee.Ended).Result
		mine.Returns[0], mine.Cause, mine.Places[0] = 1, referee.CausePlay, 1
		if theirs := b.await(t, referee.Ended).Result; theirs.Returns[0] != -1 || theirs.Places[0] != 2 {
			t.Errorf("%+v", theirs)
		}
		if o := <-done; o.result.Returns[0] != -1 || o.result.Cause != referee.CauseAdjudication {
			t.Errorf("%+v", o.result)
		}
	})
}

// TestLeavingSpectators: a spectator that goes is forgotten.
func TestLeavingSpectators(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		l := newLive(t, setup(t, "left", 1), referee.Config{}, a, b)
		ctx, leave := context.WithCancel(t.Context())
		gone, stays := l.Watch(ctx), l.Watch(t.Context())
		done := running(t.Context(), l)
		a.await(t, referee.Opened)
		leave()
		synctest.Wait()
		for range gone { // closed, whatever is in it
		}
		a.submit(t, referee.Answer{Action: "3"})
		if err := b.seat.Claim(referee.Resign); err != nil {
			t.Fatal(err)
		}
		<-done
		n := 0
		for range stays {
			n++
		}
		if n != 3 {
			t.Errorf("%d positions, not 3", n)
		}
	})
}

// TestWaiting bounds what one seat can have waiting on a slow store.
func TestWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		done := running(t.Context(), newLive(t, setup(t, "flood", 1), referee.Config{Log: &slowLog{takes: time.Second}}, a, b))
		a.await(t, referee.Opened)
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := a.seat.Submit(over, referee.Answer{Action: "1"}); err != context.Canceled {
			t.Errorf("with a context that has ended: %v", err)
		}
		const many = 1000
		refused := make(chan bool, many)
		for range many {
			go func() {
				_, err := a.seat.Submit(t.Context(), referee.Answer{Action: "1", To: referee.Address{By: referee.ByAsk, N: 1}})
				refused <- err == referee.ErrTooMany
			}()
		}
		n := 0
		for range many {
			if <-refused {
				n++
			}
		}
		if n < many-300 {
			t.Errorf("%d of %d refused", n, many)
		}
		if err := b.seat.Claim(referee.Resign); err != nil {
			t.Fatal(err)
		}
		<-done
	})
}

// TestPartsOfAMillisecond: an answer that took less than the limit is in time, whatever part of a millisecond the clocks show.
func TestPartsOfAMillisecond(t *testing.T) {
	for _, offset := range []time.Duration{0, 300 * time.Microsecond, 900 * time.Microsecond} {
		for took, late := range map[time.Duration]bool{99*time.Millisecond + 990*time.Microsecond: false, 102 * time.Millisecond: true} {
			synctest.Test(t, func(t *testing.T) {
				s := parlourSetup(t, "safe", "oo", 2, referee.Policy{}, referee.Clock{Move: 100 * time.Millisecond})
				after := func(d time.Duration) referee.Player {
					return referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
						time.Sleep(d)
						return referee.Answer{Action: r.Legal(nil)[0]}, nil
					})
				}
				r, _ := play(t, s, referee.Config{}, after(offset), after(took))
				if (r.Reason == "late") != late {
					t.Errorf("asked at %v, took %v: %+v", offset, took, r)
				}
			})
		}
	}
}
