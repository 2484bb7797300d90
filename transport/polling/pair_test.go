package polling_test

import (
	"context"
	"errors"
	"testing"

	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/polling"
)

// TestPair plays one agent on both seats, one match after the other, and once however often it is asked for.
func TestPair(t *testing.T) {
	h := newHost(t, nil, func(o *polling.Options) { o.Limits.Starts, o.Limits.Active = 2, 1 })
	ann := &transport.Grant{Agent: referee.Agent{Slug: "ann", Name: "ann"}, Account: "ann"}
	first := gridarena.Create{Opponent: "quick", AgentSeat: 1, Control: gridarena.Production, RequestID: uuid(1)}
	if s := polling.Swapped(first); s.AgentSeat != 0 || s.RequestID == first.RequestID || s.Opponent != first.Opponent || s.Control != first.Control {
		t.Fatalf("%+v", s)
	}
	var seats []int
	for range 2 {
		seats = nil
		results, err := h.polls.Pair(t.Context(), ann, first, func(c gridarena.Create, match string) {
			seats = append(seats, int(c.AgentSeat))
			path := "/matches/" + match
			for n, o := 0, h.await(path); o.Status == "agent"; n++ {
				h.play(path, o, n)
				o = h.await(path)
			}
		})
		if err != nil || len(results) != 2 || results[0].End.Status != "completed" || results[0].AgentSeat != 1 || results[1].AgentSeat != 0 || results[0].MatchID == results[1].MatchID {
			t.Fatal(results, err)
		}
	}
	if len(seats) != 2 || seats[0] != 1 || seats[1] != 0 {
		t.Error(seats)
	}
	var p *gridarena.Problem
	first.RequestID = uuid(2)
	if results, err := h.polls.Pair(t.Context(), ann, first, nil); !errors.As(err, &p) || p.Code != gridarena.CodeQuotaAccount || len(results) != 0 {
		t.Error(results, err)
	}
	first.AgentSeat = 2
	if _, err := h.polls.Pair(t.Context(), ann, first, nil); !errors.As(err, &p) || p.Code != gridarena.CodeMalformed {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	bob := &transport.Grant{Agent: referee.Agent{Slug: "bob"}, Account: "bob"}
	first.AgentSeat = 0
	if results, err := h.polls.Pair(ctx, bob, first, func(gridarena.Create, string) { cancel() }); !errors.Is(err, context.Canceled) || len(results) != 0 {
		t.Error(results, err)
	}
}
