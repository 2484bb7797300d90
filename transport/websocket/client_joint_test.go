package websocket_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestClientJoint: a Client on several seats that are asked at once thinks about each as long as it likes, and none of its answers goes to
// another seat; over connections that break while it thinks, and when half of the answers are there.
func TestClientJoint(t *testing.T) {
	for _, think := range [][3]int{{0, 0, 0}, {3, 2, 1}, {1, 2, 3}, {2, 3, 1}, {2, 2, 2}} { // seconds, by seat
		for _, cut := range []time.Duration{0, 500 * time.Millisecond, 1500 * time.Millisecond, 2500 * time.Millisecond} {
			t.Run(fmt.Sprint(think, cut), func(t *testing.T) {
				virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					w := &walker{T: t, h: h, slug: "ann"}
					tr := &http.Transport{DialContext: w.dial}
					defer tr.CloseIdleConnections()
					c, err := websocket.Dial(ctx, "ws://localhost/agents", websocket.DialOptions{
						Key: "key-ann", HTTPClient: &http.Client{Transport: tr}, Pause: time.Millisecond, MaxPause: time.Millisecond,
						Told: func(m ludux.Message) {
							if e, ok := m.(*ludux.Error); ok {
								t.Errorf("%s: %s", e.Code, e.Message)
							}
						},
						Failed: func(err error) {
							if lost := new(websocket.LostError); !errors.As(err, &lost) {
								t.Error(err)
							}
						},
					})
					if err != nil {
						t.Fatal(err)
					}
					var mu sync.Mutex
					calls := map[string]int{}
					var wg sync.WaitGroup
					wg.Go(func() {
						c.Run(ctx, func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
							mu.Lock()
							calls[fmt.Sprint(m.Seat, "/", m.Seq)]++
							mu.Unlock()
							time.Sleep(time.Duration(think[m.Seat]) * time.Second)
							return &ludux.ActionResponse{Action: m.LegalActions[0]}, nil
						})
					})
					b := h.jointly("ann", "ann", "ann")
					if cut > 0 {
						time.Sleep(cut)
						w.cut()
					}
					b.whole()
					synctest.Wait()
					cancel()
					wg.Wait()
					for seat := range 3 {
						for seq := range 2 {
							if n := calls[fmt.Sprint(seat, "/", seq+1)]; n != 1 {
								t.Errorf("seat %d was asked %d times at seq %d", seat, n, seq+1)
							}
						}
					}
				})
			})
		}
	}
}

// TestClientSeatNamed: a Client names its seat where it has others in the match, also in an answer that it gives again, and nowhere else.
func TestClientSeatNamed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			for _, tt := range []struct {
				match     string
				opponents []ludux.Opponent
				named     bool
			}{
				{"alone", nil, false},
				{"against another", []ludux.Opponent{{Slug: "bob", Seat: 1}}, false},
				{"against one of no name", []ludux.Opponent{{Seat: 1}}, false},
				{"against itself", []ludux.Opponent{{Slug: "bob", Seat: 1}, {Slug: "ann", Seat: 2}}, true},
			} {
				m := stubRequest(tt.match, 1, time.Minute)
				m.Opponents = tt.opponents
				for range 2 {
					c.send(m)
					r := c.response()
					if r == nil || r.MatchID != tt.match || (r.Seat != nil) != tt.named || tt.named && *r.Seat != m.Seat {
						t.Errorf("%s: %+v", tt.match, r)
					}
				}
			}
			cancel()
			c.gone()
		})
		s.run(ctx, s.options(), func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			r, err := first(ctx, m)
			r.Seat = new(game.Seat(7)) // which is filled in, as the rest is
			return r, err
		})
	})
}
