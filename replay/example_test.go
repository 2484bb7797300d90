package replay_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// A match is played with a record, which is sealed; anybody who has the rules
// verifies it.
func Example() {
	table, err := connectfour.New().Table(nil)
	if err != nil {
		log.Fatal(err)
	}
	// Both drop their discs into a column of their own until one has four.
	own := referee.Inline(func(r *referee.Request) referee.Answer {
		return referee.Answer{Action: []game.Action{0: "2", 1: "5"}[r.Seat]}
	})
	s := referee.Setup{ID: "final", Table: table, Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Name: "Ann"}}, {Agent: referee.Agent{Name: "Bob"}},
	}}
	s.Secret, s.Salt = referee.Secrets([]byte("a key that the host keeps"), s.ID)
	record := new(referee.Memory)
	local := referee.Local{Config: referee.Config{Log: record, Seal: replay.Sealer()}}
	if _, err := local.Play(context.Background(), s, own, own); err != nil {
		log.Fatal(err)
	}

	report, err := replay.Verify(bytes.NewReader(record.Bytes()), replay.Rules(connectfour.New()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report)
	fmt.Println(report.Start.Seats[0].Agent.Name, "got", report.Result.Returns[0])

	// Bob would rather have begun his column elsewhere.
	forged := bytes.Replace(record.Bytes(), []byte(`"s":1,"ask":1,"a":5`), []byte(`"s":1,"ask":1,"a":2`), 1)
	report, err = replay.Verify(bytes.NewReader(forged), replay.Rules(connectfour.New()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Status, "in line", report.Fault.Line)
	// Output:
	// valid: "final", connect-four 1.0.0, 9 events, play by connect, returns [1 -1], sealed
	// Ann got 1
	// invalid in line 3
}

// A record may be written and read event by event, without any rules.
func ExampleReader() {
	var record bytes.Buffer
	w := replay.NewWriter(&record)
	for _, e := range []referee.Event{
		{Kind: referee.KindStart, X: &referee.Extra{Start: &referee.Start{ID: "m1", Game: "pig", Version: "1.0.0", Seats: make([]referee.SeatInfo, 1)}}},
		{Kind: referee.KindMove, Seat: 0, Ask: 1, Time: 800, Action: `"roll"`},
		{Kind: referee.KindMove, Seat: game.Chance, Time: 800, Action: "5"},
		{Kind: referee.KindMove, Seat: 0, Ask: 2, Time: 1500, Action: `"hold"`},
	} {
		if err := w.Append(&e); err != nil {
			log.Fatal(err)
		}
	}

	for line, err := range replay.NewReader(&record).All() {
		switch {
		case err != nil:
			log.Fatal(err)
		case line.Event.Kind == referee.KindMove:
			fmt.Println(line.Num, line.Event.Seat, line.Event.Action)
		}
	}
	// Output:
	// 2 0 "roll"
	// 3 chance 5
	// 4 0 "hold"
}
