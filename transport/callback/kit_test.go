package callback_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/transporttest"
)

// TestKit holds agentarena/1 against the kit of all transports.
func TestKit(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for deadlines")
	}
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		tr := newTransport(t, practice(nil))
		return transporttest.Harness{Transport: tr, Agent: func(a referee.Agent, play transporttest.Play) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return
				}
				m, err := agentarena.DecodeRequest(body)
				if err != nil {
					t.Error(err)
					return
				}
				replies := play(r.Context(), transporttest.AgentArenaTurn(&m))
				if len(replies) == 0 {
					panic(http.ErrAbortHandler)
				}
				w.Write(replies[0].AgentArena(&m))
			}))
			t.Cleanup(s.Close)
			if err := tr.Register(t.Context(), a, s.URL+"/play"); err != nil {
				t.Fatal(err)
			}
		}}
	}, transporttest.Options{Terms: agentarena.Policy, Skip: map[string]string{
		"duplicate": "a request is answered by one reply",
		"rejected":  "a request is sent once; to ask again is a strike and a new one",
		"reconnect": "a connection that breaks is a strike and a new request",
	}})
}
