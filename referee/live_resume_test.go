package referee_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// TestFencing: a second referee takes a match over; the first one's next append is refused and its Run ends.
func TestFencing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := setup(t, "fence", 1), new(referee.Memory)
		a1, a2, b1, b2 := newMailbox(), newMailbox(), newMailbox(), newMailbox()
		done1 := running(t.Context(), newLive(t, s, referee.Config{Log: log}, a1, b1))
		a1.await(t, referee.Opened)
		a1.submit(t, referee.Answer{Action: "3", Key: "k"})
		b1.await(t, referee.Opened)

		done2 := running(t.Context(), newLive(t, s, referee.Config{Log: log}, a2, b2))
		b2.await(t, referee.Opened)
		if _, err := b1.seat.Submit(t.Context(), referee.Answer{Action: "0"}); !errors.Is(err, referee.ErrFenced) {
			t.Errorf("the old referee took an answer: %v", err)
		}
		if o := <-done1; !errors.Is(o.err, referee.ErrFenced) || o.result != nil {
			t.Errorf("%+v", o)
		}
		if v := a2.submit(t, referee.Answer{Action: "3", Key: "k"}); v.Code != referee.Duplicate || v.Event != 1 {
			t.Errorf("a retry after the change: %+v", v)
		}
		if v := b2.submit(t, referee.Answer{Action: "5"}); v.Code != referee.OK {
			t.Errorf("the new referee: %+v", v)
		}
		if err := a2.seat.Claim(referee.Resign); err != nil {
			t.Error(err)
		}
		if o := <-done2; o.err != nil || o.result.Reason != "resignation" {
			t.Errorf("%+v", o)
		}
		if r := checkRecord(t, s, log); r == nil || r.Seats[1].Moves != 1 {
			t.Errorf("%+v", r)
		}
	})
}

// TestStoreFails: the sender of the answer that could not be recorded hears so; the match goes on from the log, with that answer or without.
func TestStoreFails(t *testing.T) {
	for _, kept := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := setup(t, "disk", 1)
			log := &slowLog{failAt: 3, keep: kept}
			a, b := newMailbox(), newMailbox()
			done := running(t.Context(), newLive(t, s, referee.Config{Log: log}, a, b))
			a.await(t, referee.Opened)
			a.submit(t, referee.Answer{Action: "3"})
			b.await(t, referee.Opened)
			b.submit(t, referee.Answer{Action: "3"})
			a.await(t, referee.Opened)
			last := referee.Answer{Action: "2", Key: "k2", To: referee.Address{By: referee.ByAsk, N: 2}}
			if v, err := a.seat.Submit(t.Context(), last); !errors.Is(err, errDisk) || v != (referee.Verdict{}) {
				t.Errorf("%+v %v", v, err)
			}
			if o := <-done; !errors.Is(o.err, errDisk) {
				t.Errorf("%+v", o)
			}
			if _, err := b.seat.Submit(t.Context(), last); !errors.Is(err, errDisk) {
				t.Errorf("after the failure: %v", err)
			}

			log.failAt = 0
			a, b = newMailbox(), newMailbox()
			l := newLive(t, s, referee.Config{Log: log}, a, b)
			done = running(t.Context(), l)
			a.await(t, referee.Seated)
			synctest.Wait()
			want := referee.OK
			if kept {
				want = referee.Duplicate
			}
			if v := a.submit(t, last); v.Code != want || v.Event != 3+int64(btoi(!kept)) {
				t.Errorf("kept %v: %+v", kept, v)
			}
			if err := l.Rule(referee.Ruling{What: referee.RuleDraw, By: "test", Reason: "enough"}); err != nil {
				t.Error(err)
			}
			if o := <-done; o.err != nil || o.result.By != "test" {
				t.Errorf("%+v", o)
			}
			if r := checkRecord(t, s, log); r == nil || r.Seats[0].Moves != 2 {
				t.Errorf("%+v", r)
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestStopAndResume ends Run by its context, again and again, and goes on from the log: the moves before stay, the outage costs nobody
// anything, and the clock starts anew.
func TestStopAndResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := setup(t, "stop", 3), new(referee.Memory)
		for i := range s.Seats {
			s.Seats[i].Clock = referee.Clock{Move: 10 * time.Second, Expiry: time.Hour}
		}
		slow := referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
			select {
			case <-time.After(6 * time.Second):
				return random()(r), nil
			case <-ctx.Done():
				return referee.Answer{}, ctx.Err()
			}
		})
		stops := 0
		var before []byte
		for {
			ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
			o := <-running(ctx, newLive(t, s, referee.Config{Log: log}, slow, slow))
			cancel()
			if now := log.Bytes(); string(now[:len(before)]) != string(before) {
				t.Fatal("what was recorded has changed")
			} else {
				before = now
			}
			if o.err == nil {
				if o.result.Cause != referee.CausePlay {
					t.Errorf("%+v", o.result)
				}
				break
			}
			if !errors.Is(o.err, context.DeadlineExceeded) {
				t.Fatal(o.err)
			}
			if stops++; stops > 60 {
				t.Fatal("it does not end")
			}
			time.Sleep(9 * time.Second)
		}
		if stops < 5 {
			t.Errorf("stopped %d times only", stops)
		}
		r := checkRecord(t, s, log)
		if r == nil || r.Seats[0].Used != referee.Time(6000*r.Seats[0].Moves) {
			t.Errorf("%+v", r)
		}
		for _, ps := range [][]referee.Player{{slow, slow}, {random(), random()}} { // a finished match is finished
			if o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log}, ps...)); o.err != nil || o.result.Cause != referee.CausePlay {
				t.Errorf("again: %+v", o)
			}
		}
		if string(log.Bytes()) != string(before) {
			t.Error("the record of a finished match has grown")
		}
	})
}

// TestExpiryRunsOn: an outage across the expiry ends the match all the same.
func TestExpiryRunsOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := setup(t, "expiry", 3), new(referee.Memory)
		s.Seats[1].Clock = referee.Clock{Expiry: time.Minute}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if o := <-running(ctx, newLive(t, s, referee.Config{Log: log}, newMailbox(), newMailbox())); !errors.Is(o.err, context.DeadlineExceeded) {
			t.Fatalf("%+v", o)
		}
		time.Sleep(2 * time.Minute)
		if o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log}, newMailbox(), newMailbox())); o.err != nil || o.result.Cause != referee.CauseExpiry || o.result.Rated() {
			t.Errorf("%+v", o)
		}
	})
}

// TestBackInTime: a seat that is gone may be back after 29 s, at 31 s it has lost.
func TestBackInTime(t *testing.T) {
	for _, test := range []struct {
		away time.Duration
		lost bool
	}{{29 * time.Second, false}, {30*time.Second - time.Millisecond, false}, {30 * time.Second, true}, {31 * time.Second, true}} {
		synctest.Test(t, func(t *testing.T) {
			a, b := newMailbox(), newMailbox()
			s := parlourSetup(t, "safe", "oo", 2, policies["arenarpc"], clocks["arenarpc"])
			log := new(referee.Memory)
			done := running(t.Context(), newLive(t, s, referee.Config{Log: log}, a, b))
			a.await(t, referee.Opened)
			a.seat.Gone("socket")
			time.Sleep(test.away)
			a.seat.Back()
			r, open := a.seat.Open()
			if open == test.lost {
				t.Errorf("away for %v: open %v", test.away, open)
			}
			if open && a.seat.Left(r) != time.Minute-test.away {
				t.Errorf("away for %v: %v left", test.away, a.seat.Left(r))
			}
			if !test.lost {
				a.submit(t, referee.Answer{Action: "2"})
				b.await(t, referee.Opened)
				b.submit(t, referee.Answer{Action: "1"})
			}
			o := <-done
			if test.lost && (o.result.Cause != referee.CauseForfeit || o.result.Reason != "disconnected" || o.result.Returns[1] != 1) ||
				!test.lost && o.result.Cause != referee.CausePlay {
				t.Errorf("away for %v: %+v", test.away, o)
			}
			checkRecord(t, s, log)
		})
	}
}

// TestSeal: the line after the end is appended once, also when the first try failed.
func TestSeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, log := setup(t, "seal", 1), new(referee.Memory)
		calls := 0
		c := referee.Config{Log: log, Now: constant, Seal: func(match string, leaves [][32]byte) ([]byte, error) {
			if calls++; calls == 1 {
				return nil, errDisk
			}
			if lines := bytes.Count(log.Bytes(), []byte("\n")); match != "seal" || len(leaves) != lines {
				t.Errorf("%s: %d leaves of %d lines", match, len(leaves), lines)
			}
			return []byte(`{"k":"seal","count":1}`), nil
		}}
		for i := range 3 {
			o := <-running(t.Context(), newLive(t, s, c, random(), random()))
			if (i == 0) != errors.Is(o.err, errDisk) {
				t.Fatalf("run %d: %+v", i, o)
			}
		}
		if calls != 2 {
			t.Errorf("sealed %d times", calls)
		}
		n := 0
		for line := range log.Read(t.Context(), 0) {
			if referee.IsSeal(line) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d seals", n)
		}
	})
}
