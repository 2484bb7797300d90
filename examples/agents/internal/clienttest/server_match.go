package clienttest

import (
	"encoding/json"
	"time"
)

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
	s.status, s.polls = "ai", s.Polls
}

// settle makes the house's move if it is time. The lock is held.
func (s *Server) settle() {
	if s.status != "ai" || s.polls > 0 {
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

// observe gives the observation. A poll that may be held would be until the house has moved, which takes it no time.
func (s *Server) observe(wait bool) (status int, answer []byte, held bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if held = s.Holds && wait; held {
		s.polls = 0
	}
	s.settle()
	if s.status != "ai" {
		return 200, s.observation(), held
	}
	if !s.polled.IsZero() && time.Since(s.polled) < pace {
		s.wrong("observe: %v after the last poll", time.Since(s.polled))
	}
	s.polls--
	s.polled = time.Now()
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
