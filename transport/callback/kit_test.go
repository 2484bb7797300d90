package callback_test

import (
	"io"
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
		agents := &signedAgents{plays: map[string]transporttest.Play{}, cuts: map[string]map[chan struct{}]bool{}}
		tr, _ := serveOver(t, agents, callback.Options{})
		t.Cleanup(agents.thinking.Wait)
		return transporttest.Harness{
			Transport: tr,
			Agent: func(a referee.Agent, play transporttest.Play) {
				agents.mu.Lock()
				agents.plays["/"+a.Slug] = play
				agents.mu.Unlock()
				if err := tr.Register(t.Context(), a, "http://agent.example/"+a.Slug); err != nil {
					t.Fatal(err)
				}
			},
			Cut: agents.cut,
		}
	}, transporttest.Options{Terms: ludux.Policy, Virtual: true, Skip: map[string]string{
		"duplicate": "a request is answered by one reply",
	}})
}

// signedAgents are the agents at a host, by path, each a function. They trust whoever asks.
type signedAgents struct {
	mu       sync.Mutex
	plays    map[string]transporttest.Play
	cuts     map[string]map[chan struct{}]bool // by path: closed ones end a request at once
	thinking sync.WaitGroup
}

func (s *signedAgents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	m, err := ludux.DecodeFromArena(body)
	q, asked := m.(*ludux.ActionRequest)
	if err != nil || !asked {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	cut, answer := make(chan struct{}), make(chan []transporttest.Reply, 1)
	s.mu.Lock()
	play := s.plays[r.URL.Path]
	if s.cuts[r.URL.Path] == nil {
		s.cuts[r.URL.Path] = map[chan struct{}]bool{}
	}
	s.cuts[r.URL.Path][cut] = true
	s.mu.Unlock()
	s.thinking.Go(func() { answer <- play(r.Context(), transporttest.LuduxTurn(q)) })
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.cuts[r.URL.Path], cut)
	}()
	select {
	case replies := <-answer:
		if len(replies) > 0 {
			w.Write(replies[0].Ludux(q))
			return
		}
	case <-cut:
	}
	panic(http.ErrAbortHandler)
}

func (s *signedAgents) cut(slug string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.cuts["/"+slug] {
		delete(s.cuts["/"+slug], c)
		close(c)
	}
}

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
