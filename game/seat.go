package game

import (
	"iter"
	"math/bits"
	"strconv"
)

// MaxSeats is the most seats a match can have.
const MaxSeats = 64

// Seat is a place at the table, counted from 0 and below [MaxSeats]; three values below 0 are not places but roles.
// In games of two, seat 0 moves first.
type Seat int8

const (
	// Spectator watches: it sees what is public and never moves.
	Spectator Seat = -1 - iota
	// Chance moves by lot and has no view.
	Chance
	// Host brings in what the rules cannot know by themselves, say a file or the verdict of a judge, and has no view.
	Host
)

// Valid reports whether s is a seat that an agent can hold: 0 to MaxSeats-1.
func (s Seat) Valid() bool { return s >= 0 && s < MaxSeats }

// String gives the number of a seat, or "spectator", "chance", "host".
func (s Seat) String() string {
	switch s {
	case Spectator:
		return "spectator"
	case Chance:
		return "chance"
	case Host:
		return "host"
	}
	return strconv.Itoa(int(s))
}

// SeatSet holds any number of seats and gives them lowest first. It never holds Spectator, Chance or Host. The zero value is empty.
type SeatSet uint64

// Seats gives the set of the seats named; what is not [Seat.Valid] is left out.
func Seats(s ...Seat) SeatSet {
	var x SeatSet
	for _, seat := range s {
		x = x.With(seat)
	}
	return x
}

// FirstSeats gives the seats 0 to n-1: none for n below 1, all MaxSeats for n above that.
func FirstSeats(n int) SeatSet {
	switch {
	case n <= 0:
		return 0
	case n >= MaxSeats:
		return ^SeatSet(0)
	}
	return 1<<uint(n) - 1
}

// Has reports whether s is in the set: false for every s that is not [Seat.Valid].
func (x SeatSet) Has(s Seat) bool { return uint8(s) < MaxSeats && x>>(uint8(s)&63)&1 != 0 }

// With gives x and s; x as it is if s is not [Seat.Valid].
func (x SeatSet) With(s Seat) SeatSet {
	if !s.Valid() {
		return x
	}
	return x | 1<<uint(s)
}

// Without gives x less s.
func (x SeatSet) Without(s Seat) SeatSet {
	if !s.Valid() {
		return x
	}
	return x &^ (1 << uint(s))
}

// Len counts the seats in the set.
func (x SeatSet) Len() int { return bits.OnesCount64(uint64(x)) }

// First gives the lowest seat of the set, and [Spectator] for the empty set.
func (x SeatSet) First() Seat {
	if x == 0 {
		return Spectator
	}
	return Seat(bits.TrailingZeros64(uint64(x)))
}

// All iterates over the set in seat order.
func (x SeatSet) All() iter.Seq[Seat] {
	return func(yield func(Seat) bool) {
		for ; x != 0; x &= x - 1 {
			if !yield(Seat(bits.TrailingZeros64(uint64(x)))) {
				return
			}
		}
	}
}
