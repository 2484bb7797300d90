package program_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/program"
	"github.com/matchreferee/arena/transport/transporttest"
)

// bridgeTo is the variable with the address that a bridge connects to.
const bridgeTo = "PROGRAM_TEST_TO"

// bridge is a program that does what somebody at the other end of a connection says.
func bridge(to string) {
	conn, err := net.Dial("tcp", to)
	if err != nil {
		panic(err)
	}
	go func() {
		_, _ = io.Copy(conn, os.Stdin)
		_ = conn.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(os.Stdout, conn)
}

// TestKit runs programs that are bridges to this process.
func TestKit(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts a hundred processes")
	}
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		tr, err := program.New(program.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return transporttest.Harness{Transport: tr, Agent: func(a referee.Agent, play transporttest.Play) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			var work sync.WaitGroup
			var asked atomic.Int64
			number := func(int64) int64 { return asked.Add(1) }
			if strings.HasSuffix(t.Name(), "/rejected") {
				// An observation does not say whether it asks anew or again, which it does here.
				number = func(revision int64) int64 { return revision }
			}
			work.Go(func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					work.Go(func() { serve(conn, number, play) })
				}
			})
			t.Cleanup(func() {
				l.Close()
				work.Wait()
			})
			p := program.Program{Path: os.Args[0], Env: []string{mode + "=bridge", bridgeTo + "=" + l.Addr().String()}}
			if err := tr.Add(a.Slug, p); err != nil {
				t.Fatal(err)
			}
		}}
	}, transporttest.Options{Move: 3 * time.Second, Patience: time.Minute, Skip: map[string]string{
		"reconnect": "a program that has gone does not come back",
	}})
}

// serve is the agent behind a bridge, whose connection ends when its process does. number gives the number of a request for a revision.
func serve(conn net.Conn, number func(revision int64) int64, play transporttest.Play) {
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	defer work.Wait()
	defer conn.Close()
	defer cancel()
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o struct {
			MatchID     string
			Seat        game.Seat
			Status      string
			Revision    int64
			RemainingMs int64
			LegalMoves  []json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			panic(err)
		}
		if o.Status != "agent" {
			continue
		}
		turn := transporttest.Turn{Match: o.MatchID, You: o.Seat.String(), Seq: number(o.Revision), Left: time.Duration(o.RemainingMs) * time.Millisecond}
		for _, m := range o.LegalMoves {
			turn.Legal = append(turn.Legal, string(m))
		}
		work.Go(func() {
			for _, r := range play(ctx, turn) {
				line := fmt.Sprintf(`{"revision":%d,"action":%s}`, o.Revision, r.Action)
				switch r.Kind {
				case transporttest.Illegal:
					line = fmt.Sprintf(`{"revision":%d,"action":"no such action"}`, o.Revision)
				case transporttest.Malformed:
					line = fmt.Sprintf(`{"revision":%d}`, o.Revision)
				case transporttest.Oversized:
					line += strings.Repeat(" ", program.DefaultMaxLine)
				}
				if _, err := io.WriteString(conn, line+"\n"); err != nil {
					return
				}
			}
		})
	}
}
