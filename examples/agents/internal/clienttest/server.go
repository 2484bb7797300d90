package clienttest

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
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
	Think   time.Duration         // of the house
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
	turnAt  time.Time // the house has moved by then
	polled  time.Time // the last poll that was told "ai"
	changed chan struct{}
	quiet   chan struct{} // closes with the server
	unheld  int           // polls that were told "ai" at once
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
	s := &Server{kinds: map[string]int{}, moves: map[string]string{}, sent: map[string]string{}, answers: map[string][]byte{}, changed: make(chan struct{}), quiet: make(chan struct{})}
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
		status, answer, held = s.observe(r, time.Duration(wait)*time.Second)
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

// repeated sees to it that a payload comes again as it was, whether or not it was answered before, and gives what it is for. The lock is held.
func (s *Server) repeated(kind string, body []byte) (purpose string) {
	if kind == "observe" {
		return ""
	}
	var m struct{ Revision int }
	_ = json.Unmarshal(body, &m) // what is wrong with it is told elsewhere
	purpose = fmt.Sprint(kind, m.Revision)
	if before, ok := s.sent[purpose]; ok && before != string(body) {
		s.wrong("%s: not what came before\n%s\n%s", kind, before, body)
	}
	s.sent[purpose] = string(body)
	return purpose
}

// forget lets another payload come.
func (s *Server) forget(purpose string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sent, purpose)
}

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
		case <-time.After(20 * time.Second):
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
	over := time.After(20 * time.Second)
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

// check looks at what every request has to be, and tells its kind.
func (s *Server) check(r *http.Request, body []byte) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if auth := r.Header.Values("Authorization"); len(auth) != 1 || auth[0] != "Bearer "+Key {
		s.wrong("%s %s: authorization %q", r.Method, r.URL, auth)
	}
	if strings.Contains(r.URL.String(), "canary") || bytes.Contains(body, []byte("canary")) {
		s.wrong("%s %s: the key is in it", r.Method, r.URL)
	}
	for name := range r.Header {
		if name != "Authorization" && strings.Contains(r.Header.Get(name), "canary") {
			s.wrong("%s %s: the key is in %s", r.Method, r.URL, name)
		}
	}
	kind := ""
	switch {
	case r.Method == http.MethodPost && r.URL.Path == prefix:
		kind = "create"
	case r.Method == http.MethodGet && r.URL.Path == prefix+"/m1":
		kind = "observe"
	case r.Method == http.MethodPost && r.URL.Path == prefix+"/m1/moves":
		kind = "move"
	default:
		s.wrong("%s %s: no such thing", r.Method, r.URL)
	}
	if r.URL.RawQuery != "" {
		s.wrong("%s: a query %q", kind, r.URL.RawQuery)
	}
	if kind == "create" || kind == "move" {
		if c := r.Header.Get("Content-Type"); c != "application/json" {
			s.wrong("%s: content-type %q", kind, c)
		}
	} else if len(body) > 0 {
		s.wrong("%s: a body", kind)
	}
	if p := r.Header.Get("Prefer"); p != "" {
		if n, err := strconv.Atoi(strings.TrimPrefix(p, "wait=")); err != nil || n < 1 || n > 60 || kind != "observe" {
			s.wrong("%s: prefer %q", kind, p)
		}
	}
	return kind
}

func problem(status int, code string) (int, []byte) {
	return status, fmt.Appendf(nil, `{"type":"about:blank","title":"%s","status":%d,"code":"%s","detail":"so says the server"}`, http.StatusText(status), status, code)
}

// strict decodes a payload that has these members and no others.
func strict(body []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// begin creates the match, once for each payload.
func (s *Server) begin(body []byte) (int, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var c struct {
		Opponent, Name, Control, RequestID string
		AgentSeat                          *int
	}
	err := strict(body, &c)
	if err != nil || c.Opponent == "" || c.AgentSeat == nil || *c.AgentSeat < 0 || *c.AgentSeat > 1 || !uuid.MatchString(c.RequestID) ||
		c.Control != "production" && c.Control != "untimed" {
		s.wrong("create: %v: %s", err, body)
		return problem(400, "malformed")
	}
	if s.create == "" {
		s.create, s.seat = string(body), *c.AgentSeat
		s.created++
		s.status = "agent"
		if s.seat == 1 {
			s.house()
		}
		s.answers["create"] = s.observation()
		return 201 - s.seat, s.answers["create"] // either will do
	}
	if s.create != string(body) {
		s.wrong("create: another payload\n%s\n%s", s.create, body)
		return problem(409, "id_reused")
	}
	return 201 - s.seat, s.answers["create"]
}

// house makes it the house's turn.
func (s *Server) house() {
	s.status, s.turnAt = "ai", time.Now().Add(s.Think)
}

// settle makes the house's move if it is time. The lock is held.
func (s *Server) settle() {
	if s.status != "ai" || time.Now().Before(s.turnAt) {
		return
	}
	for i := cells - 1; i >= 0; i-- {
		if s.board[i] < 0 {
			s.set(1-s.seat, i)
			break
		}
	}
	if s.status == "ai" {
		s.status = "agent"
	}
}

// set sets a mark, and ends the match where it is time.
func (s *Server) set(seat, cell int) {
	s.board[cell] = seat
	s.history = append(s.history, mark{Seat: seat, Row: cell / 9, Col: cell % 9, At: time.Now().UTC().Format("2006-01-02T15:04:05.000+00:00")})
	end := s.End
	if end == 0 {
		end = cells
	}
	if len(s.history) >= end {
		s.status = "completed"
		if s.How != "" {
			s.status = s.How
		}
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

// move makes a move of the agent's.
func (s *Server) move(body []byte) (int, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var m struct {
		Revision, Row, Col *int
		MoveID             string
	}
	err := strict(body, &m)
	if err != nil || m.Revision == nil || m.Row == nil || m.Col == nil || !uuid.MatchString(m.MoveID) {
		s.wrong("move: %v: %s", err, body)
		return problem(400, "malformed")
	}
	if before, ok := s.moves[m.MoveID]; ok {
		if before != string(body) {
			s.wrong("move: another payload\n%s\n%s", before, body)
			return problem(409, "id_reused")
		}
		return 200, s.answers[m.MoveID]
	}
	s.settle()
	cell := *m.Row*9 + *m.Col
	switch {
	case s.status != "agent" || *m.Revision != len(s.history):
		return problem(409, "stale_revision")
	case *m.Row < 0 || *m.Row > 8 || *m.Col < 0 || *m.Col > 8 || s.board[cell] >= 0:
		s.wrong("move: an illegal cell: %s", body)
		return problem(422, "illegal")
	}
	s.set(s.seat, cell)
	if s.status == "agent" {
		s.house()
	}
	s.moves[m.MoveID], s.answers[m.MoveID] = string(body), s.observation()
	return 200, s.answers[m.MoveID]
}

// observe gives the observation, after a wait if the client prefers that and the server does.
func (s *Server) observe(r *http.Request, wait time.Duration) (status int, answer []byte, held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settle()
	if s.status != "ai" {
		return 200, s.observation(), s.Holds && wait > 0
	}
	if s.Holds && wait > 0 {
		over := time.After(wait)
		for s.status == "ai" {
			changed, think := s.changed, time.After(time.Until(s.turnAt))
			s.mu.Unlock()
			select {
			case <-changed:
			case <-think:
			case <-over:
				wait = 0
			case <-r.Context().Done():
				wait = 0
			case <-s.quiet:
				wait = 0
			}
			s.mu.Lock()
			s.settle()
			if wait == 0 {
				break
			}
		}
		return 200, s.observation(), true
	}
	if !s.polled.IsZero() && time.Since(s.polled) < pace {
		s.wrong("observe: %v after the last poll", time.Since(s.polled))
	}
	s.polled = time.Now()
	s.unheld++
	return 200, s.observation(), false
}

// observation gives the present one. The lock is held.
func (s *Server) observation() []byte {
	type place struct {
		Row int `json:"row"`
		Col int `json:"col"`
	}
	board, legal := make([][]int, 9), []place{}
	for i, seat := range s.board {
		board[i/9] = append(board[i/9], seat)
		if seat < 0 && s.status == "agent" {
			legal = append(legal, place{i / 9, i % 9})
		}
	}
	now := time.Now().UTC()
	o := map[string]any{
		"matchId": "m1", "benchmarkVersion": "1", "rulesVersion": "grid-arena-2.0", "size": 9, "board": board, "seat": s.seat,
		"symbol": "XO"[s.seat : s.seat+1], "legalMoves": legal, "scores": []int{3, 5}, "revision": len(s.history), "turn": len(s.history) % 2,
		"remainingMs": 30000, "expiresAt": now.Add(time.Hour).Format(time.RFC3339), "serverTime": now.Format(time.RFC3339),
		"history": s.history, "status": s.status, "aiPolicy": map[string]any{"opponent": "fake"}, "timeControl": map[string]any{"control": "production"},
	}
	if s.status != "agent" && s.status != "ai" {
		o["turn"] = nil
	}
	if s.status == "expired" || s.status == "failed" {
		o["reason"] = "abandoned\u001b[31m"
	}
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return b
}

// seed gives numbers for a random source.
func seed() (b [32]byte) {
	rand.Read(b[:])
	return b
}
