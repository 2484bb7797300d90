package websocket_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// walker is an agent made with Dial whose connections can be cut.
type walker struct {
	*testing.T
	h     *hall
	slug  string
	drops []int // at its requests of these numbers the connection breaks, counted from 0

	mu      sync.Mutex
	conn    net.Conn
	asked   []string // match and seq of each request, in the order of play
	dialled int
}

// join dials the transport of a hall and plays until ctx ends.
func (w *walker) join(ctx context.Context, wg *sync.WaitGroup) {
	w.Helper()
	tr := &http.Transport{DialContext: w.dial}
	o := websocket.DialOptions{Key: "key-" + w.slug, HTTPClient: &http.Client{Transport: tr}, Rand: rand.NewPCG(uint64(len(w.slug)), 1), Failed: func(err error) {
		var lost *websocket.LostError
		if !errors.As(err, &lost) {
			w.Errorf("%s: %v", w.slug, err)
		}
	}}
	c, err := websocket.Dial(ctx, "ws://localhost/agents", o)
	if err != nil {
		w.Fatal(err)
	}
	wg.Go(func() {
		defer tr.CloseIdleConnections()
		if err := c.Run(ctx, w.play); err != context.Canceled {
			w.Errorf("%s: %v", w.slug, err)
		}
	})
}

func (w *walker) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case w.h.conns <- pipe{theirs, w.h, &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 4242}}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conn = ours
	w.dialled++
	return ours, nil
}

func (w *walker) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.conn.Close()
}

// play takes a second for an action that follows from the request alone.
func (w *walker) play(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
	w.mu.Lock()
	n := len(w.asked)
	w.asked = append(w.asked, fmt.Sprint(m.MatchID, " ", m.Seq))
	i := slices.Index(w.drops, n)
	w.mu.Unlock()
	think := time.NewTimer(time.Second)
	switch {
	case i < 0:
	case i%3 == 0: // while it thinks
		w.cut()
	case i%3 == 1: // just before it answers
		time.AfterFunc(time.Second-time.Nanosecond, w.cut)
	default: // just after it has answered
		time.AfterFunc(time.Second+time.Nanosecond, w.cut)
	}
	select {
	case <-think.C:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	r := rand.New(rand.NewPCG(uint64(m.Seq), uint64(m.Seat)))
	return m.Respond(m.LegalActions[r.IntN(len(m.LegalActions))], ""), nil
}

// walked plays one match among agents whose connections break, and gives what they
// were asked, what they played and how it ended. Moves are by seat: those that are
// made together have no order.
func walked(t *testing.T, g game.Game, ruleset string, seats, drops int) (asked [][]string, moves map[string][]string, result string) {
	moves = map[string][]string{}
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var wg sync.WaitGroup
		var all []*walker
		var slugs []string
		for i := range seats {
			w := &walker{T: t, h: h, slug: fmt.Sprint("agent-", i)}
			for n := range drops {
				w.drops = append(w.drops, n)
			}
			w.join(ctx, &wg)
			all, slugs = append(all, w), append(slugs, w.slug)
		}
		b := h.start("m-1", g, ruleset, func(s *referee.Setup, _ *referee.Config) { s.MaxSteps = 200 }, slugs...)
		r := b.end()
		time.Sleep(time.Second)
		cancel()
		wg.Wait()
		for _, w := range all {
			if want := min(drops, len(w.asked)); w.dialled <= want/2 || drops == 0 && w.dialled != 1 {
				t.Errorf("%s: connected %d times for %d drops", w.slug, w.dialled, want)
			}
			asked = append(asked, w.asked)
		}
		if faults := b.recorded(referee.KindFault); len(faults) > 0 {
			t.Errorf("faults: %v", faults)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		for _, e := range h.records["m-1"] {
			if e.Kind == referee.KindMove {
				who := fmt.Sprint(e.Seat) // chance, too
				moves[who] = append(moves[who], string(e.Action))
			}
		}
		result = fmt.Sprint(r.Cause, " ", r.Reason, " ", r.Returns, " ", r.Places)
	})
	return asked, moves, result
}

// TestClientDrops plays each match twice, undisturbed and with every connection
// broken at its first ten requests: the same requests, each played once, the same
// moves and the same end.
func TestClientDrops(t *testing.T) {
	tests := []struct {
		name    string
		game    game.Game
		ruleset string
		seats   int
	}{
		{"connect four", connectfour.New(), `{"columns":12,"rows":8,"connect":6}`, 2},
		{"chess", chess.New(), "", 2},
		{"werewolf", werewolf.New(), "", 9},
	}
	if testing.Short() {
		tests = tests[:1]
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked, moves, result := walked(t, tt.game, tt.ruleset, tt.seats, 0)
			askedAgain, movesAgain, resultAgain := walked(t, tt.game, tt.ruleset, tt.seats, 10)
			if n := len(slices.Concat(slices.Collect(maps.Values(moves))...)); n < 20 {
				t.Errorf("only %d moves", n)
			}
			if d := cmp.Diff(asked, askedAgain); d != "" {
				t.Errorf("asked (-undisturbed +broken):\n%s", d)
			}
			if d := cmp.Diff(moves, movesAgain); d != "" {
				t.Errorf("moves (-undisturbed +broken):\n%s", d)
			}
			if result != resultAgain {
				t.Errorf("%s, undisturbed %s", resultAgain, result)
			}
		})
	}
}
