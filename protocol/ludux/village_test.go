package ludux

import (
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// TestFullVillage: fifteen seats with the longest names, slugs and versions that there can be say as much as they may, in what takes most room.
// Every message fits a frame, and no state has to be cut for it: the game has seen to that.
func TestFullVillage(t *testing.T) {
	for _, letter := range []string{`"`, "😀", "x"} {
		table, err := werewolf.New().Table([]byte(`{"max_days":30}`))
		if err != nil {
			t.Fatal(err)
		}
		policy, clock := Policy(15)
		s := referee.Setup{ID: strings.Repeat("m", 128), Table: table, Secret: game.SeedFrom(5)}
		for i := range 15 {
			s.Seats = append(s.Seats, referee.SeatInfo{Policy: policy, Clock: clock, Agent: referee.Agent{
				Slug: fmt.Sprintf("%s%02d", strings.Repeat("s", 62), i), Name: strings.Repeat(letter, 64), Version: strings.Repeat(letter, 64), Rating: -1234567.123456789,
			}})
		}
		m, err := referee.New(s)
		if err != nil {
			t.Fatal(err)
		}
		m.Start(began)
		longest := 0
		for range 150 {
			r := first(t, m)
			frame := write(t, r)
			longest = max(longest, len(frame))
			if asked := read(t, frame); asked.Truncated != nil {
				t.Fatalf("%+v", asked.Truncated)
			}
			if start := len(StartOf(r.Card(), moveFor).Append(nil)); start > MaxFrame {
				t.Fatalf("the start takes %d bytes", start)
			}
			a, _ := r.Default()
			if r.Form() != nil {
				a = game.Action(`{"type":"say","text":"` + strings.Repeat(strings.ReplaceAll(letter, `"`, `\"`), werewolf.MaxText) + `"}`)
			}
			play(t, m, began, r, a)
		}
		if longest < MaxFrame/2 {
			t.Errorf("%s: no message has more than %d bytes", letter, longest)
		}
	}
}

// TestManyNames: the beginning of a match of as many seats as there can be fits a frame.
func TestManyNames(t *testing.T) {
	m := &MatchStart{MatchID: strings.Repeat("m", 128), Game: "g", GameVersion: "1", Agent: Identity{strings.Repeat("s", 64), strings.Repeat("😀", 64)}}
	rating := -1234567.123456789
	for i := range game.Seat(63) {
		m.Opponents = append(m.Opponents, Opponent{Slug: strings.Repeat("s", 64), Name: strings.Repeat("😀", 64), Seat: i, Rating: &rating})
	}
	if n := len(m.Append(nil)); n > MaxFrame || n < MaxFrame/2 {
		t.Errorf("%d bytes", n)
	}
}
