package callback

import (
	"fmt"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

// Stage says how far a request came.
type Stage uint8

const (
	StageWait      Stage = iota // waiting for another request to the agent to end
	StageResolve                // looking up the name
	StageConnect                // connecting
	StageTLS                    // the TLS handshake
	StageWrite                  // writing the request
	StageFirstByte              // waiting for the reply
	StageBody                   // reading the reply
	StageDone                   // the reply is there
)

var stageNames = [...]string{"wait", "resolve", "connect", "tls", "write", "first_byte", "body", "done"}

// String gives the stage's name as it stands in the details of faults.
func (s Stage) String() string {
	if int(s) < len(stageNames) {
		return stageNames[s]
	}
	return fmt.Sprintf("Stage(%d)", uint8(s))
}

// Event tells of one request to an agent. Err may name addresses: it is for the
// host's eyes.
type Event struct {
	Match   string
	Seat    game.Seat
	Agent   string // slug
	Ask     int32
	Strikes int // before this request
	// Attempt counts how often the request was sent for this Ask, from 1; see [Signed].
	Attempt int
	// News is the message that this was, if none that asks: match_start or
	// match_end, of which there is no verdict, and Ask is 0. "": a request.
	News ludux.Kind
	// Stage is where it stopped: StageDone unless it failed or was cut off.
	Stage  Stage
	Reused bool // went over a kept connection
	Status int  // of the reply; 0: none
	// Waited is the time spent waiting for another request of the agent to end, or
	// other News, Took the time from there, FirstByte and Connected what of it had
	// gone by at the first byte of the reply and with a connection at hand; 0: did
	// not come.
	Waited, Took, Connected, FirstByte time.Duration
	// Closed: the referee closed the request first, as a rule at its deadline.
	Closed bool
	// Fault and Detail are what the transport or the format found wrong; what
	// the rules say is in Verdict. Not set where Closed.
	Fault   referee.Fault
	Detail  string
	Verdict referee.Verdict
	Err     error
}
