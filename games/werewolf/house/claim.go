package house

import (
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// What the reasoner says, and what it takes for said. Everything else, whoever says it, it hears as silence.
const (
	claimSeer   = "I am the seer"
	isWolf      = " is a werewolf"
	isNoWolf    = " is no werewolf"
	suspectSeat = "I suspect seat "
)

// claim is what a seat has said that it saw as the seer.
type claim struct {
	made    bool
	wolves  game.SeatSet // seats said to be werewolves
	cleared game.SeatSet // seats said to be none
}

// contradicts reports whether the claim speaks against itself.
func (c claim) contradicts() bool { return c.wolves&c.cleared != 0 }

// says writes a claim: "I am the seer: 3 is a werewolf; 5 is no werewolf." Targets come in seat order, werewolves first.
func (c claim) says() string {
	var b strings.Builder
	b.WriteString(claimSeer)
	before := ": "
	for _, part := range []struct {
		seats game.SeatSet
		are   string
	}{{c.wolves, isWolf}, {c.cleared, isNoWolf}} {
		for seat := range part.seats.All() {
			b.WriteString(before)
			b.WriteString(strconv.Itoa(int(seat)))
			b.WriteString(part.are)
			before = "; "
		}
	}
	b.WriteByte('.')
	return b.String()
}

// hear reads a claim about seats below n, written exactly as says writes it, but in any order and with or without the full stop.
func hear(text string, n int) (c claim, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(text, "."), claimSeer)
	if !ok {
		return claim{}, false
	}
	c.made = true
	if rest == "" {
		return c, true
	}
	rest, ok = strings.CutPrefix(rest, ": ")
	if !ok {
		return claim{}, false
	}
	for part := range strings.SplitSeq(rest, "; ") {
		number, wolf := strings.CutSuffix(part, isWolf)
		if !wolf {
			if number, ok = strings.CutSuffix(part, isNoWolf); !ok {
				return claim{}, false
			}
		}
		seat, ok := seatNumber(number, n)
		if !ok {
			return claim{}, false
		}
		if wolf {
			c.wolves = c.wolves.With(seat)
		} else {
			c.cleared = c.cleared.With(seat)
		}
	}
	return c, true
}

// seatNumber reads a seat below n, in digits without a leading zero.
func seatNumber(text string, n int) (game.Seat, bool) {
	i, err := strconv.Atoi(text)
	if err != nil || i < 0 || i >= min(n, werewolf.MaxSeats) || strconv.Itoa(i) != text {
		return 0, false
	}
	return game.Seat(i), true
}
