package node_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/keys"
	"github.com/matchreferee/arena/transport/websocket"
)

// hall is an arena whose agents come by a WebSocket, over connections that can be cut.
type hall struct {
	*arena.Arena
	t    *testing.T
	ring *keys.Ring
	url  string

	mu      sync.Mutex
	conns   map[net.Conn]struct{}
	opened  int
	answers int // that were accepted
	faults  []string
	moved   func(n int) // called with each answer
}

func newHall(t *testing.T) *hall {
	t.Helper()
	h := &hall{t: t, conns: map[net.Conn]struct{}{}, moved: func(int) {}}
	var err error
	if h.ring, err = keys.New(new(keys.Memory), keys.Options{}); err != nil {
		t.Fatal(err)
	}
	sockets, err := websocket.New(websocket.Options{Auth: h.ring, Connects: websocket.Pace{PerSecond: 1000, Burst: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	h.Arena, err = arena.New(arena.Config{
		Games:    []game.Game{connectfour.New(), chess.New(), werewolf.New()},
		Carriers: map[string]arena.Carrier{"websocket": {Transport: sockets, Terms: terms}},
		Hooks:    hooks{hall: h},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sockets)
	through := h.proxy(server.Listener.Addr().String())
	h.url = "ws://" + through + "/agents"
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		h.Shutdown(ctx)
		sockets.Close()
		server.CloseClientConnections()
		server.Close()
	})
	return h
}

// hooks count what happens in a hall.
type hooks struct {
	arena.NoHooks
	hall *hall
}

func (h hooks) Answered(string, game.Seat, referee.Time) {
	h.hall.mu.Lock()
	defer h.hall.mu.Unlock()
	h.hall.answers++
	h.hall.moved(h.hall.answers)
}

func (h hooks) Fault(_ string, s game.Seat, f referee.Fault, _ referee.Do, detail string) {
	h.hall.mu.Lock()
	defer h.hall.mu.Unlock()
	h.hall.faults = append(h.hall.faults, fmt.Sprintf("seat %d: %v %s", s, f, detail))
}

// terms are those of ludux/1, with a minute for a move: machines that test are slow at times.
func terms(seats int) (referee.Policy, referee.Clock) {
	policy, clock := ludux.Policy(seats)
	clock.Move = time.Minute
	return policy, clock
}

// proxy passes bytes to an address, and gives its own.
func (h *hall) proxy(to string) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		h.t.Fatal(err)
	}
	var wg sync.WaitGroup
	h.t.Cleanup(func() {
		l.Close()
		h.cut()
		wg.Wait()
	})
	wg.Go(func() {
		for {
			here, err := l.Accept()
			if err != nil {
				return
			}
			there, err := net.Dial("tcp", to)
			if err != nil {
				here.Close()
				continue
			}
			h.mu.Lock()
			h.conns[here], h.conns[there] = struct{}{}, struct{}{}
			h.opened++
			h.mu.Unlock()
			pass := func(a, b net.Conn) {
				io.Copy(a, b)
				a.Close()
				b.Close()
				h.mu.Lock()
				defer h.mu.Unlock()
				delete(h.conns, b)
			}
			wg.Go(func() { pass(here, there) })
			wg.Go(func() { pass(there, here) })
		}
	})
	return l.Addr().String()
}

// cut breaks all connections without a goodbye.
func (h *hall) cut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for c := range h.conns {
		if tcp, ok := c.(*net.TCPConn); ok {
			tcp.SetLinger(0)
		}
		c.Close()
	}
}

// key makes an agent of a slug and gives its key.
func (h *hall) key(slug string) string {
	h.t.Helper()
	key, _, err := h.ring.Issue(h.t.Context(), keys.Request{Agent: referee.Agent{Slug: slug}, Scopes: []string{transport.ScopePlay}})
	if err != nil {
		h.t.Fatal(err)
	}
	return key.Reveal()
}

func seat(slug string) arena.Seat {
	return arena.Seat{Agent: referee.Agent{Slug: slug, Name: slug}, Carrier: "websocket"}
}

// random plays whatever is legal.
func random() arena.Seat {
	return arena.Seat{Agent: referee.Agent{Slug: "random"}, Player: referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
		legal := r.Legal(nil)
		return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}, nil
	})}
}

// join seats an agent written in Go.
func (h *hall) join(slug string) {
	h.t.Helper()
	ctx, cancel := context.WithCancel(h.t.Context())
	client := &http.Client{Transport: &http.Transport{}}
	c, err := websocket.Dial(ctx, h.url, websocket.DialOptions{Key: h.key(slug), HTTPClient: client})
	if err != nil {
		cancel()
		h.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Run(ctx, func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			return m.Respond(m.LegalActions[int(m.Seq)%len(m.LegalActions)], ""), nil
		})
	}()
	h.t.Cleanup(func() {
		cancel()
		<-done
		client.CloseIdleConnections()
	})
}

// play plays a match to its end.
func (h *hall) play(m arena.Match) *referee.Result {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	r, err := h.Play(ctx, m)
	if err != nil {
		h.t.Fatal(err)
	}
	return r
}

// TestMatches plays whole matches, undisturbed: no fault of any kind.
func TestMatches(t *testing.T) {
	dir := install(t)
	h := newHall(t)
	agents := 9
	if testing.Short() {
		agents = 2
	}
	var village []arena.Seat
	var first *process
	for i := range 9 {
		slug := fmt.Sprint("villager-", i)
		village = append(village, seat(slug))
		switch {
		case i == 0:
			first = start(t, dir, h.key(slug), "--url", h.url, "--matches", "3")
		case i < agents:
			start(t, dir, h.key(slug), "--url", h.url)
		default:
			h.join(slug)
		}
	}
	for _, m := range []arena.Match{
		{ID: "four", Game: "connect-four", Seats: []arena.Seat{village[0], random()}},
		{ID: "chess", Game: "chess", Seats: []arena.Seat{random(), village[0]}},
		{ID: "village", Game: "werewolf", Seats: village},
	} {
		m.Seed = arena.Seed(3)
		if r := h.play(m); r.Cause != referee.CausePlay {
			t.Errorf("%s: %v, %s", m.ID, r.Cause, r.Reason)
		}
	}
	first.ends(0)
	for _, want := range []string{`match "four": "connect-four", seat 0`, `match "chess": "chess", seat 1`, `match "village": "werewolf", seat 0`, `match "village": "`} {
		if !strings.Contains(first.out.String(), want) {
			t.Errorf("no %q in\n%s", want, first.out.String())
		}
	}
	if words := first.err.String(); words != "" {
		t.Errorf("the agent complained:\n%s", words)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.faults) != 0 {
		t.Errorf("faults: %v", h.faults)
	}
}

// TestCut breaks all connections in the middle of matches, again and again. No request is answered twice or too late: no fault of any kind.
func TestCut(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays long matches")
	}
	dir := install(t)
	for _, c := range []struct {
		game         string
		seats, every int // moves between two cuts
	}{{"connect-four", 2, 3}, {"chess", 2, 30}, {"werewolf", 9, 10}} {
		t.Run(c.game, func(t *testing.T) {
			h := newHall(t)
			var seats []arena.Seat
			for i := range c.seats {
				slug := fmt.Sprint("agent-", i)
				seats = append(seats, seat(slug))
				start(t, dir, h.key(slug), "--url", h.url)
			}
			var cuts atomic.Int32
			h.moved = func(n int) {
				if n%c.every == 0 {
					cuts.Add(1)
					go h.cut()
				}
			}
			for n := 0; n < 10 && cuts.Load() < 4; n++ { // matches may be short
				if r := h.play(arena.Match{Game: c.game, Seats: seats}); r.Cause != referee.CausePlay {
					t.Errorf("%v, %s", r.Cause, r.Reason)
				}
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			if len(h.faults) != 0 || cuts.Load() < 4 || h.opened < c.seats*3 {
				t.Errorf("faults %v: %d cuts, %d connections", h.faults, cuts.Load(), h.opened)
			}
			t.Logf("%d moves, %d cuts, %d connections", h.answers, cuts.Load(), h.opened)
		})
	}
}

// TestKilled kills agents in the middle of matches and starts them again: they go on where they were.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts the agent many times")
	}
	dir := install(t)
	for _, c := range []struct {
		game         string
		seats, every int
	}{{"connect-four", 2, 4}, {"chess", 2, 60}, {"werewolf", 9, 25}} {
		t.Run(c.game, func(t *testing.T) {
			h := newHall(t)
			agents := make([]*process, c.seats)
			all := make([]string, c.seats)
			var seats []arena.Seat
			for i := range c.seats {
				slug := fmt.Sprint("agent-", i)
				seats = append(seats, seat(slug))
				all[i] = h.key(slug)
				agents[i] = start(t, dir, all[i], "--url", h.url)
			}
			kills := make(chan struct{}, 1)
			h.moved = func(n int) {
				if n%c.every == 0 {
					select {
					case kills <- struct{}{}:
					default:
					}
				}
			}
			var killed atomic.Int32
			over, done := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(done)
				for {
					select {
					case <-kills:
						i := int(killed.Load()) % c.seats
						agents[i].kill()
						agents[i] = start(t, dir, all[i], "--url", h.url)
						killed.Add(1)
					case <-over:
						return
					}
				}
			}()
			for n := 0; n < 10 && killed.Load() < 3; n++ { // matches may be short
				if r := h.play(arena.Match{Game: c.game, Seats: seats}); r.Cause != referee.CausePlay {
					t.Errorf("%v, %s", r.Cause, r.Reason)
				}
			}
			close(over)
			<-done
			h.mu.Lock()
			defer h.mu.Unlock()
			if len(h.faults) != 0 || killed.Load() < 3 {
				t.Errorf("killed %d times, faults %v", killed.Load(), h.faults)
			}
			t.Logf("%d moves, killed %d times", h.answers, killed.Load())
		})
	}
}
