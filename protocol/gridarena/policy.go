package gridarena

import (
	"fmt"
	"time"

	"github.com/matchreferee/arena/referee"
)

// Control says whether an agent's turns have a clock of their own.
type Control string

// Controls.
const (
	Production Control = "production" // 30 s a turn
	Untimed    Control = "untimed"    // the hour of the match alone
)

const (
	moveTime  = 30 * time.Second
	matchTime = time.Hour
)

// Validate refuses names that are no control.
func (c Control) Validate() error {
	if c != Production && c != Untimed {
		return fmt.Errorf("control is neither %q nor %q", Production, Untimed)
	}
	return nil
}

// Policy gives what the format promises its agents. What is refused costs nothing
// but time: an illegal cell, bytes that are no move, the wrong revision. A turn of
// production has 30 s from when it is committed, and whoever lets them pass has
// lost; untimed turns have no end but the match's, one hour after its start. A
// control that is unknown is untimed: see [Control.Validate].
//
// To the referee a turn that timed out is a forfeit, the hour an expiry; the wire
// calls both expired ([EndOf]), and neither is a verified win.
func Policy(c Control) (referee.Policy, referee.Clock) {
	p := referee.Policy{
		Name:      Protocol,
		Late:      referee.DoForfeit,
		Malformed: referee.DoReject, BadNonce: referee.DoReject, Illegal: referee.DoReject, Oversized: referee.DoReject,
		Unreachable: referee.DoReject, Disconnected: referee.DoReject, BadProtocol: referee.DoReject,
	}
	clock := referee.Clock{Expiry: matchTime, Starts: referee.AtOpen}
	if c == Production {
		clock.Move = moveTime
	}
	return p, clock
}

// HousePolicy gives those of the opponent: the host's own player, whose faults are
// the host's and void the match. It has no clock but the hour, for it
// bounds its search itself and may have to wait for the machine.
func HousePolicy() (referee.Policy, referee.Clock) {
	const void = referee.DoVoid
	return referee.Policy{
		Name: Protocol + "-house", Late: void, Malformed: void, BadNonce: void, Illegal: void, Oversized: void,
		Unreachable: void, Disconnected: void, BadProtocol: void,
	}, referee.Clock{Expiry: matchTime, Starts: referee.AtOpen}
}

// TimeControl is the member timeControl of what is shown of a match.
type TimeControl struct {
	Control Control
	Move    time.Duration // for a turn of the agent; 0: no such limit, null on the wire
	Match   time.Duration // for the match
}

// TimeControlOf gives what is told of a seat's clock.
func TimeControlOf(c Control, clock referee.Clock) TimeControl {
	return TimeControl{Control: c, Move: clock.Move, Match: clock.Expiry}
}
