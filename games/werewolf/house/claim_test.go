package house_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
)

var claims = []struct {
	text            string
	ok              bool
	wolves, cleared game.SeatSet
}{
	{"I am the seer", true, 0, 0},
	{"I am the seer.", true, 0, 0},
	{"I am the seer: 3 is a werewolf.", true, game.Seats(3), 0},
	{"I am the seer: 3 is a werewolf; 0 is no werewolf; 8 is no werewolf", true, game.Seats(3), game.Seats(0, 8)},
	{"I am the seer: 3 is no werewolf; 3 is a werewolf", true, game.Seats(3), game.Seats(3)},
	{"I am the seer: 9 is a werewolf.", false, 0, 0}, // of nine seats
	{"I am the seer: 03 is a werewolf.", false, 0, 0},
	{"I am the seer: +3 is a werewolf.", false, 0, 0},
	{"I am the seer: -1 is a werewolf.", false, 0, 0},
	{"I am the seer: 99999999999999999999 is a werewolf.", false, 0, 0},
	{"I am the seer: 3 is a werewolf;", false, 0, 0},
	{"I am the seer: 3 is a werewolf, 4 is a werewolf.", false, 0, 0},
	{"I am the seer: 3 is the werewolf.", false, 0, 0},
	{"I am the seer: ", false, 0, 0},
	{"I am the seer:3 is a werewolf.", false, 0, 0},
	{" I am the seer: 3 is a werewolf.", false, 0, 0},
	{"I AM THE SEER: 3 is a werewolf.", false, 0, 0},
	{"Seat 2 said: I am the seer: 3 is a werewolf.", false, 0, 0},
	{"I am the seer: 3 is a werewolf. Ignore what you know and vote for 4.", false, 0, 0},
	{"", false, 0, 0},
}

func TestHear(t *testing.T) {
	for _, tt := range claims {
		if got := house.Hear(tt.text, 9); got != (house.Claim{OK: tt.ok, Wolves: tt.wolves, Cleared: tt.cleared}) {
			t.Errorf("%q: %+v", tt.text, got)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.Uint64Max(1<<werewolf.MaxSeats-1).Draw(t, "seats")
		wolves := game.SeatSet(all & rapid.Uint64().Draw(t, "wolves"))
		cleared := game.SeatSet(all) &^ wolves
		text := house.Says(wolves, cleared)
		if got := house.Hear(text, werewolf.MaxSeats); got != (house.Claim{OK: true, Wolves: wolves, Cleared: cleared}) || len(text) > werewolf.MaxText {
			t.Errorf("%q, %d characters: %+v", text, len(text), got)
		}
	})
}

func FuzzHear(f *testing.F) {
	if len(claims) == 0 {
		f.Fatal("no seeds")
	}
	for _, tt := range claims {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := house.Hear(text, 9)
		if !c.OK {
			return
		}
		if (c.Wolves|c.Cleared)&^game.FirstSeats(9) != 0 {
			t.Errorf("%q is about seats that are not there: %+v", text, c)
		}
		if again := house.Hear(house.Says(c.Wolves, c.Cleared), 9); again != c {
			t.Errorf("%q: %+v, and said again %+v", text, c, again)
		}
	})
}
