package game

import "fmt"

// Mode says what becomes of the moves where several seats act in one turn.
type Mode uint8

const (
	// Joint: nobody sees what the others choose, and a single Apply gets every move, lowest seat first. With one seat: taking turns.
	Joint Mode = iota
	// Independent: a move is applied on its own as soon as it is in. No seat can see or touch what belongs to another, so the order does not matter.
	Independent
	// Free: applied one by one as under Independent, but seats do affect one another: the record keeps the order, which matters. For games of cooperation.
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

// Turn tells whose move it is. With nobody in it, as in the zero value, the game has ended.
// Phase may be told to anybody, and so may each seat whether it is in Seats itself: neither may tell a secret. Where information is hidden, who
// else is in Seats is told to nobody.
type Turn struct {
	Seats  SeatSet
	Chance bool   // Chance moves, and nobody beside it
	Host   bool   // Host may move (see Asker); in a Joint turn, only if no seat does
	Mode   Mode   // what becomes of the moves of Seats
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
