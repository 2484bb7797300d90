package clienttest

import (
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Key is what the server takes. It is found by a search wherever it does not belong.
const Key = "lcb_canary_0123456789abcdefghijklmnopqrstuv"

const (
	prefix = "/api/benchmarks/matches"
	cells  = 81
	pace   = 2 * time.Second // between two polls that are not held
)

var uuid = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// Trouble is what the server does with a request instead of answering it.
type Trouble struct {
	Status     int         // an answer of this status; 0: see the others
	Header     http.Header // of that answer
	Body       string      // of that answer, or in place of what is right if Status is 200
	Drop       bool        // cut the connection
	Stall      bool        // say nothing until the client goes
	Drip       string      // say this, and then a byte now and then until the client goes
	After      bool        // do what was asked before any of this: the answer alone is lost
	Then       func()      // called before the trouble, or before a right answer where there is none
	retryAfter time.Time
}

// Request is one that came, counted from 1.
type Request struct {
	N    int
	Kind string // "create", "observe", "move"
	Nth  int    // of its kind
	Body string
}

// Server is a small Grid arena with one match, whose house takes the last empty cell. What a client does wrong is in Wrongs.
type Server struct {
	*httptest.Server
	Holds   bool                  // Prefer: wait is honoured
	Polls   int                   // that hear of no move yet before the house makes one
	End     int                   // moves after which the match is over; 0: 81
	How     string                // the status then; "": completed
	Trouble func(Request) Trouble // nil: none

	mu      sync.Mutex
	wrongs  []string
	kinds   map[string]int
	n       int
	clients time.Time // no request before then

	sent    map[string]string // payloads by what they are for, until they are refused: nothing else may come for it
	create  string            // the payload that began the match
	moves   map[string]string // payloads by id
	answers map[string][]byte
	created int
	seat    int
	board   [cells]int
	history []mark
	status  string
	polls   int           // that are still to come before the house moves
	polled  time.Time     // the last poll that was told "ai"
	quiet   chan struct{} // closes with the server
}

type mark struct {
	Seat    int    `json:"seat"`
	Row     int    `json:"row"`
	Col     int    `json:"col"`
	At      string `json:"at"`
	Offence int    `json:"offence"`
	Area    int    `json:"area"`
	Defence int    `json:"defence"`
}

// NewServer starts a server, which the caller closes.
func NewServer() *Server {
	s := &Server{kinds: map[string]int{}, moves: map[string]string{}, sent: map[string]string{}, answers: map[string][]byte{}, quiet: make(chan struct{})}
	for i := range s.board {
		s.board[i] = -1
	}
	s.Server = httptest.NewServer(s)
	return s
}

// Close ends the server, and what it holds.
func (s *Server) Close() {
	close(s.quiet)
	s.Server.Close()
}

// Wrongs tells what clients did wrong.
func (s *Server) Wrongs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.wrongs
}

// Counts tells how many requests of each kind there were, how many matches were begun and how many marks are set.
func (s *Server) Counts() (kinds map[string]int, created, marks int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	kinds = map[string]int{}
	for k, n := range s.kinds {
		kinds[k] = n
	}
	return kinds, s.created, len(s.history)
}

func (s *Server) wrong(format string, args ...any) {
	s.wrongs = append(s.wrongs, fmt.Sprintf(format, args...))
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if err != nil {
		return // it was killed while it sent
	}
	kind := s.check(r, body)
	if kind == "" {
		http.Error(w, `{"code":"not_found"}`, http.StatusNotFound)
		return
	}
	s.mu.Lock()
	s.n++
	s.kinds[kind]++
	req := Request{N: s.n, Kind: kind, Nth: s.kinds[kind], Body: string(body)}
	if left := time.Until(s.clients); left > 0 {
		s.wrong("request %d, %s: %v before Retry-After", req.N, kind, left)
	}
	purpose := s.repeated(kind, body)
	s.mu.Unlock()
	var t Trouble
	if s.Trouble != nil {
		t = s.Trouble(req)
	}
	fails := t.Status != 0 || t.Drop || t.Stall || t.Drip != ""
	if t.Status == http.StatusConflict {
		s.forget(purpose)
	}
	if fails && !t.After {
		s.trouble(w, r, t)
		return
	}
	var status int
	var answer []byte
	held := false
	switch kind {
	case "create":
		status, answer = s.begin(body)
	case "move":
		status, answer = s.move(body)
	default:
		wait, _ := strconv.Atoi(strings.TrimPrefix(r.Header.Get("Prefer"), "wait="))
		status, answer, held = s.observe(wait > 0)
	}
	if status == http.StatusConflict {
		s.forget(purpose)
	}
	if fails {
		s.trouble(w, r, t)
		return
	}
	if t.Then != nil {
		t.Then()
	}
	w.Header().Set("Content-Type", "application/json")
	if held {
		w.Header().Set("Preference-Applied", r.Header.Get("Prefer"))
	}
	if status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "2")
	}
	w.WriteHeader(status)
	w.Write(answer)
}

// seed gives numbers for a random source.
func seed() (b [32]byte) {
	rand.Read(b[:])
	return b
}
