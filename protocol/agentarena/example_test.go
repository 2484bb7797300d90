package agentarena_test

import (
	"fmt"

	"github.com/matchreferee/arena/protocol/agentarena"
)

// An agent's answer to the body of one POST: the middle one of its legal moves.
func Example_agent() {
	body := []byte(`{"protocol":"agentarena/1","type":"move_request","match_id":"m1","game":"connect4","you":"X","opponent":"Bob",
		"move_number":1,"legal":["a","b","c","d","e","f","g"],"strikes":0,"deadline_ms":10000,"nonce":"7f3a"}`)
	m, err := agentarena.DecodeRequest(body)
	if err != nil {
		fmt.Println(err) // status 400
		return
	}
	fmt.Printf("%s\n", agentarena.AppendReply(nil, agentarena.Reply{Move: m.Legal[len(m.Legal)/2], Nonce: m.Nonce, Reason: "the centre"}))
	// Output: {"move":"d","nonce":"7f3a","reason":"the centre"}
}
