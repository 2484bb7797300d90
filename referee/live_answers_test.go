package referee_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/referee"
)

// TestDuplicates has fifty copies of one answer arrive at once: one is the move, the others hear what the first heard.
func TestDuplicates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		log := &slowLog{takes: 100 * time.Millisecond}
		l := newLive(t, setup(t, "dup", 1), referee.Config{Log: log}, a, b)
		ctx, cancel := context.WithCancel(t.Context())
		done := running(ctx, l)
		a.await(t, referee.Opened)
		var wg sync.WaitGroup
		verdicts := make([]referee.Verdict, 50)
		for i := range verdicts {
			wg.Go(func() {
				verdicts[i] = a.submit(t, referee.Answer{Action: "3", Key: "k", To: referee.Address{By: referee.ByAsk, N: 1}})
			})
		}
		wg.Wait()
		ok := 0
		for _, v := range verdicts {
			if v.Code == referee.OK {
				ok++
			} else if v.Code != referee.Duplicate {
				t.Errorf("%+v", v)
			}
			if v.Event != 1 {
				t.Errorf("event %d", v.Event)
			}
		}
		if ok != 1 {
			t.Errorf("%d answers were the first", ok)
		}
		if v := a.submit(t, referee.Answer{Action: "4", Key: "k"}); v.Code != referee.KeyReused {
			t.Errorf("another action with the same key: %+v", v)
		}
		if r, open := b.seat.Open(); !open || r.Turn != 1 {
			t.Errorf("the other seat's request: %+v %v", r, open)
		}
		cancel()
		<-done
		if _, err := a.seat.Submit(t.Context(), referee.Answer{Action: "3", Key: "k"}); !errors.Is(err, referee.ErrStopped) {
			t.Errorf("after the stop: %v", err)
		}
	})
}

// TestSlowStore has three answers arrive 1.5 s before the deadline while each append takes 2 s: what counts is the arrival.
func TestSlowStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		boxes := []*mailbox{newMailbox(), newMailbox(), newMailbox()}
		s := parlourSetup(t, "safe", "j", 3, referee.Policy{}, referee.Clock{Move: 10 * time.Second})
		log := &slowLog{takes: 2 * time.Second}
		l := newLive(t, s, referee.Config{Log: log}, boxes[0], boxes[1], boxes[2])
		done := running(t.Context(), l)
		var wg sync.WaitGroup
		for _, b := range boxes {
			wg.Go(func() {
				n := b.await(t, referee.Opened)
				time.Sleep(b.seat.Left(*n.Request) - 1500*time.Millisecond)
				if v := b.submit(t, referee.Answer{Action: "1"}); v.Code != referee.OK {
					t.Errorf("seat %d: %+v", b.seat.Num(), v)
				}
			})
		}
		wg.Wait()
		if o := <-done; o.err != nil || o.result.Cause != referee.CausePlay {
			t.Errorf("%+v", o)
		}
		checkRecord(t, s, log)
	})
}

// TestPushAndPull seats a function, an inline bot and a mailbox in one match.
func TestPushAndPull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := newMailbox()
		one := func(r *referee.Request) referee.Answer { return referee.Answer{Action: "1"} }
		function := func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
			time.Sleep(time.Second)
			return one(r), nil
		}
		s := parlourSetup(t, "safe", "joojo", 3, referee.Policy{}, referee.Clock{Move: 2 * time.Second})
		log := new(referee.Memory)
		l := newLive(t, s, referee.Config{Log: log}, referee.Inline(one), referee.Func(function), box)
		done := running(t.Context(), l)
		for range 3 { // two joint turns, and its own
			n := box.await(t, referee.Opened)
			if n.Request.Match() != s.ID || n.Request.Seats() != 3 || n.Request.Agents(1).Name != "B" {
				t.Errorf("request of %q, %d seats, %+v", n.Request.Match(), n.Request.Seats(), n.Request.Agents(1))
			}
			if v := box.submit(t, referee.Answer{Action: "2", To: referee.Address{By: referee.ByAsk, N: n.Ask}}); v.Code != referee.OK {
				t.Errorf("%+v", v)
			}
		}
		box.await(t, referee.Ended)
		o := <-done
		if o.err != nil || o.result.Cause != referee.CausePlay || o.result.Scores[2] != 6 {
			t.Fatalf("%+v", o)
		}
		checkRecord(t, s, log)
		if v := box.submit(t, referee.Answer{Action: "1"}); v.Code != referee.Over {
			t.Errorf("after the end: %+v", v)
		}
		if err := box.seat.Claim(referee.Resign); !errors.Is(err, referee.ErrOver) {
			t.Errorf("a claim after the end: %v", err)
		}
		if _, open := box.seat.Open(); open {
			t.Error("a request is open after the end")
		}
	})
}

// TestContextsOfRequests checks that the context of a player's goroutine ends with its request, whatever closes it.
func TestContextsOfRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		s := parlourSetup(t, "safe", "jjj", 2, referee.Policy{Late: referee.DoDefault}, referee.Clock{Move: 10 * time.Second})
		l := newLive(t, s, referee.Config{}, a, b)
		done := running(t.Context(), l)
		ended := make(chan time.Duration, 3)
		t0 := time.Now()
		watch := func() {
			b.await(t, referee.Opened)
			b.seat.Go(func(ctx context.Context) { <-ctx.Done(); ended <- time.Since(t0) })
		}
		watch() // the clock closes it, at 10 s
		if at := <-ended; at != 10*time.Second {
			t.Errorf("late after %v", at)
		}
		watch() // an answer closes it
		time.Sleep(time.Second)
		b.submit(t, referee.Answer{Action: "1"})
		if at := <-ended; at != 11*time.Second {
			t.Errorf("answered after %v", at)
		}
		b.seat.Go(func(ctx context.Context) {
			if ctx.Err() == nil {
				t.Error("nothing is open, and the context is alive")
			}
			ended <- 0
		})
		<-ended
		a.submit(t, referee.Answer{Action: "1"})
		watch() // the end of the match closes it
		if err := a.seat.Claim(referee.Resign); err != nil {
			t.Error(err)
		}
		if at := <-ended; at != 11*time.Second {
			t.Errorf("ended after %v", at)
		}
		if o := <-done; o.err != nil || o.result.Cause != referee.CauseAdjudication {
			t.Errorf("%+v", o)
		}
		b.seat.Go(func(context.Context) { t.Error("a goroutine after the end") })
	})
}

// TestKeptRequest: a request that a player keeps tells of its own match for ever, though the referee plays others.
func TestKeptRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var kept *referee.Request
		local := new(referee.Local)
		keep := referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
			if kept == nil {
				kept = r
			}
			return random()(r), nil
		})
		if _, err := local.Play(t.Context(), setup(t, "first", 1), keep, random()); err != nil {
			t.Fatal(err)
		}
		for i := range 5 {
			s := setup(t, "later", uint64(i))
			s.Seats[0].Agent.Name = "Zoe"
			if _, err := local.Play(t.Context(), s, random(), random()); err != nil {
				t.Fatal(err)
			}
		}
		if kept.Match() != "first" || kept.Agents(0).Name != "Ann" || len(kept.Legal(nil)) != 7 || kept.Turn != 0 {
			t.Errorf("%q %q %v %d", kept.Match(), kept.Agents(0).Name, kept.Legal(nil), kept.Turn)
		}
	})
}

// TestFilterHint: what the rules say of an illegal action may quote it, so the filter sees that too.
func TestFilterHint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		log := new(referee.Memory)
		l := newLive(t, setup(t, "hint", 1), referee.Config{Log: log, Filter: func(s string) string { return strings.ReplaceAll(s, "99", "***") }}, a, b)
		done := running(t.Context(), l)
		a.await(t, referee.Opened)
		v, err := a.seat.Submit(t.Context(), referee.Answer{Action: `99`})
		if err != nil || v.Fault != referee.Illegal || strings.Contains(v.Detail, "99") || !strings.Contains(v.Detail, "***") {
			t.Errorf("%+v %v", v, err)
		}
		<-done
		found := false
		for e, err := range referee.Events(t.Context(), log) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == referee.KindFault {
				found = true
				if e.X.Detail != v.Detail {
					t.Errorf("recorded: %q, told: %q", e.X.Detail, v.Detail)
				}
			}
		}
		if !found {
			t.Error("no fault on record")
		}
	})
}

// TestFilter: the host's filter sees notes and what is said, before the record does.
func TestFilter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newMailbox(), newMailbox()
		log := new(referee.Memory)
		l := newLive(t, setup(t, "filter", 1), referee.Config{Log: log, Filter: func(string) string { return "***" }}, a, b)
		done := running(t.Context(), l)
		a.await(t, referee.Opened)
		a.submit(t, referee.Answer{Action: "3", Note: "rude"})
		if err := a.seat.Say(0, "ruder"); err != nil {
			t.Error(err)
		}
		if n := b.await(t, referee.Said); n.From != 0 || n.Text != "***" {
			t.Errorf("%+v", n)
		}
		a.seat.Claim(referee.Resign)
		<-done
		var texts []string
		for e, err := range referee.Events(t.Context(), log) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == referee.KindMove {
				texts = append(texts, e.X.Note)
			}
			if e.Kind == referee.KindSay {
				texts = append(texts, e.X.Text)
			}
		}
		if len(texts) != 2 || texts[0] != "***" || texts[1] != "***" {
			t.Errorf("recorded: %q", texts)
		}
	})
}
