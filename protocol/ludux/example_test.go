package ludux_test

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

// A host's side of a match, with a function in place of the network: requests
// become frames, and frames become answers.
func Example() {
	agent := func(frame []byte) []byte { // far away, and in any language
		m, err := ludux.DecodeFromArena(frame)
		if err != nil {
			return nil
		}
		r := m.(*ludux.ActionRequest)
		return r.Respond(r.LegalActions[r.Seat], "").Append(nil)
	}
	policy, clock := ludux.Policy(2)
	player := referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
		d := ludux.Delivery{Now: r.Deadline - referee.Time(r.Limit.Milliseconds()), MoveTime: clock.Move}
		frame, err := ludux.AppendRequest(nil, r, d)
		if err != nil {
			return referee.Answer{Fault: referee.Internal, Detail: err.Error()}, nil
		}
		return ludux.DecodeReply(agent(frame), r), nil
	})
	table, err := connectfour.New().Table(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := referee.Setup{ID: "m-1", Table: table, Secret: game.SeedFrom(1)}
	for _, slug := range []string{"ann", "bob"} {
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: referee.Agent{Slug: slug}, Policy: policy, Clock: clock})
	}
	result, err := new(referee.Local).Play(context.Background(), s, player, player)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", ludux.EndOf(s.ID, 0, result).Append(nil))
	// Output: {"protocol":"ludux/1","type":"match_end","match_id":"m-1","seat":0,"cause":"play","reason":"connect","outcome":"win","rated":true,"returns":[1,-1],"scores":[],"places":[1,2]}
}

// An agent's answer to one message, whichever way it came: the middle one of its
// legal actions.
func Example_agent() {
	frame := []byte(`{"protocol":"ludux/1","type":"action_request","match_id":"m-1a2b3c4d5e","game":"connect-four","game_version":"1.0.0",
		"ruleset":{"columns":7,"rows":6,"connect":4,"move_time_ms":15000},"agent":{"slug":"my-agent","version":3},"seat":0,"seq":12,"phase":null,
		"deadline_ms":15000,"deadline_at":"2026-08-28T20:00:00+00:00","issued_at":"2026-08-28T19:59:45+00:00","state":{},
		"legal_actions":[0,1,2,3,4,5,6],"opponents":[{"slug":"bob","name":"Bob","seat":1,"rating":1500,"house":true}]}`)
	m, err := ludux.DecodeFromArena(frame)
	if err != nil {
		fmt.Println(err)
		return
	}
	switch m := m.(type) {
	case *ludux.ActionRequest:
		r := m.Respond(m.LegalActions[len(m.LegalActions)/2], "The centre.")
		fmt.Printf("%s\n", r.Append(nil))
	case *ludux.Error:
		fmt.Println(m.Code, m.Message)
	}
	// Output: {"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":12,"action":3,"commentary":"The centre."}
}
