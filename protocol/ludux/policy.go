package ludux

import (
	"time"

	"github.com/matchreferee/arena/referee"
)

const (
	moveTime  = 15 * time.Second
	matchTime = time.Hour
	warnTime  = 5 * time.Second  // before the deadline
	warnFrom  = 10 * time.Second // the shortest limit that is warned of
)

// Policy gives what the format promises its agents. With one or two seats, whoever
// moves illegally or too late has lost; with more the game's safe default is
// played instead, and recorded as a miss, so the game must have one. What is
// malformed, too large or badly carried, and a dropped connection, is
// refused while the clock runs on. A request has 15 s from when it opens, with a
// warning 5 s before the deadline of limits from 10 s, and a match one hour.
func Policy(seats int) (referee.Policy, referee.Clock) {
	p := referee.Policy{
		Name: Protocol,
		Late: referee.DoForfeit, Illegal: referee.DoForfeit,
		Malformed: referee.DoReject, BadNonce: referee.DoReject, Oversized: referee.DoReject,
		Unreachable: referee.DoReject, Disconnected: referee.DoReject, BadProtocol: referee.DoReject,
	}
	if seats > 2 {
		p.Late, p.Illegal = referee.DoDefault, referee.DoDefault
	}
	return p, referee.Clock{Move: moveTime, Expiry: matchTime, Starts: referee.AtOpen, Warn: warnTime, WarnFrom: warnFrom}
}
