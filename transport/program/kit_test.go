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
			n := &numbers{again: strings.HasSuffix(t.Name(), "/rejected"), newest: map[string]int{}}
			work.Go(func() {
				for i := 0; ; i++ {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					work.Go(func() { serve(conn, i, n, play) })
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

// numbers counts requests, which observations do not.
type numbers struct {
	again bool // a revision that was there before is asked again, not anew

	mu     sync.Mutex
	asked  int64
	newest map[string]int // the last connection of a seat
}

// next numbers a request that a connection brought; false where a newer process has been asked already. The request of one that was killed may
// be read late, or after the next one's.
func (n *numbers) next(seat string, conn int, revision int64) (int64, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if conn < n.newest[seat] {
		return 0, false
	}
	n.newest[seat] = conn
	n.asked++
	if n.again {
		return revision, true
	}
	return n.asked, true
}

// serve is the agent behind a bridge, connection i, which ends when its process does.
func serve(conn net.Conn, i int, n *numbers, play transporttest.Play) {
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
		seq, ok := n.next(o.MatchID+" "+o.Seat.String(), i, o.Revision)
		if !ok {
			continue
		}
		turn := transporttest.Turn{Match: o.MatchID, You: o.Seat.String(), Seq: seq, Left: time.Duration(o.RemainingMs) * time.Millisecond}
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
