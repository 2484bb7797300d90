package gridarena_test

import (
	"fmt"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
)

// An agent in Go: what it is shown becomes what it sends.
func ExampleDecodeObservation() {
	o, err := gridarena.DecodeObservation(gridarena.Example())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(o.Symbol, o.Scores, o.Status, len(o.LegalMoves), o.Remaining)
	m := gridarena.Move{Revision: o.Revision, ID: "7d444840-9dc0-41d1-b245-5ffdce74fad2", Action: o.LegalMoves[0]}
	fmt.Println(string(m.Append(nil)))
	// Output:
	// X [3 1] agent 73 28.75s
	// {"revision":8,"moveId":"7d444840-9dc0-41d1-b245-5ffdce74fad2","row":0,"col":0}
}

// A host's side, without HTTP: a body becomes an answer for the referee, and the
// position after it what is sent back.
func Example() {
	table, err := grid.New().Table(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	policy, clock := gridarena.Policy(gridarena.Production)
	house, houseClock := gridarena.HousePolicy()
	m, err := referee.New(referee.Setup{ID: "m-1", Table: table, Secret: game.SeedFrom(1), Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Slug: "solver"}, Policy: policy, Clock: clock},
		{Agent: referee.Agent{Slug: "casual", House: true}, Policy: house, Clock: houseClock},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	m.Start(0)
	for _, body := range []string{
		`{"revision":0,"moveId":"7d444840-9dc0-41d1-b245-5ffdce74fad2","row":4,"col":4.5}`,
		`{"revision":0,"moveId":"7d444840-9dc0-41d1-b245-5ffdce74fad2","row":4,"col":4,"winner":0}`,
		`{"revision":0,"moveId":"7d444840-9dc0-41d1-b245-5ffdce74fad2","row":4,"col":4}`,
		`{"revision":0,"moveId":"7d444840-9dc0-41d1-b245-5ffdce74fad2","row":4,"col":4}`,
	} {
		move, problem := gridarena.DecodeMove([]byte(body))
		if problem != nil {
			fmt.Println(problem.Status, problem.Code, problem.Errors)
			continue
		}
		var open *referee.Request
		if r, ok := m.Open(0); ok {
			open = &r
		}
		answer := move.Answer(open)
		v, _ := m.Answer(1500, 0, &answer)
		fmt.Println(v.Code)
	}
	// Output:
	// 400 malformed [{col "4.5" is no integer}]
	// 400 forbidden_member [{winner is never accepted}]
	// ok
	// duplicate
}
