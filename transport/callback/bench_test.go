package callback_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// spread is an agent that plays all over the board, so that matches are not short.
func spread(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
	return agentarena.Reply{Move: m.Legal[m.MoveNumber*3%len(m.Legal)]}, nil
}

func benchAgent(b *testing.B) string {
	h, err := callback.Agent(spread, callback.AgentOptions{})
	if err != nil {
		b.Fatal(err)
	}
	return serve(b, h)
}

// BenchmarkRoundTrip asks two agents of one server for the moves of whole
// matches: a round trip is one request that was answered and judged.
func BenchmarkRoundTrip(b *testing.B) {
	url := benchAgent(b)
	t := newTransport(b, practice(nil))
	setup := referee.Setup{Table: connectFour(b)}
	policy, clock := agentarena.Policy(2)
	var players [2]referee.Player
	for i, slug := range []string{"ann", "bob"} {
		a := referee.Agent{Slug: slug, Name: slug}
		players[i] = seat(b, t, slug, url+"/play")
		setup.Seats = append(setup.Seats, referee.SeatInfo{Agent: a, Transport: "callback", Policy: policy, Clock: clock})
	}
	n := 0
	b.ReportAllocs()
	for i := uint64(0); b.Loop(); i++ {
		if i < uint64(n) { // one match is many operations
			continue
		}
		setup.ID, setup.Secret = fmt.Sprint("bench-", i), game.SeedFrom(i)
		r, err := new(referee.Local).Play(b.Context(), setup, players[:]...)
		if err != nil {
			b.Fatal(err)
		}
		for _, seat := range r.Seats {
			if seat.Strikes != 0 {
				b.Fatal("a strike")
			}
			n += seat.Moves
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "roundtrips/s")
}

// BenchmarkFloor posts a request of the same form with a bare http.Client to the
// same agent, JSON written and read at both ends.
func BenchmarkFloor(b *testing.B) {
	url := benchAgent(b)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	defer client.CloseIdleConnections()
	type request struct {
		Protocol   string   `json:"protocol"`
		Type       string   `json:"type"`
		MatchID    string   `json:"match_id"`
		Game       string   `json:"game"`
		You        string   `json:"you"`
		Opponent   string   `json:"opponent"`
		MoveNumber int      `json:"move_number"`
		Board      string   `json:"board"`
		Legal      []string `json:"legal"`
		Strikes    int      `json:"strikes"`
		DeadlineMS int      `json:"deadline_ms"`
		Nonce      string   `json:"nonce"`
		ReplayURL  string   `json:"replay_url"`
	}
	m := request{
		Protocol: "agentarena/1", Type: "move_request", MatchID: "bench", Game: "connect4", You: "X", Opponent: "bob",
		Board: "```\n .......\n .......\n .......\n ...O...\n ...X...\n ..XOX..\n abcdefg\n```",
		Legal: []string{"a", "b", "c", "d", "e", "f", "g"}, DeadlineMS: 10000, Nonce: "0123456789abcdef0123456789abcdef", ReplayURL: "https://arena.example/m/bench",
	}
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		m.MoveNumber++
		body, err := json.Marshal(&m)
		if err != nil {
			b.Fatal(err)
		}
		resp, err := client.Post(url+"/play", "application/json", bytes.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		body, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK {
			b.Fatal(resp.Status, err)
		}
		var reply struct{ Move, Nonce, Reason string }
		if err := json.Unmarshal(body, &reply); err != nil || reply.Nonce != m.Nonce {
			b.Fatal(string(body), err)
		}
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "roundtrips/s")
}
