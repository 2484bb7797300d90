package websocket_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	ws "github.com/coder/websocket"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// concurrency is how many conversations there are at once.
var concurrency = []int{1, 64}

// BenchmarkRoundTrip asks agents over loopback for their moves in whole matches of Connect Four against a player in the process: a
// round trip is one request that was sent, answered and judged.
func BenchmarkRoundTrip(b *testing.B) {
	for _, n := range concurrency {
		b.Run(fmt.Sprint("c", n), func(b *testing.B) {
			tr, err := websocket.New(websocket.Options{Auth: new(keyring)})
			if err != nil {
				b.Fatal(err)
			}
			server := httptest.NewServer(tr)
			defer server.Close()
			defer tr.Close()
			var agents, matches sync.WaitGroup
			var conns []*ws.Conn
			for i := range n {
				c, _, err := ws.Dial(b.Context(), strings.Replace(server.URL, "http", "ws", 1), &ws.DialOptions{HTTPHeader: http.Header{"Authorization": {fmt.Sprint("Bearer key-agent-", i)}}})
				if err != nil {
					b.Fatal(err)
				}
				conns = append(conns, c)
				agents.Go(func() { spread(c) })
			}
			table, err := connectFour.Table(nil)
			if err != nil {
				b.Fatal(err)
			}
			var left, done atomic.Int64
			left.Store(int64(b.N))
			b.ReportAllocs()
			b.ResetTimer()
			for i := range n {
				matches.Go(func() {
					for round := uint64(0); left.Load() > 0; round++ {
						moves, err := benchMatch(b.Context(), tr, table, i, round)
						if err != nil {
							b.Error(err)
							return
						}
						left.Add(-moves)
						done.Add(moves)
					}
				})
			}
			matches.Wait()
			b.StopTimer()
			b.ReportMetric(float64(done.Load())/b.Elapsed().Seconds(), "roundtrips/s")
			for _, c := range conns {
				c.CloseNow()
			}
			agents.Wait()
		})
	}
}

// benchMatch plays one match of agent i, and gives how often it was asked.
func benchMatch(ctx context.Context, tr *websocket.Transport, table *game.Table, i int, round uint64) (moves int64, err error) {
	a := referee.Agent{Slug: fmt.Sprint("agent-", i)}
	policy, clock := ludux.Policy(2)
	s := referee.Setup{ID: fmt.Sprintf("m-%d-%d", i, round), Table: table, Secret: game.SeedFrom(round), Seats: []referee.SeatInfo{
		{Agent: a, Transport: "websocket", Policy: policy, Clock: clock}, {Agent: referee.Agent{Slug: "house"}},
	}}
	p, err := tr.Player(ctx, a)
	if err != nil {
		return 0, err
	}
	r, err := new(referee.Local).Play(ctx, s, p, referee.Inline(func(r *referee.Request) referee.Answer {
		legal := r.Listed()
		return referee.Answer{Action: legal[filling(int(r.Turn))%len(legal)]}
	}))
	if err != nil || r.Seats[0].Faults != (referee.SeatResult{}).Faults {
		return 0, fmt.Errorf("%v: %+v", err, r)
	}
	return int64(r.Seats[0].Moves), nil
}

// filling is which of the legal columns is played at a ply so that the board fills up before anybody wins.
func filling(ply int) int { return ply*6 + ply/6 }

// request is what agents of the benchmarks read of a request.
type benchRequest struct {
	Protocol     string            `json:"protocol"`
	Type         string            `json:"type"`
	MatchID      string            `json:"match_id"`
	Game         string            `json:"game"`
	GameVersion  string            `json:"game_version"`
	Ruleset      json.RawMessage   `json:"ruleset"`
	Agent        benchAgent        `json:"agent"`
	Seat         int               `json:"seat"`
	Seq          int               `json:"seq"`
	Phase        *string           `json:"phase"`
	DeadlineMS   int               `json:"deadline_ms"`
	DeadlineAt   string            `json:"deadline_at"`
	IssuedAt     string            `json:"issued_at"`
	State        benchState        `json:"state"`
	LegalActions []json.RawMessage `json:"legal_actions"`
	Opponents    []benchAgent      `json:"opponents"`
}

type benchAgent struct {
	Slug    string   `json:"slug"`
	Name    string   `json:"name,omitempty"`
	Version *int     `json:"version,omitempty"`
	Seat    int      `json:"seat"`
	Rating  *float64 `json:"rating"`
	House   bool     `json:"house"`
}

type benchState struct {
	Board       [][]*int        `json:"board"`
	YouAre      int             `json:"you_are"`
	ToMove      int             `json:"to_move"`
	Ply         int             `json:"ply"`
	LastMove    json.RawMessage `json:"last_move"`
	MoveHistory []int           `json:"move_history"`
}

type benchResponse struct {
	Protocol string          `json:"protocol"`
	Type     string          `json:"type"`
	MatchID  string          `json:"match_id"`
	Seq      int             `json:"seq"`
	Action   json.RawMessage `json:"action"`
}

// reply decodes a message and gives the frame of the answer to a request; it plays so that the board fills up.
func reply(frame []byte) ([]byte, error) {
	var m benchRequest
	if err := json.Unmarshal(frame, &m); err != nil || m.Type != "action_request" {
		return nil, err
	}
	return json.Marshal(&benchResponse{m.Protocol, "action_response", m.MatchID, m.Seq, m.LegalActions[filling(m.State.Ply)%len(m.LegalActions)]})
}

// spread is an agent.
func spread(c *ws.Conn) {
	c.SetReadLimit(-1)
	ctx := context.Background()
	for {
		_, frame, err := c.Read(ctx)
		if err != nil {
			return
		}
		if frame, err = reply(frame); err == nil && frame != nil {
			err = c.Write(ctx, ws.MessageText, frame)
		}
		if err != nil {
			return
		}
	}
}

// floorRequest is a request in the midst of a match.
var floorRequest = []byte(`{"protocol":"ludux/1","type":"action_request","match_id":"m-1-1","game":"connect-four","game_version":"1.0.0",` +
	`"ruleset":{"columns":7,"connect":4,"rows":6,"move_time_ms":15000},"agent":{"slug":"agent-1","version":null},"seat":1,"seq":8,"phase":null,` +
	`"deadline_ms":15000,"deadline_at":"2026-08-28T20:00:00+00:00","issued_at":"2026-08-28T19:59:45+00:00",` +
	`"state":{"board":[[0,0,1,1,0,1,1],[null,0,null,1,null,null,null],[null,1,null,0,null,null,null],[null,null,null,1,null,null,null],` +
	`[null,null,null,null,null,null,null],[null,null,null,null,null,null,null]],"you_are":1,"to_move":1,"ply":15,` +
	`"last_move":{"seat":0,"column":3,"row":2},"move_history":[0,3,6,2,5,1,4,0,3,6,2,5,1,4,0]},"legal_actions":[0,1,2,3,4,5,6],` +
	`"opponents":[{"slug":"agent-0","name":"X","seat":0,"rating":null,"house":false}]}`)

// BenchmarkFloor is a bare server of the same library that sends a request, encoded with encoding/json, and decodes the answer of the same agents.
func BenchmarkFloor(b *testing.B) {
	for _, n := range concurrency {
		b.Run(fmt.Sprint("c", n), func(b *testing.B) {
			conns := make(chan *ws.Conn)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				c, err := ws.Accept(w, r, nil)
				if err != nil {
					b.Error(err)
				}
				conns <- c
			}))
			defer server.Close()
			var agents, askers sync.WaitGroup
			var left atomic.Int64
			left.Store(int64(b.N))
			var servers []*ws.Conn
			for range n {
				agents.Go(func() {
					c, _, err := ws.Dial(b.Context(), strings.Replace(server.URL, "http", "ws", 1), nil)
					if err != nil {
						b.Error(err)
						return
					}
					spread(c)
					c.CloseNow()
				})
				servers = append(servers, <-conns)
			}
			b.ResetTimer()
			for _, c := range servers {
				askers.Go(func() {
					var m benchRequest
					if err := json.Unmarshal(floorRequest, &m); err != nil {
						b.Error(err)
					}
					for left.Add(-1) >= 0 {
						m.Seq++
						frame, err := json.Marshal(&m)
						if err == nil {
							err = c.Write(b.Context(), ws.MessageText, frame)
						}
						if err == nil {
							_, frame, err = c.Read(b.Context())
						}
						var a benchResponse
						if err == nil {
							err = json.Unmarshal(frame, &a)
						}
						if err != nil || a.Seq != m.Seq {
							b.Error(a, err)
							return
						}
					}
				})
			}
			askers.Wait()
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "roundtrips/s")
			for _, c := range servers {
				c.CloseNow()
			}
			agents.Wait()
		})
	}
}
