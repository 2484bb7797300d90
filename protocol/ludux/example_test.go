package ludux_test

import (
	"fmt"

	"github.com/matchreferee/arena/protocol/ludux"
)

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
