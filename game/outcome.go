package game

// Outcome is how a game ended.
type Outcome struct {
	Returns []float64 `json:"returns"`          // per seat, what rating uses; in [Info.MinReturn, Info.MaxReturn]
	Scores  []int64   `json:"scores,omitempty"` // per seat, what people see; the unit is the game's; nil where the game has no points
	Reason  string    `json:"reason"`           // a code for why it ended: "connect", "full", "checkmate"
}

// Places ranks the seats: 1 for the best return; equal returns share a place and the places after it are skipped (1, 1, 3).
func (o Outcome) Places() []int {
	places := make([]int, len(o.Returns))
	for i, mine := range o.Returns {
		places[i] = 1
		for _, other := range o.Returns {
			if other > mine {
				places[i]++
			}
		}
	}
	return places
}
