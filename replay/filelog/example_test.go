package filelog_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/filelog"
)

// A match with a record in a file. Started again with the same file after a
// crash, the same program goes on where the record stops.
func ExampleOpenFile() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, path := context.Background(), filepath.Join(dir, "final.jsonl")

	key, err := filelog.Key(path + ".key") // stays secret while the match is on
	if err != nil {
		log.Fatal(err)
	}
	record, err := filelog.OpenFile(ctx, path, filelog.Options{})
	if err != nil {
		log.Fatal(err)
	}
	table, err := connectfour.New().Table(nil)
	if err != nil {
		log.Fatal(err)
	}
	s := referee.Setup{ID: "final", Table: table, Seats: make([]referee.SeatInfo, 2)}
	s.Secret, s.Salt = referee.Secrets(key, s.ID)
	local := referee.Local{Config: referee.Config{Log: record, Seal: replay.Sealer()}}
	r, err := local.Play(ctx, s, random, random)
	if err != nil {
		log.Fatal(err)
	}

	f, err := os.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	report, err := replay.Verify(f, replay.Rules(connectfour.New()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Status, r.Cause, report.Result.Cause)
	// Output: valid play play
}
