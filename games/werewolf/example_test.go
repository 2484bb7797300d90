package werewolf_test

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// A match of five seats that the villagers win on the first day. Chance deals by a seed; everybody but the seer does nothing.
func Example() {
	table, err := werewolf.New().Table(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := table.Start(game.Setup{Seats: 5, Names: []string{"Ann", "Bob", "Cleo", "Dan", "Eve"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	seed := game.SeedFrom(1)
	for !s.Turn().Over() {
		turn := s.Turn()
		if turn.Chance {
			deal, _ := s.Chance(seed)
			if _, err := s.Play(game.Chance, deal); err != nil {
				fmt.Println(err)
				return
			}
			continue
		}
		var step game.Step // all moves of a turn go in together
		for seat := range turn.Seats.All() {
			move, _ := s.Default(seat)
			view := s.View(seat).(werewolf.View)
			if role, _ := view.YourRole.Get(); role == werewolf.Seer && turn.Phase == "night_action" {
				move, _ = s.Parse(seat, "peek 4")
			} else if len(view.Private.Peeks) > 0 && turn.Phase == "day_vote" && view.Private.Peeks[0].IsWerewolf {
				move, _ = s.Parse(seat, "vote 4")
			}
			step = append(step, game.Move[game.Action]{Seat: seat, Action: move})
		}
		if err := s.Apply(step); err != nil {
			fmt.Println(err)
			return
		}
	}
	for _, p := range s.View(game.Spectator).(werewolf.View).Players {
		fmt.Println(p.Name, p.Alive, p.Role)
	}
	fmt.Println(s.Outcome().Reason, s.Outcome().Returns)
	// Output:
	// Ann true villager
	// Bob true seer
	// Cleo true villager
	// Dan true villager
	// Eve false werewolf
	// villagers_win [1 1 1 1 -1]
}
