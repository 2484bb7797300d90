package main

import "encoding/json"

// Observation is what the server sends, as far as this client and most solvers
// need it; All is the whole of it.
type Observation struct {
	MatchID     string            `json:"matchId"`
	Status      string            `json:"status"`
	Reason      *string           `json:"reason"`
	Seat        *int              `json:"seat"`
	Board       [][]int           `json:"board"`      // of the grid: whose mark, or -1
	LegalMoves  []json.RawMessage `json:"legalMoves"` // {"row":4,"col":4} each, of the grid
	Scores      json.RawMessage   `json:"scores"`     // [12,9] of the grid
	Revision    *int              `json:"revision"`
	RemainingMs int64             `json:"remainingMs"`
	All         json.RawMessage   `json:"-"`
}

// choose gives one of o.LegalMoves. Replace this with your solver.
func choose(o Observation) (json.RawMessage, error) { return o.LegalMoves[0], nil }
