package game

import "fmt"

// Mode says how the moves of a turn's seats reach Apply.
type Mode uint8

const (
	// Joint: all seats choose unseen by each other; one Apply takes all moves in seat order. With one seat: taking turns.
	Joint Mode = iota
	// Independent: each move is its own Apply, as it comes; the seats neither see nor affect each other, so the order does not matter.
	Independent
	// Free: each move is its own Apply, as it comes; the order counts and is recorded (cooperative play).
	Free
)

// String gives "joint", "independent" or "free".
func (m Mode) String() string {
	switch m {
	case Joint:
		return "joint"
	case Independent:
		return "independent"
	case Free:
		return "free"
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// Turn says who may act now. Its zero value means that the game is over.
// Phase may be told to anybody, and so may each seat whether it is in Seats itself: neither may tell a secret. Where information is hidden, who
// else is in Seats is told to nobody.
type Turn struct {
	Seats  SeatSet
	Chance bool   // Chance moves, and nobody beside it
	Host   bool   // Host may move (see Asker); beside Seats only where Mode is not Joint
	Mode   Mode   // how the moves of Seats reach Apply
	Phase  string // what the game calls this part of it; goes on the wire; "" where the game has no phases
}

// Over reports whether nobody may act: the game has ended.
func (t Turn) Over() bool { return t.Seats == 0 && !t.Chance && !t.Host }

// May reports whether s may act in this turn; never Spectator.
func (t Turn) May(s Seat) bool {
	switch s {
	case Chance:
		return t.Chance
	case Host:
		return t.Host
	}
	return t.Seats.Has(s)
}
