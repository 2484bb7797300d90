package referee

import (
	"slices"

	"github.com/matchreferee/arena/game"
)

// Cause says how a match came to its end.
type Cause uint8

const (
	CausePlay         Cause = iota // the rules ended it
	CauseForfeit                   // a seat's faults ended it
	CauseAdjudication              // resignation, an agreed draw, or a ruling of the host
	CauseAbandonment               // a seat walked away
	CauseExpiry                    // the time of the whole match was over; no winner
	CauseVoid                      // the host's infrastructure failed, or the host said so; no winner

	causeCount
)

var causeNames = [causeCount]string{"play", "forfeit", "adjudication", "abandonment", "expiry", "void"}

// String gives the cause's name as it stands in a record.
func (c Cause) String() string { return nameOf(causeNames[:], int(c), "Cause") }

// MarshalText uses the names of String.
func (c Cause) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText refuses unknown names.
func (c *Cause) UnmarshalText(b []byte) error { return parseName(c, causeNames[:], b, "cause") }

// Result is how a match ended. It is the reader's to keep and not to change.
type Result struct {
	Cause  Cause
	Reason string // a code: the game's ("connect"), the fault's ("late"), "resignation", the host's
	By     string // who ruled, where the host did
	// Returns are what rating uses, Scores what people see, Places 1 for the
	// best; each by seat. All are nil after expiry and void.
	Returns []float64
	Scores  []int64
	Places  []int
	Seats   []SeatResult
}

// SeatResult is what the referee noted of one seat.
type SeatResult struct {
	Strikes int
	Faults  [faultCount]int // recorded ones, by Fault
	Out     bool            // eliminated, or the seat that forfeited
	Used    Time            // thinking time charged, in milliseconds
	Moves   int
}

// clone is a copy that shares nothing.
func (r *Result) clone() *Result {
	if r == nil {
		return nil
	}
	c := *r
	c.Returns, c.Scores, c.Places, c.Seats = slices.Clone(r.Returns), slices.Clone(r.Scores), slices.Clone(r.Places), slices.Clone(r.Seats)
	return &c
}

// Rated reports whether the result says something about strength: play,
// forfeit, adjudication and abandonment do; expiry and void never.
func (r *Result) Rated() bool { return r.Cause <= CauseAbandonment }

// Verified reports whether the rules alone decided.
func (r *Result) Verified() bool { return r.Cause == CausePlay }

// draw gives the returns of a draw that is not the rules'.
func drawOutcome(info game.Info, seats int, reason string) game.Outcome {
	o := game.Outcome{Returns: make([]float64, seats), Reason: reason}
	for i := range o.Returns {
		o.Returns[i] = (info.MinReturn + info.MaxReturn) / 2
	}
	return o
}

// lossOutcome puts the seats of out last and lets the others share: what
// balances the losses in a zero-sum game, the best return elsewhere.
func lossOutcome(info game.Info, seats int, out game.SeatSet, reason string) game.Outcome {
	o := game.Outcome{Returns: make([]float64, seats), Reason: reason}
	share := info.MaxReturn
	if rest := seats - out.Len(); info.ZeroSum && rest > 0 {
		share = float64(-info.MinReturn*float64(out.Len())) / float64(rest)
		share = max(info.MinReturn, min(info.MaxReturn, share))
	}
	for i := range o.Returns {
		o.Returns[i] = share
		if out.Has(game.Seat(i)) {
			o.Returns[i] = info.MinReturn
		}
	}
	return o
}
