package python_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	arena "github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/transport/callback"
)

// hall is an arena that reaches agents by signed POSTs.
type hall struct {
	*arena.Arena
	posts *callback.Transport
	store referee.MemoryStore

	arena.NoHooks
	mu       sync.Mutex // not held during calls
	answers  int
	answered func(answers int) // called with each answer that counted, while the match stands still
	failed   func()            // and with each fault
}

// Answered counts.
func (h *hall) Answered(string, game.Seat, referee.Time) {
	h.mu.Lock()
	h.answers++
	n := h.answers
	h.mu.Unlock()
	if h.answered != nil {
		h.answered(n)
	}
}

// Fault passes that on.
func (h *hall) Fault(string, game.Seat, referee.Fault, referee.Do, string) {
	if h.failed != nil {
		h.failed()
	}
}

func newHall(t *testing.T, key callback.Secret) *hall {
	t.Helper()
	h := new(hall)
	var err error
	h.posts, err = callback.New(callback.Options{
		ReplayURL: "https://arena.example/m/{match_id}",
		AllowHTTP: true, AllowLoopback: true,
		Signed: &callback.Signed{Secrets: func(context.Context, referee.Agent) ([]callback.Secret, error) {
			return []callback.Secret{key}, nil
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.posts.Close() })
	h.Arena, err = arena.New(arena.Config{
		Games:    []game.Game{connectfour.New(), chess.New(), werewolf.New()},
		Carriers: map[string]arena.Carrier{"posts": {Transport: h.posts, Terms: terms}},
		Store:    &h.store, Key: []byte("a key of this test alone"), Hooks: h,
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// terms are those of ludux/1, with a minute for a move: machines that test are slow at times.
func terms(seats int) (referee.Policy, referee.Clock) {
	policy, clock := ludux.Policy(seats)
	clock.Move = time.Minute
	return policy, clock
}

// seat is one of the agent's, under a slug of its own.
func (h *hall) seat(t *testing.T, slug, url string) arena.Seat {
	t.Helper()
	a := referee.Agent{Slug: slug, Name: slug}
	if err := h.posts.Register(t.Context(), a, url+"/"+slug); err != nil {
		t.Fatal(err)
	}
	return arena.Seat{Agent: a, Carrier: "posts"}
}

// random plays whatever is legal.
func random() arena.Seat {
	return arena.Seat{Agent: referee.Agent{Slug: "random"}, Player: referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
		legal := r.Legal(nil)
		return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}, nil
	})}
}

// check proves the record of a match, and counts its faults by kind.
func (h *hall) check(t *testing.T, id string, g game.Game) map[referee.Fault]int {
	t.Helper()
	log, err := h.store.Open(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var record bytes.Buffer
	for line, err := range log.Read(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		record.Write(line)
		record.WriteByte('\n')
	}
	report, err := replay.Verify(&record, replay.Rules(g))
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		t.Error(err)
	}
	faults := map[referee.Fault]int{}
	for e, err := range referee.Events(t.Context(), log) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == referee.KindFault {
			faults[e.X.Fault]++
		}
	}
	return faults
}

// TestMatches plays whole matches: the agent on one seat, on both, and on nine at the same time.
func TestMatches(t *testing.T) {
	key := callback.NewSecret()
	url := agent(t, key).url
	h := newHall(t, key)
	village := make([]arena.Seat, 9)
	for i := range village {
		village[i] = h.seat(t, fmt.Sprint("villager-", i), url)
	}
	for _, c := range []struct {
		name  string
		game  game.Game
		seats []arena.Seat
	}{
		{"connect-four", connectfour.New(), []arena.Seat{h.seat(t, "one", url), random()}},
		{"connect-four-alone", connectfour.New(), []arena.Seat{h.seat(t, "one", url), h.seat(t, "two", url)}},
		{"chess", chess.New(), []arena.Seat{random(), h.seat(t, "one", url)}},
		{"werewolf", werewolf.New(), village},
	} {
		t.Run(c.name, func(t *testing.T) {
			id := c.name
			ctx, cancel := context.WithTimeout(t.Context(), 5*patience)
			defer cancel()
			r, err := h.Play(ctx, arena.Match{ID: id, Game: c.game.Info().Name, Seats: c.seats, Seed: arena.Seed(3)})
			if err != nil {
				t.Fatal(err)
			}
			if faults := h.check(t, id, c.game); r.Cause != referee.CausePlay || len(faults) != 0 {
				t.Errorf("%v, %s, faults %v", r.Cause, r.Reason, faults)
			}
		})
	}
}

// TestKilled kills the agent in the middle of matches, again and again, and starts it at its port when it was missed: requests come again,
// and nobody loses by it.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the agent many times")
	}
	for _, c := range []struct {
		name  string
		game  game.Game
		seats int
		every int // answers between two kills
	}{{"connect-four", connectfour.New(), 2, 3}, {"chess", chess.New(), 2, 100}, {"werewolf", werewolf.New(), 9, 20}} {
		t.Run(c.name, func(t *testing.T) {
			key := callback.NewSecret()
			p := start(t, "0", key)
			t.Cleanup(func() { p.kill() })
			h := newHall(t, key)
			seats := make([]arena.Seat, c.seats)
			for i := range seats {
				seats[i] = h.seat(t, fmt.Sprint("seat-", i), p.url)
			}
			var mu sync.Mutex // of what follows and of p
			killed, up, asked := 0, true, false
			missed := make(chan struct{}, 1)
			h.answered = func(n int) {
				mu.Lock()
				defer mu.Unlock()
				if n%c.every != 0 || !up {
					return
				}
				if words := p.kill(); words != "" {
					t.Errorf("the agent complained:\n%s", words)
				}
				killed, up = killed+1, false
			}
			h.failed = func() {
				mu.Lock()
				defer mu.Unlock()
				if !up && !asked {
					asked = true
					missed <- struct{}{}
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), 5*patience)
			defer cancel()
			over := make(chan *referee.Result, 1)
			go func() {
				r, err := h.Play(ctx, arena.Match{ID: c.name, Game: c.name, Seats: seats, Seed: arena.Seed(5)})
				if err != nil {
					t.Error(err)
				}
				over <- r
			}()
			for {
				select {
				case <-missed:
					again := start(t, p.port(), key)
					mu.Lock()
					p, up, asked = again, true, false
					mu.Unlock()
					continue
				case r := <-over:
					if r == nil {
						return
					}
					faults := h.check(t, c.name, c.game)
					for f := range faults {
						if f != referee.Unreachable && f != referee.Disconnected {
							t.Errorf("faults %v", faults)
						}
					}
					if r.Cause != referee.CausePlay || killed < 2 || len(faults) == 0 {
						t.Errorf("%v, %s: killed %d times, faults %v", r.Cause, r.Reason, killed, faults)
					}
					t.Logf("killed %d times, faults %v", killed, faults)
				}
				return
			}
		})
	}
}
