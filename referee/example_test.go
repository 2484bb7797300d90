package referee_test

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// A match fed by hand: each step takes the time, and gives what to record and who is asked next.
func Example() {
	table, _ := connectfour.New().Table(nil)
	match, _ := referee.New(referee.Setup{
		ID: "by-hand", Table: table, Secret: game.SeedFrom(1),
		Seats: []referee.SeatInfo{{Agent: referee.Agent{Name: "Ann"}}, {Agent: referee.Agent{Name: "Bob"}}},
	})
	now := referee.Time(1_790_000_000_000)
	out := match.Start(now)
	for _, column := range []game.Action{"3", "0", "3", "0", "3", "0", "7", "3"} {
		seat := out.Open.First()
		now += 500
		var verdict referee.Verdict
		verdict, out = match.Answer(now, seat, &referee.Answer{Action: column})
		fmt.Println(seat, column, verdict.Code)
		if result, over := match.Result(); over {
			fmt.Println(verdict.Fault, verdict.Do, verdict.Detail)
			fmt.Println(result.Cause, result.Reason, result.Places)
			break
		}
	}
	// Output:
	// 0 3 ok
	// 1 0 ok
	// 0 3 ok
	// 1 0 ok
	// 0 3 ok
	// 1 0 ok
	// 0 7 refused
	// illegal forfeit there is no column 7: they are 0 to 6
	// forfeit illegal [2 1]
}

// Two Go functions play a match; its record is kept in memory.
func ExampleLocal_Play() {
	table, _ := connectfour.New().Table(nil)
	player := func(column game.Action) referee.Player {
		return referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
			return referee.Answer{Action: column, Note: "as always"}, nil
		})
	}
	log := new(referee.Memory)
	local := &referee.Local{Config: referee.Config{Log: log}}
	result, err := local.Play(context.Background(), referee.Setup{
		ID: "functions", Table: table, Secret: game.SeedFrom(1),
		Seats: []referee.SeatInfo{{Agent: referee.Agent{Name: "Ann"}}, {Agent: referee.Agent{Name: "Bob"}}},
	}, player("3"), player("4"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Cause, result.Reason, result.Returns, result.Rated())
	lines := 0
	for range log.Read(context.Background(), 0) {
		lines++
	}
	fmt.Println(lines, "lines")
	// Output:
	// play connect [1 -1] true
	// 9 lines
}
