package house_test

import (
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
)

// BenchmarkReasoner decides on a vote of the fifteenth day at a full table, where the log is as long as it gets; one op is a decision.
func BenchmarkReasoner(b *testing.B) {
	s := scene(b, "", "wwwsvvvvvvvvvvv")
	for s.View(0).(werewolf.View).Day < 15 {
		s.act("3:peek 9")
		s.talk()
		s.act("3:vote 4", "4:vote 3", "0:vote 5", "1:vote 6", "2:vote 5", "5:vote 6", "9:vote 8", "8:vote 9")
	}
	s.act()
	s.talk("3:say I am the seer: 9 is no werewolf.")
	var v [werewolf.MaxSeats]werewolf.View
	for i := range v {
		v[i] = s.View(game.Seat(i)).(werewolf.View)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if a := house.Choose(v[n%len(v)]); a.Type != werewolf.Vote {
			b.Fatal(a)
		}
		n++
	}
}
