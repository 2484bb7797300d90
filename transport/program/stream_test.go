package program_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
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

// slowReader is a program in this process that takes its time over the last observation.
type slowReader struct {
	takes time.Duration
	moves *io.PipeWriter
	told  atomic.Bool
}

func (s *slowReader) Write(b []byte) (int, error) {
	var o look
	if err := json.Unmarshal(b, &o); err != nil {
		return 0, err
	}
	if o.Status == "agent" {
		go fmt.Fprintf(s.moves, "%s\n", o.LegalMoves[0])
		return len(b), nil
	}
	<-time.After(s.takes)
	s.told.Store(true)
	return len(b), nil
}

// TestStreamEnd: when the match is over for who played it, the program has been told so, or took a second over it.
func TestStreamEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, takes := range []time.Duration{0, 900 * time.Millisecond, time.Minute} {
			in, moves := io.Pipe()
			s := &slowReader{takes: takes, moves: moves}
			tab, err := grid.New().Table(nil)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			r, err := new(referee.Local).Play(t.Context(), referee.Setup{ID: "m", Table: tab, Seats: make([]referee.SeatInfo, 2)}, program.Stream(in, s), referee.Inline(last))
			if err != nil || r.Cause != referee.CausePlay {
				t.Fatalf("%+v, %v", r, err)
			}
			if took := time.Since(began); took != min(takes, time.Second) || s.told.Load() != (takes < time.Second) {
				t.Errorf("%v: told %v after %v", takes, s.told.Load(), took)
			}
			<-time.After(takes)
			moves.Close()
		}
	})
}

// TestOwnMoves: of games other than the grid, each observation has the moves that the program has made so far, the last one too, however soon
// it is written.
func TestOwnMoves(t *testing.T) {
	tab, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	for round := range uint64(200) {
		out, theirIn := io.Pipe()
		in, theirOut := io.Pipe()
		var own []string // moves
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer theirOut.Close()
			for lines := bufio.NewScanner(out); lines.Scan(); {
				var o struct {
					Status     string
					LegalMoves []json.RawMessage
					History    []struct{ Action json.RawMessage }
				}
				if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
					t.Error(err)
				}
				var told []string
				for _, m := range o.History {
					told = append(told, string(m.Action))
				}
				if !slices.Equal(told, own) {
					t.Errorf("%s: told of %q after %q\n%s", o.Status, told, own, lines.Bytes())
				}
				if o.Status != "agent" {
					break
				}
				own = append(own, string(o.LegalMoves[0]))
				fmt.Fprintf(theirOut, `{"action":%s}`+"\n", o.LegalMoves[0])
			}
		}()
		s := referee.Setup{ID: "m", Table: tab, Secret: game.SeedFrom(round), Seats: make([]referee.SeatInfo, 2)}
		if _, err := new(referee.Local).Play(t.Context(), s, program.Stream(in, theirIn), referee.Inline(last)); err != nil {
			t.Fatal(err)
		}
		theirIn.Close()
		<-done
		in.Close()
		if len(own) < 4 {
			t.Fatalf("%q", own)
		}
	}
}
