package program_test

import (
	"context"
	"fmt"
	"os"

	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/program"
)

// Example plays a solver against an opponent of the house. Any program will do
// that reads observations and writes moves; here it is this very test, run with
// another environment.
func Example() {
	ctx := context.Background()
	programs, err := program.New(program.Options{Programs: map[string]program.Program{
		"solver": {Path: os.Args[0], Env: []string{"PROGRAM_TEST=well"}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer programs.Close()
	agent := referee.Agent{Slug: "solver", Name: "My solver"}
	solver, err := programs.Player(ctx, agent)
	if err != nil {
		fmt.Println(err)
		return
	}
	casual, _ := house.ByName("casual")
	table, _ := grid.New().Table(nil)
	policy, clock := program.Terms(2)
	r, err := new(referee.Local).Play(ctx, referee.Setup{ID: "example", Table: table, Seats: []referee.SeatInfo{
		{Agent: agent, Transport: "program", Policy: policy, Clock: clock}, {Agent: referee.Agent{Slug: "casual", House: true}},
	}}, solver, casual)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Cause, r.Reason, r.Places)
	// Output: play points [2 1]
}
