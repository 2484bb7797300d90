package program_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/program"
)

// TestStream plays over pipes; the program goes after some moves, or stays.
func TestStream(t *testing.T) {
	for _, stays := range []int{3, 100} {
		out, theirIn := io.Pipe()
		in, theirOut := io.Pipe()
		statuses := map[string]int{}
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer theirOut.Close()
			for lines := bufio.NewScanner(out); lines.Scan() && statuses["agent"] < stays; {
				var o look
				if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
					t.Error(err)
				}
				if statuses[o.Status]++; o.Status != "agent" {
					break
				}
				fmt.Fprintf(theirOut, "%s\n", o.LegalMoves[0])
			}
		}()
		tab, err := grid.New().Table(nil)
		if err != nil {
			t.Fatal(err)
		}
		log := new(referee.Memory)
		s := referee.Setup{ID: "m", Table: tab, Seats: make([]referee.SeatInfo, 2)}
		s.Seats[0].Clock.Move = time.Minute
		r, err := (&referee.Local{Config: referee.Config{Log: log}}).Play(t.Context(), s, program.Stream(in, theirIn), referee.Inline(last))
		if err != nil {
			t.Fatal(err)
		}
		theirIn.Close()
		<-done
		in.Close()
		if stays < 40 {
			if r.Reason != "disconnected" || statuses["agent"] != stays {
				t.Errorf("%+v, asked %v", r, statuses)
			}
			continue
		}
		if r.Cause != referee.CausePlay || statuses["agent"] != 41 || strings.Contains(string(log.Bytes()), `"fault"`) {
			t.Errorf("%+v, asked %v\n%s", r, statuses, log.Bytes())
		}
	}
}
