package game

// Outcome is how a game ended.
type Outcome struct {
	Returns []float64 `json:"returns"`          // one a seat, for ratings: from Info.MinReturn to Info.MaxReturn
	Scores  []int64   `json:"scores,omitempty"` // one a seat, for people, in the game's own unit; nil where the game has no points
	Reason  string    `json:"reason"`           // a code for why it ended, such as "connect" or "stalemate"
}

// Places ranks the seats by return, the highest first, from 1. A tie gives the same place to all in it, and as many places after it stay empty (1, 1, 3).
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
