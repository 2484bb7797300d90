package agentarena

import (
	"time"

	"github.com/matchreferee/arena/referee"
)

const (
	moveTime  = 10 * time.Second
	matchTime = time.Hour
)

// Policy gives what the format promises its agents: every fault is a strike
// and is followed by the same position after a pause of 250 ms, doubling to
// 2 s, with the whole time again; the third strike of a match forfeits it, or,
// with more than two seats, puts the seat out while its safe defaults are
// played on. A request has 10 s from when it is sent; the match as a whole, for
// which the format names no limit, has one hour.
func Policy(seats int) (referee.Policy, referee.Clock) {
	p := referee.Policy{
		Name: Protocol,
		Late: referee.DoStrike, Malformed: referee.DoStrike, BadNonce: referee.DoStrike, Illegal: referee.DoStrike,
		Oversized: referee.DoStrike, Unreachable: referee.DoStrike, Disconnected: referee.DoStrike, BadProtocol: referee.DoStrike,
		Strikes: 3, Out: referee.DoForfeit,
		Pause: 250 * time.Millisecond, PauseMax: 2 * time.Second,
		Reask: true,
	}
	if seats > 2 {
		p.Out = referee.DoEliminate
	}
	return p, referee.Clock{Move: moveTime, Expiry: matchTime, Starts: referee.AtSent}
}
