package lease_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/lease"
)

// setup is a match of an agent of ann's against the house, whose breaking down voids.
func setup(t *testing.T, id string, starts referee.Starts) referee.Setup {
	t.Helper()
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	void := referee.Policy{
		Late: referee.DoVoid, Malformed: referee.DoVoid, BadNonce: referee.DoVoid, Illegal: referee.DoVoid, Oversized: referee.DoVoid,
		Unreachable: referee.DoVoid, Disconnected: referee.DoVoid, BadProtocol: referee.DoVoid,
	}
	return referee.Setup{ID: id, Table: table, Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Slug: "solver", Owner: "ann"}, Clock: referee.Clock{Expiry: time.Hour}},
		{Agent: referee.Agent{Slug: "hell", House: true}, Policy: void, Clock: referee.Clock{Move: 10 * time.Second, Expiry: 2 * time.Hour, Starts: starts}},
	}}
}

// leftmost answers at once.
var leftmost = referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: r.Legal(nil)[0]} })

// searcher takes some time for each move, and notes how many do so at once.
type searcher struct {
	takes     time.Duration
	mu        sync.Mutex
	now, most int
	moves     int
}

func (s *searcher) search(ctx context.Context, r *referee.Request) (referee.Answer, error) {
	s.mu.Lock()
	s.now++
	s.most = max(s.most, s.now)
	s.moves++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.now--
		s.mu.Unlock()
	}()
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return referee.Answer{}, ctx.Err()
	}
	return referee.Answer{Action: r.Legal(nil)[0]}, nil
}

func play(t *testing.T, s referee.Setup, ps ...referee.Player) *referee.Result {
	t.Helper()
	r, err := new(referee.Local).Play(t.Context(), s, ps...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPlayer: three matches of one house player, one search at a time; the wait costs nobody time.
func TestPlayer(t *testing.T) {
	for _, kind := range []string{"func", "other"} {
		t.Run(kind, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLease(t, lease.Options{})
				x := &searcher{takes: 4 * time.Second}
				var inner referee.Player = referee.Func(x.search)
				if kind == "other" {
					inner = wrapped{inner}
				}
				house := l.Player(inner, nil)
				began := time.Now()
				var wg sync.WaitGroup
				for i := range 3 {
					wg.Go(func() {
						r := play(t, setup(t, fmt.Sprint("m", i), referee.AtSent), leftmost, house)
						if r.Cause != referee.CausePlay {
							t.Errorf("%+v", r)
						}
						if s := r.Seats[1]; kind == "func" && s.Used != referee.Time(s.Moves)*4000 {
							t.Errorf("%d ms for %d moves", s.Used, s.Moves)
						}
					})
				}
				wg.Wait()
				if x.most != 1 || x.moves < 3*3 || time.Since(began) < time.Duration(x.moves)*x.takes {
					t.Errorf("%d at once, %d moves in %v", x.most, x.moves, time.Since(began))
				}
			})
		})
	}
}

// wrapped is a player that is no Func.
type wrapped struct{ referee.Player }

// TestPlayerEnds: the end of a match ends its search, and its wait.
func TestPlayerEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, lease.Options{Bound: time.Hour})
		x := &searcher{takes: time.Hour}
		local := new(referee.Local)
		var lives []*referee.Live
		var wg sync.WaitGroup
		for i := range 2 {
			s := setup(t, fmt.Sprint("m", i), referee.AtSent)
			s.Seats[1].Clock.Move = 0
			live, err := local.Live(t.Context(), s, leftmost, l.Player(referee.Func(x.search), nil))
			if err != nil {
				t.Fatal(err)
			}
			lives = append(lives, live)
			wg.Go(func() {
				if r, err := live.Run(t.Context()); err != nil || r.Cause != referee.CauseVoid {
					t.Error(r, err)
				}
			})
			time.Sleep(time.Second)
		}
		want := lease.Status{Holding: []lease.Claim{{ID: "m0/1", Account: "ann"}}, Waiting: []lease.Claim{{ID: "m1/1", Account: "ann"}}}
		if s, err := l.Status(t.Context()); err != nil || fmt.Sprint(s) != fmt.Sprint(want) {
			t.Error(s, err)
		}
		for _, n := range []int{1, 0} {
			if err := lives[n].Rule(referee.Ruling{What: referee.RuleVoid, By: "host", Reason: "test"}); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
			if s, err := l.Status(t.Context()); err != nil || len(s.Holding)+len(s.Waiting) != n {
				t.Errorf("%d matches: %+v %v", n, s, err)
			}
		}
		wg.Wait()
		if x.moves != 1 {
			t.Errorf("%d searches began", x.moves)
		}
	})
}

// TestPlayerFails: what of a search that goes wrong the match hears.
func TestPlayerFails(t *testing.T) {
	tests := []struct {
		name   string
		f      referee.Func
		fault  referee.Fault
		detail string
	}{
		{"an error", func(context.Context, *referee.Request) (referee.Answer, error) {
			return referee.Answer{}, errors.New("out of ideas")
		}, referee.Disconnected, "out of ideas"},
		{"says what only transports may", func(context.Context, *referee.Request) (referee.Answer, error) {
			return referee.Answer{Fault: referee.Internal, Detail: "x"}, nil
		}, referee.BadProtocol, "a player may not say internal: x"},
		{"beyond its bound", func(ctx context.Context, _ *referee.Request) (referee.Answer, error) {
			<-ctx.Done()
			return referee.Answer{}, ctx.Err()
		}, referee.Internal, lease.ErrBound.Error()},
		{"a panic", func(context.Context, *referee.Request) (referee.Answer, error) { panic("oops") }, referee.Internal, "a player panicked: oops"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLease(t, lease.Options{Bound: 5 * time.Second})
				var faults []string
				c := referee.Config{Observe: func(_ string, e *referee.Event) {
					if e.Kind == referee.KindFault || e.Kind == referee.KindRule {
						faults = append(faults, e.X.Fault.String()+" "+e.X.Detail+e.X.Reason)
					}
				}}
				r, err := (&referee.Local{Config: c}).Play(t.Context(), setup(t, "m", referee.AtSent), leftmost, l.Player(test.f, nil))
				if err != nil || r.Cause != referee.CauseVoid {
					t.Fatal(r, err)
				}
				if want := test.fault.String() + " " + test.detail; len(faults) != 1 || faults[0] != want {
					t.Errorf("%q, not %q", faults, want)
				}
				time.Sleep(time.Second)
				if s, err := l.Status(t.Context()); err != nil || len(s.Holding)+len(s.Waiting) > 0 {
					t.Error(s, err)
				}
			})
		})
	}
}

// TestPlayerStore: a store that fails for a while makes the search begin again, one that stays away voids.
func TestPlayerStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := new(flaky)
		l := newLease(t, lease.Options{Store: store})
		tries := 0
		var first game.Action
		house := l.Player(referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
			legal := r.Legal(nil)
			a := legal[r.Rand().IntN(len(legal))]
			if tries++; tries == 1 {
				first = a
				store.set(errDisk, nil)
				<-ctx.Done() // after the TTL
				store.set(nil, nil)
				return referee.Answer{}, ctx.Err()
			}
			if tries == 2 && string(a) != string(first) {
				t.Errorf("begun again it thinks otherwise: %s, not %s", a, first)
			}
			if tries == 4 {
				store.set(errDisk, nil)
			}
			return referee.Answer{Action: legal[0]}, nil
		}), nil)
		s := setup(t, "m", referee.AtSent)
		s.Seats[1].Clock.Move = time.Minute
		r := play(t, s, referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
			legal := r.Legal(nil)
			return referee.Answer{Action: legal[len(legal)-1-int(r.Nth)%2]}, nil
		}), house)
		if r.Cause != referee.CauseVoid || r.Seats[1].Moves != 3 || tries != 4 {
			t.Errorf("%+v after %d tries", r, tries)
		}
	})
}

// TestPlayerFull: where there is no room to wait, a player tries again.
func TestPlayerFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLease(t, lease.Options{Queue: 1, Bound: time.Hour})
		held := acquire(t, l, lease.Claim{})
		ctx, cancel := context.WithCancel(t.Context())
		go l.Acquire(ctx, lease.Claim{})
		time.Sleep(time.Second)
		x := &searcher{takes: time.Second}
		done := make(chan *referee.Result)
		go func() {
			done <- play(t, setup(t, "m", referee.AtSent), leftmost, l.Player(referee.Func(x.search), nil))
		}()
		time.Sleep(10 * time.Second)
		x.mu.Lock()
		if x.moves > 0 {
			t.Error("it searches without the lease")
		}
		x.mu.Unlock()
		cancel()
		held.Release()
		if r := <-done; r.Cause != referee.CausePlay {
			t.Errorf("%+v", r)
		}
	})
}

// TestPlayerElsewhere: where another process goes on with a match, or this one is
// shut down, nothing is answered here, and the match is not void.
func TestPlayerElsewhere(t *testing.T) {
	for _, how := range []string{"replaced while searching", "replaced while waiting", "closed"} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := new(lease.Memory)
				l, m := newLease(t, lease.Options{Store: store}), newLease(t, lease.Options{Store: store})
				if strings.HasSuffix(how, "waiting") {
					defer acquire(t, l, lease.Claim{}).Release()
				}
				x := &searcher{takes: 20 * time.Second}
				live, err := new(referee.Local).Live(t.Context(), setup(t, "m", referee.AtSent), leftmost, l.Player(referee.Func(x.search), nil))
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan error)
				go func() {
					_, err := live.Run(ctx)
					done <- err
				}()
				time.Sleep(time.Second)
				if how == "closed" {
					l.Close(t.Context())
				} else {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					go m.Acquire(ctx, lease.Claim{ID: "m/1"})
				}
				time.Sleep(5 * time.Second)
				x.mu.Lock()
				if x.now != 0 {
					t.Error("it still searches")
				}
				x.mu.Unlock()
				cancel()
				if err := <-done; !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		})
	}
}
