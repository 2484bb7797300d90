package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

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

func TestMain(m *testing.M) {
	log.SetOutput(io.Discard)
	goleak.VerifyTestMain(m)
}

func TestChoose(t *testing.T) {
	const empty = `[null,null,null,null,null,null,null]`
	columns := []game.Action{"0", "1", "2", "3", "4", "5", "6"}
	four := func(lowest string) *ludux.ActionRequest {
		return &ludux.ActionRequest{
			Game: "connect-four", Ruleset: json.RawMessage(`{"connect":4}`), LegalActions: columns,
			State: json.RawMessage(`{"board":[` + lowest + strings.Repeat(","+empty, 5) + `],"you_are":0}`),
		}
	}
	tests := []struct {
		name string
		m    *ludux.ActionRequest
		want game.Action
	}{
		{"a win", four(`[0,0,0,null,1,1,1]`), "3"},
		{"a block", four(`[1,null,1,1,0,0,null]`), "1"},
		{"neither", four(`[1,null,1,0,0,0,1]`), "6"},
		{"no board", &ludux.ActionRequest{Game: "connect-four", LegalActions: columns, State: json.RawMessage(`7`)}, "6"},
		{"words", &ludux.ActionRequest{
			Game: "werewolf", Phase: "day_discussion", Seat: 1, LegalActions: []game.Action{`{"text":"","type":"say"}`},
			State: json.RawMessage(`{"players":[{"seat":0,"alive":true},{"seat":1,"alive":true},{"seat":2,"alive":true},{"seat":3,"alive":false}]}`),
		}, `{"type":"say","text":"What does seat 2 say to that?"}`},
		{"a vote", &ludux.ActionRequest{Game: "werewolf", Phase: "day_vote", LegalActions: []game.Action{`"a"`, `"b"`}}, `"b"`},
		{"another game", &ludux.ActionRequest{Game: "pig", LegalActions: []game.Action{`"hold"`, `"roll"`}}, `"roll"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got, _ := choose(tt.m, func(n int) int { return n - 1 }); got != tt.want {
				t.Errorf("%s, not %s", got, tt.want)
			}
		})
	}
}

// TestMatches has nine of this agent play whole matches against each other.
func TestMatches(t *testing.T) {
	ring, err := keys.New(new(keys.Memory), keys.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := websocket.New(websocket.Options{Auth: ring})
	if err != nil {
		t.Fatal(err)
	}
	defer sockets.Close()
	a, err := arena.New(arena.Config{
		Games:    []game.Game{connectfour.New(), chess.New(), werewolf.New()},
		Carriers: map[string]arena.Carrier{"websocket": {Transport: sockets, Terms: terms}},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(sockets)
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	var seats []arena.Seat
	for i := range 9 {
		slug := fmt.Sprint("agent-", i)
		key, _, err := ring.Issue(ctx, keys.Request{Agent: referee.Agent{Slug: slug}, Scopes: []string{transport.ScopePlay}})
		if err != nil {
			t.Fatal(err)
		}
		seats = append(seats, arena.Seat{Agent: referee.Agent{Slug: slug}, Carrier: "websocket"})
		matches := 3
		if i > 1 {
			matches = 1
		}
		wg.Go(func() {
			if status := run(ctx, "ws"+strings.TrimPrefix(server.URL, "http"), key.Reveal(), matches); status != 0 {
				t.Errorf("%s: status %d", slug, status)
			}
		})
	}
	for _, m := range []arena.Match{{Game: "connect-four", Seats: seats[:2]}, {Game: "chess", Seats: seats[:2]}, {Game: "werewolf", Seats: seats}} {
		r, err := a.Play(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		for s, of := range r.Seats {
			if of.Faults != (referee.SeatResult{}).Faults {
				t.Errorf("%s, seat %d: %+v", m.Game, s, of)
			}
		}
		if r.Cause != referee.CausePlay {
			t.Errorf("%s: %v, %s", m.Game, r.Cause, r.Reason)
		}
	}
	wg.Wait() // each leaves by itself
}

// terms are those of ludux/1, with a minute for a move: machines that test are slow at times.
func terms(seats int) (referee.Policy, referee.Clock) {
	policy, clock := ludux.Policy(seats)
	clock.Move = time.Minute
	return policy, clock
}

func TestStatus(t *testing.T) {
	refuse := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer refuse.Close()
	defer http.DefaultClient.CloseIdleConnections()
	near := "ws" + strings.TrimPrefix(refuse.URL, "http")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name, url, key string
		ctx            context.Context
		want           int
	}{
		{"no key", near, "", t.Context(), 2},
		{"no arena", "ws://127.0.0.1:1", "k", t.Context(), 2},
		{"far away", "ws://arena.example", "k", t.Context(), 2},
		{"refused", near, "k", t.Context(), 3},
		{"a signal", near, "k", gone, 0},
	} {
		if got := run(tt.ctx, tt.url, tt.key, 0); got != tt.want {
			t.Errorf("%s: status %d, not %d", tt.name, got, tt.want)
		}
	}
}

func TestNoKey(t *testing.T) {
	var said strings.Builder
	log.SetOutput(&said)
	defer log.SetOutput(io.Discard)
	if status := run(t.Context(), "wss://arena.example", "", 0); status != 2 || !strings.Contains(said.String(), "LUDUX_KEY") {
		t.Errorf("status %d: %s", status, said.String())
	}
}
