package gridarena

import (
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Status is the member status of what is shown of a match.
type Status string

// Statuses.
const (
	StatusAgent     Status = "agent"     // the agent is to move
	StatusAI        Status = "ai"        // the opponent is
	StatusCompleted Status = "completed" // played to its end
	StatusExpired   Status = "expired"   // ended by something else; Reason says by what
	StatusFailed    Status = "failed"    // the host's infrastructure failed: the match counts for nothing
)

// Reason says why a match expired.
type Reason string

// Reasons.
const (
	ReasonTurnTimeout     Reason = "turn_timeout"     // the agent's turn
	ReasonAbandoned       Reason = "abandoned"        // by the agent
	ReasonMatchExpired    Reason = "match_expired"    // the hour was over
	ReasonForfeit         Reason = "forfeit"          // the agent's, by another fault than time
	ReasonOpponentForfeit Reason = "opponent_forfeit" // by whatever fault, or by walking away
	ReasonAdjudicated     Reason = "adjudicated"      // by the host
)

// Outcome is how a match ended for its agent.
type Outcome string

// Outcomes.
const (
	Win  Outcome = "win"  // alone in first place
	Draw Outcome = "draw" // not alone
	Loss Outcome = "loss"
	None Outcome = "none" // the match failed
)

// End is how a match ended, as this format tells it.
type End struct {
	Status   Status
	Reason   Reason    // "" unless Status is StatusExpired
	Winner   game.Seat // game.Spectator: none, or several
	Outcome  Outcome
	Verified bool // a verified win of the agent: by play alone
}

// EndOf gives the end of a match for the seat of its agent.
func EndOf(seat game.Seat, r *referee.Result) End { panic("soon") }
