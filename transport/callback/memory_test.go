package callback

import (
	"context"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"unsafe"

	"github.com/matchreferee/arena/protocol/agentarena"
)

// TestAgentMemory sends long requests: what is kept of each is a hash and the
// answer, which shares no memory with the request.
func TestAgentMemory(t *testing.T) {
	var listed []string
	handler, err := Agent(func(_ context.Context, m agentarena.MoveRequest) (agentarena.Reply, error) {
		listed = append(listed, m.Legal[0])
		return agentarena.Reply{Move: m.Legal[0], Nonce: strings.Repeat("n", 1000)}, nil
	}, AgentOptions{Remember: 2})
	if err != nil {
		t.Fatal(err)
	}
	h := handler.(*agentHandler)
	send := func(i int, move string) {
		t.Helper()
		body := fmt.Sprintf(`{"protocol":"agentarena/1","type":"move_request","match_id":"%d%s","move_number":1,"legal":[%q],"nonce":"x"}`, i, strings.Repeat("i", 100_000), move)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/", strings.NewReader(body)))
		if w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
	}
	for i := range 5 {
		send(i, "abc")
	}
	send(5, strings.Repeat("b", agentarena.MaxReply+1)) // no reply may be so long
	if len(h.thoughts) != 2 || len(h.order) != 2 {
		t.Errorf("%d answers are kept, %d in order", len(h.thoughts), len(h.order))
	}
	for _, thought := range h.thoughts {
		if thought.reply.Move != "abc" || thought.reply.Nonce != "" {
			t.Errorf("kept %+v", thought.reply)
		}
		for _, l := range listed {
			if unsafe.StringData(l) == unsafe.StringData(thought.reply.Move) {
				t.Error("the answer is a part of the request")
			}
		}
	}
}
