package clienttest

import (
	"io"
	"net/http"
	"time"
)

// trouble makes trouble.
func (s *Server) trouble(w http.ResponseWriter, r *http.Request, t Trouble) {
	if t.Then != nil {
		t.Then()
	}
	switch {
	case t.Drop:
		panic(http.ErrAbortHandler)
	case t.Stall:
		select {
		case <-r.Context().Done():
		case <-s.quiet:
		case <-time.After(patience / 2):
			s.mu.Lock()
			defer s.mu.Unlock()
			s.wrong("it waits for ever")
		}
	case t.Drip != "":
		s.drip(w, t.Drip)
	default:
		for k, v := range t.Header {
			w.Header()[k] = v
		}
		if !t.retryAfter.IsZero() {
			s.mu.Lock()
			s.clients = t.retryAfter
			s.mu.Unlock()
		}
		w.WriteHeader(t.Status)
		io.WriteString(w, t.Body)
	}
}

// drip is an answer that goes on and never comes to its end.
func (s *Server) drip(w http.ResponseWriter, begin string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	if _, err = io.WriteString(conn, begin); err != nil {
		return
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	over := time.After(patience / 2)
	for {
		select {
		case <-tick.C:
			if _, err = io.WriteString(conn, "x"); err != nil {
				return
			}
		case <-s.quiet:
			return
		case <-over:
			s.mu.Lock()
			defer s.mu.Unlock()
			s.wrong("it listens for ever")
			return
		}
	}
}
