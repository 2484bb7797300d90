package house_test

import (
	"context"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
	"github.com/matchreferee/arena/referee"
)

func wins(t *testing.T, games int, villagers, wolves referee.Player) (won, drawn int) {
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range games {
		seed := game.SeedFrom(uint64(n))
		s, err := table.Start(game.Setup{Seats: 9})
		if err != nil {
			t.Fatal(err)
		}
		deal, _ := s.Chance(seed)
		if _, err := s.Play(game.Chance, deal); err != nil {
			t.Fatal(err)
		}
		players := make([]referee.Player, 9)
		var villager game.Seat = -1
		for i := range players {
			players[i] = villagers
			role, _ := s.View(game.Seat(i)).(werewolf.View).YourRole.Get()
			if role == werewolf.Werewolf {
				players[i] = wolves
			} else {
				villager = game.Seat(i)
			}
		}
		r, err := (&referee.Local{}).Play(context.Background(), referee.Setup{ID: "x", Table: table, Secret: seed, Seats: make([]referee.SeatInfo, 9)}, players...)
		if err != nil || r.Cause != referee.CausePlay {
			t.Fatal(err, r)
		}
		if r.Returns[villager] == 1 {
			won++
		}
		if r.Returns[villager] == 0 {
			drawn++
		}
	}
	return
}

func TestX(t *testing.T) {
	R, S := house.Random(), house.Reasoner()
	for _, x := range []struct {
		name string
		v, w referee.Player
	}{{"random/random", R, R}, {"reason/random", S, R}, {"random/reason", R, S}, {"reason/reason", S, S}} {
		w, d := wins(t, 1000, x.v, x.w)
		t.Log(x.name, w, d)
	}
}
