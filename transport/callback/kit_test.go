package callback_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
	"github.com/matchreferee/arena/transport/transporttest"
)

// TestKitSigned holds ludux/1 in signed requests against it, over a network in
// memory and in virtual time.
func TestKitSigned(t *testing.T) {
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		agents := &signedAgents{plays: map[string]transporttest.Play{}, cuts: map[string]chan struct{}{}}
		tr, _ := serveOver(t, agents, callback.Options{})
		return transporttest.Harness{
			Transport: tr,
			Agent: func(a referee.Agent, play transporttest.Play) {
				agents.add("/"+a.Slug, play)
				if err := tr.Register(t.Context(), a, "http://agent.example/"+a.Slug); err != nil {
					t.Fatal(err)
				}
			},
			Cut: func(slug string) { agents.cut("/" + slug) },
		}
	}, transporttest.Options{Terms: ludux.Policy, Virtual: true, Skip: map[string]string{
		"duplicate": "a request is answered by one reply",
	}})
}

// signedAgents are the agents at a host, by path.
type signedAgents struct {
	mu    sync.Mutex
	plays map[string]transporttest.Play
	cuts  map[string]chan struct{} // by path: closing it breaks the connections
}

func (s *signedAgents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	play, cut := s.plays[r.URL.Path], s.cuts[r.URL.Path]
	s.mu.Unlock()
	transporttest.LuduxHandler(func(_ context.Context, t transporttest.Turn) []transporttest.Reply {
		ctx, cancel := context.WithCancel(r.Context())
		answer := make(chan []transporttest.Reply, 1)
		go func() { answer <- play(ctx, t) }()
		defer cancel()
		select {
		case replies := <-answer:
			return replies
		case <-cut:
			return nil
		}
	}).ServeHTTP(w, r)
}

func (s *signedAgents) add(path string, play transporttest.Play) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plays[path], s.cuts[path] = play, make(chan struct{})
}

func (s *signedAgents) cut(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.cuts[path])
	s.cuts[path] = make(chan struct{})
}

// TestKit holds agentarena/1 against the kit of all transports.
func TestKit(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for deadlines")
	}
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		tr := newTransport(t, practice(nil))
		return transporttest.Harness{Transport: tr, Agent: func(a referee.Agent, play transporttest.Play) {
			s := httptest.NewServer(transporttest.AgentArenaHandler(play))
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
