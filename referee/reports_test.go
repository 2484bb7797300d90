package referee_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// silent never answers, and knows of no context.
func silent() referee.Player { return newMailbox() }

// TestReports are faults of comparable programs that were reported in public; see testdata/reports.jsonl at the root.
func TestReports(t *testing.T) {
	t.Run("B51", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := parlourSetup(t, "safe", "jojo", 3, policies["ludux-3"], clocks["ludux"])
			log := new(referee.Memory)
			o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log}, random(), silent(), random()))
			if o.err != nil || o.result.Cause != referee.CausePlay || o.result.Seats[1].Strikes == 0 {
				t.Fatalf("%+v", o)
			}
			checkRecord(t, s, log) // asks the rules about each default
			defaults := 0
			for e := range referee.Events(t.Context(), log) {
				if e.Kind == referee.KindFault {
					if e.Seat != 1 || e.X.Fault != referee.Late || e.X.Do != referee.DoDefault || e.Action != "0" {
						t.Errorf("%+v %+v", e, e.X)
					}
					defaults++
				}
			}
			if defaults != o.result.Seats[1].Strikes {
				t.Errorf("%d defaults recorded, %d strikes", defaults, o.result.Seats[1].Strikes)
			}
		})
	})
	t.Run("B54", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b := newMailbox(), newMailbox()
			s := parlourSetup(t, "safe", "oooo", 2, policies["arenarpc"], referee.Clock{Move: time.Second, Expiry: time.Hour})
			done := running(t.Context(), newLive(t, s, referee.Config{}, a, b))
			late := referee.Answer{Action: "2", To: referee.Address{By: referee.ByAsk, N: a.await(t, referee.Opened).Ask}}
			b.await(t, referee.Opened) // a's time is over
			if v := a.submit(t, late); v.Code != referee.WasStale {
				t.Errorf("while the other moves: %+v", v)
			}
			b.submit(t, referee.Answer{Action: "1"})
			a.await(t, referee.Opened)
			if v := a.submit(t, late); v.Code != referee.WasStale {
				t.Errorf("while its next turn waits: %+v", v)
			}
			if v := a.submit(t, referee.Answer{Action: "1"}); v.Code != referee.OK {
				t.Errorf("its next turn: %+v", v)
			}
			b.await(t, referee.Opened)
			b.submit(t, referee.Answer{Action: "1"})
			if o := <-done; o.result.Scores[0] != 1 || o.result.Scores[1] != 2 {
				t.Errorf("%+v", o.result)
			}
		})
	})
	t.Run("B56", func(t *testing.T) {
		const move = 100 // ms
		for _, grace := range []referee.Time{0, 20} {
			for _, after := range []referee.Time{move - 1, move, move + 1} { // the match alone: nobody ticks, the answer is all it sees
				after += grace
				s := parlourSetup(t, "safe", "o", 2, referee.Policy{Late: referee.DoDefault}, referee.Clock{Move: move * time.Millisecond, Grace: time.Duration(grace) * time.Millisecond})
				m, err := referee.New(s)
				if err != nil {
					t.Fatal(err)
				}
				m.Start(epoch)
				want := referee.Verdict{Code: referee.OK}
				if after-grace >= move {
					want = referee.Verdict{Code: referee.Refused, Fault: referee.Late}
				}
				if v, _ := m.Answer(epoch+after, 0, &referee.Answer{Action: "1"}); v.Code != want.Code || v.Fault != want.Fault {
					t.Errorf("grace %d ms, after %d: %+v, not %+v", grace, after, v, want)
				}
			}
		}
		for _, grace := range []time.Duration{0, 20 * time.Millisecond} {
			for after, late := range map[time.Duration]bool{99 * time.Millisecond: false, 100 * time.Millisecond: true, 101 * time.Millisecond: true} {
				synctest.Test(t, func(t *testing.T) {
					after += grace
					wait := func(_ context.Context, r *referee.Request) (referee.Answer, error) {
						time.Sleep(after)
						return referee.Answer{Action: "1"}, nil
					}
					poll := newMailbox()
					s := parlourSetup(t, "safe", "j", 2, referee.Policy{Late: referee.DoDefault}, referee.Clock{Move: 100 * time.Millisecond, Grace: grace})
					done := running(t.Context(), newLive(t, s, referee.Config{}, referee.Func(wait), poll))
					poll.await(t, referee.Opened)
					time.Sleep(after)
					poll.submit(t, referee.Answer{Action: "1"})
					o := <-done
					for seat, r := range o.result.Seats {
						if (r.Faults[referee.Late] == 1) != late {
							t.Errorf("grace %v, after %v: seat %d: %+v", grace, after, seat, r)
						}
					}
				})
			}
		}
	})
	t.Run("B57", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { // the bubble ends when no goroutine is left
			local := &referee.Local{Store: new(referee.MemoryStore)}
			var wg sync.WaitGroup
			for i := range 8 {
				wg.Go(func() {
					s := setup(t, fmt.Sprint("m", i), uint64(i))
					s.Seats[1].Clock = referee.Clock{Move: time.Second}
					players := []referee.Player{randomFunc(), randomFunc()} // goroutines of their own
					if i%2 == 1 {
						players[0] = random()
					}
					if i == 3 {
						players[1] = silent()
					}
					if i == 4 {
						players[1] = referee.Func(func(ctx context.Context, _ *referee.Request) (referee.Answer, error) {
							<-ctx.Done() // gives up when it is told that its time is over
							return referee.Answer{}, ctx.Err()
						})
					}
					r, err := local.Play(t.Context(), s, players...)
					if dead := i == 3 || i == 4; err != nil || (r.Cause == referee.CauseForfeit) != dead {
						t.Errorf("match %d: %+v %v", i, r, err)
					}
				})
			}
			wg.Wait()
			for id, err := range local.Store.Unfinished(t.Context()) {
				t.Errorf("unfinished: %s %v", id, err)
			}
		})
	})
	t.Run("B60", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := setup(t, "dead", 1)
			s.Seats[0].Clock = referee.Clock{Move: 7 * time.Second}
			t0 := time.Now()
			o := <-running(t.Context(), newLive(t, s, referee.Config{}, silent(), silent()))
			if o.err != nil || o.result.Reason != "late" || time.Since(t0) != 7*time.Second {
				t.Errorf("%+v after %v", o, time.Since(t0))
			}
		})
	})
	t.Run("B63", func(t *testing.T) {
		for range 50 {
			synctest.Test(t, func(t *testing.T) {
				a, b := newMailbox(), newMailbox()
				s := parlourSetup(t, "safe", "oo", 2, referee.Policy{Late: referee.DoDefault}, referee.Clock{Move: time.Second})
				log := new(referee.Memory)
				done := running(t.Context(), newLive(t, s, referee.Config{Log: log}, a, b))
				a.await(t, referee.Opened)
				time.Sleep(time.Second) // the clock's timer fires at this instant too
				a.submit(t, referee.Answer{Action: "2"})
				n := b.await(t, referee.Opened)
				if n.Request.Turn != 1 {
					t.Errorf("turn %d", n.Request.Turn)
				}
				b.submit(t, referee.Answer{Action: "1"})
				if o := <-done; o.result.Seats[0].Moves != 1 || o.result.Seats[0].Faults[referee.Late] != 1 || o.result.Scores[0] != 0 {
					t.Errorf("%+v", o.result)
				}
				checkRecord(t, s, log)
			})
		}
	})
	t.Run("B66", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			calls := 0
			a8a8 := referee.Func(func(context.Context, *referee.Request) (referee.Answer, error) {
				calls++
				return referee.Answer{Action: `"a8a8"`}, nil
			})
			s := setup(t, "a8a8", 1)
			for i := range s.Seats {
				s.Seats[i].Policy, s.Seats[i].Clock = policies["agentarena"], clocks["ludux"]
			}
			t0 := time.Now()
			o := <-running(t.Context(), newLive(t, s, referee.Config{}, a8a8, random()))
			if o.err != nil || o.result.Cause != referee.CauseForfeit || o.result.Reason != "illegal" || calls != 3 || time.Since(t0) != 750*time.Millisecond {
				t.Errorf("%+v after %d calls, %v", o, calls, time.Since(t0))
			}
		})
	})
	t.Run("B68", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b := newMailbox(), newMailbox()
			s, log := setup(t, "crashed", 1), new(referee.Memory)
			s.Seats[1].Clock.Back = 5 * time.Second
			done := running(t.Context(), newLive(t, s, referee.Config{Log: log}, a, b))
			a.await(t, referee.Opened)
			b.seat.Gone("exit status 139")
			a.submit(t, referee.Answer{Action: "3"})
			o := <-done
			if o.err != nil || o.result.Cause != referee.CauseForfeit || o.result.Reason != "disconnected" || o.result.Returns[0] != 1 {
				t.Errorf("%+v", o)
			}
			logged := false
			for e := range referee.Events(t.Context(), log) {
				logged = logged || e.Kind == referee.KindGone && e.X.Detail == "exit status 139"
			}
			if !logged {
				t.Error("the record does not say why")
			}
		})
	})
	t.Run("B71", func(t *testing.T) {
		var records []string
		for round := range 3 {
			synctest.Test(t, func(t *testing.T) {
				var ps []referee.Player
				for i := range 5 {
					ps = append(ps, referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
						time.Sleep(time.Duration((i*3+round)%5) * time.Millisecond) // they arrive in another order each round
						return referee.Answer{Action: game.Action(fmt.Sprint(i % 3)), To: referee.Address{By: referee.ByTurn, N: 0}}, nil
					}))
				}
				s := parlourSetup(t, "safe", "j", 5, referee.Policy{}, referee.Clock{})
				log := new(referee.Memory)
				o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log}, ps...))
				if o.err != nil || o.result.Cause != referee.CausePlay {
					t.Fatalf("%+v", o)
				}
				for i, r := range o.result.Seats {
					if r.Moves != 1 || r.Faults != (referee.SeatResult{}).Faults {
						t.Errorf("seat %d: %+v", i, r)
					}
				}
				records = append(records, fmt.Sprint(o.result.Scores, o.result.Returns))
			})
		}
		if records[0] != records[1] || records[0] != records[2] || records[0] == "" {
			t.Errorf("the order of arrival counts: %q", records)
		}
	})
	t.Run("B110", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			local := new(referee.Local)
			wins := [3]int{}
			for i, pair := range [][2]int{{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}} {
				s := setup(t, fmt.Sprint("league", i), uint64(i))
				ps := []referee.Player{random(), random()}
				for seat, agent := range pair {
					s.Seats[seat].Clock = referee.Clock{Move: time.Second}
					if agent == 2 {
						ps[seat] = silent()
					}
				}
				r, err := local.Play(t.Context(), s, ps...)
				if err != nil {
					t.Fatal(err)
				}
				if dead := pair[0] == 2 || pair[1] == 2; dead != (r.Cause == referee.CauseForfeit) {
					t.Errorf("match of %v: %+v", pair, r)
				}
				for seat, agent := range pair {
					if r.Places[seat] == 1 {
						wins[agent]++
					}
				}
			}
			if wins[2] != 0 || wins[0] < 2 || wins[1] < 2 {
				t.Errorf("wins %v", wins)
			}
		})
	})
}
