package referee_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestChaos has agents, spectators and the host do what they like at the same time, over a slow store, while the referee is stopped and started
// again. The record is that of a match, and it ends.
func TestChaos(t *testing.T) {
	for seed := range uint64(12) {
		synctest.Test(t, func(t *testing.T) {
			s := parlourSetup(t, "safe", "jolihfjifo", 3, policies["agentarena-3"], referee.Clock{Move: 4 * time.Second, Expiry: 3 * time.Minute, Back: 5 * time.Second})
			s.Seats[1].Policy, s.Seats[2].Policy = policies["ludux-3"], policies["arenarpc"]
			s.Seats[1].Clock.Back = 0
			if seed%3 == 0 {
				s.Seats[0].Clock.Starts = referee.AtSent
			}
			log := &slowLog{takes: time.Duration(seed%4) * 300 * time.Millisecond}
			host := hosted(func(a game.Ask) (game.Action, error) {
				time.Sleep(time.Duration(seed) * 200 * time.Millisecond)
				return hostOf(10)(a)
			})
			for life := 0; ; life++ {
				if life == 100 {
					t.Fatal("it does not end")
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(5+seed)*time.Second)
				boxes := []*mailbox{newMailbox(), newMailbox(), newMailbox()}
				l := newLive(t, s, referee.Config{Log: log, Host: host}, boxes[0], boxes[1], boxes[2])
				var wg sync.WaitGroup
				done := running(ctx, l)
				for i := range boxes {
					wg.Go(func() { fidget(ctx, l.Seat(game.Seat(i)), rand.New(rand.NewPCG(seed, uint64(10*life+i)))) })
				}
				wg.Go(func() {
					for range l.Watch(t.Context()) {
					}
				})
				o := <-done
				cancel()
				wg.Wait()
				checkRecord(t, s, log)
				if o.err == nil {
					if r := checkRecord(t, s, log); r == nil || r.Cause != o.result.Cause {
						t.Errorf("the record says %+v, Run %+v", r, o.result)
					}
					return
				}
				if !errors.Is(o.err, context.DeadlineExceeded) {
					t.Fatal(o.err)
				}
			}
		})
	}
}

// fidget does random things with a seat until the match ends or the context does.
func fidget(ctx context.Context, s *referee.Seat, r *rand.Rand) {
	for ctx.Err() == nil {
		time.Sleep(time.Duration(r.IntN(1500)) * time.Millisecond)
		open, ok := s.Open()
		switch r.IntN(12) {
		case 0:
			s.Gone("tired")
		case 1:
			s.Back()
		case 2:
			s.Say(0, "hello")
		case 3:
			s.Claim([]referee.Claim{referee.OfferDraw, referee.AcceptDraw, referee.DeclineDraw}[r.IntN(3)])
		case 4:
			over := false
			s.Look(func(v referee.View) { v.State(); over = v.Result != nil })
			if over {
				return
			}
		case 5:
			s.Go(func(ctx context.Context) { <-ctx.Done() })
		case 6:
			s.Submit(ctx, referee.Answer{Fault: referee.Malformed, Detail: "what?"})
		default:
			if ok {
				s.Sent(open.Ask)
			}
			a := referee.Answer{Action: game.Action(strconv.Itoa(r.IntN(4))), Key: strconv.Itoa(r.IntN(30)), To: referee.Address{By: referee.ByAsk, N: open.Ask}}
			if v, err := s.Submit(ctx, a); err == nil && v.Code == referee.Over {
				return
			}
		}
	}
}
