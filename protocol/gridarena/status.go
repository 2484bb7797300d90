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

// Over reports whether nobody will move any more.
func (s Status) Over() bool {
	return s == StatusCompleted || s == StatusExpired || s == StatusFailed
}

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
	Draw Outcome = "draw" // in first place, and not alone
	Loss Outcome = "loss" // behind somebody
	None Outcome = "none" // the match failed, or nobody can say who is first
)

// End is how a match ended, as this format tells it.
type End struct {
	Status   Status
	Reason   Reason    // "" unless Status is [StatusExpired]
	Winner   game.Seat // game.Spectator: none, or several
	Outcome  Outcome   // for the agent
	Verified bool      // a verified win of the agent: by play alone
}

// EndOf gives the end of a match for the seat of its agent. When the hour of a match is
// over the referee names no winner; here its agent has lost, and of two seats
// the other one has won. An agent that has left a match which others played on has abandoned it,
// and lost whatever their end was.
func EndOf(seat game.Seat, r *referee.Result) End {
	e := End{Status: StatusExpired, Winner: game.Spectator, Outcome: None}
	own := seat >= 0 && int(seat) < len(r.Seats) && r.Seats[seat].Out
	switch r.Cause {
	case referee.CausePlay:
		if own { // others played on
			e.Reason = ReasonAbandoned
			break
		}
		e.Status = StatusCompleted
	case referee.CauseForfeit:
		switch {
		case !own:
			e.Reason = ReasonOpponentForfeit
		case r.Reason == referee.Late.String():
			e.Reason = ReasonTurnTimeout
		default:
			e.Reason = ReasonForfeit
		}
	case referee.CauseAbandonment:
		if e.Reason = ReasonOpponentForfeit; own {
			e.Reason = ReasonAbandoned
		}
	case referee.CauseAdjudication:
		e.Reason = ReasonAdjudicated
	case referee.CauseExpiry:
		e.Reason, e.Outcome = ReasonMatchExpired, Loss
		if own {
			e.Reason = ReasonAbandoned
		}
		if len(r.Seats) == 2 && (seat == 0 || seat == 1) {
			e.Winner = 1 - seat
		}
		return e
	default:
		e.Status = StatusFailed
		return e
	}
	first := game.SeatSet(0)
	for s, place := range r.Places {
		if place == 1 {
			first = first.With(game.Seat(s))
		}
	}
	if first.Len() == 1 {
		e.Winner = first.First()
	}
	switch {
	case first == 0:
	case !first.Has(seat):
		e.Outcome = Loss
	case first.Len() > 1:
		e.Outcome = Draw
	default:
		e.Outcome = Win
	}
	if own && r.Cause == referee.CausePlay {
		e.Outcome = Loss
		if e.Winner == seat {
			e.Winner = game.Spectator
		}
	}
	e.Verified = e.Outcome == Win && r.Verified()
	return e
}
