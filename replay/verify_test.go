package replay_test

import (
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

func TestValid(t *testing.T) {
	for _, c := range []struct {
		name   string
		record []byte
		want   replay.Counts
	}{
		{"connect-four", played(t, setup(t, connectfour.New(), "c4"), true), replay.Counts{}},
		{"kuhn", played(t, setup(t, game.New(kuhn{}), "k"), true), replay.Counts{Draws: 1}},
		{"oracle", played(t, setup(t, game.New(oracle{}), "o"), true), replay.Counts{Moves: 2, HostMoves: 2}},
		{"eventful", eventful(t, "e").record(true), replay.Counts{Moves: 7, Faults: 4, Claims: 2, Resumes: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := verify(t, c.record)
			if r.Status != replay.Valid || r.Err() != nil || r.Fault != nil || !r.Rerun || !r.Opened || r.Torn {
				t.Fatalf("%v\n%s", r, c.record)
			}
			if r.Seal == nil || r.Seal.Count != r.Events || r.Seal.Head != r.Head || r.Seal.Root != r.Root {
				t.Fatalf("seal %+v of %+v", r.Seal, r)
			}
			if r.Result == nil || r.Result.Cause != referee.CausePlay || r.End.Reason != r.Result.Reason || r.Start.Seats[0].Agent.Slug != "ann" {
				t.Fatalf("%+v", r)
			}
			if c.want.Moves == 0 {
				c.want.Moves = r.Events - c.want.Draws - 2
			}
			if r.Counts != c.want {
				t.Fatalf("counted %+v, want %+v", r.Counts, c.want)
			}
			t.Log(r)
		})
	}
}
