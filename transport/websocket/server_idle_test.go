package websocket_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

const (
	idleAgents  = 5000
	idleAddress = "ARENA_IDLE_ADDRESS" // where set, this process is the agents
)

// idleMain makes this process the agents of BenchmarkIdle, if it was started for that.
func idleMain() bool {
	address := os.Getenv(idleAddress)
	if address == "" {
		return false
	}
	idle(address)
	return true
}

// idle connects all agents, and reads what comes for them until its standard input ends. What is written to its output is how many were
// asked for a move.
func idle(address string) {
	conns := make([]net.Conn, idleAgents)
	var group sync.WaitGroup
	limit := make(chan struct{}, 64)
	for i := range conns {
		group.Go(func() {
			limit <- struct{}{}
			defer func() { <-limit }()
			c, err := net.Dial("tcp", address)
			if err != nil {
				fmt.Println(err)
				return
			}
			conns[i] = c
			fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: arena\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer key-agent-%d\r\n\r\n", i)
			br := bufio.NewReaderSize(c, 512)
			if _, err := http.ReadResponse(br, nil); err != nil {
				fmt.Println(err)
				return
			}
			for asked := i%2 == 1; ; { // seat 1 is not asked before seat 0 has moved
				f, err := readFrame(br)
				if err != nil {
					fmt.Println(err)
					return
				}
				if asked && strings.Contains(string(f.payload), "match_start") || strings.Contains(string(f.payload), "action_request") {
					break
				}
			}
			go func() { // answers pings and the close
				for {
					f, err := readFrame(br)
					if err != nil {
						return
					}
					switch f.head & 15 {
					case opPing:
						c.Write(encode(fin|opPong, f.payload, true))
					case opClose:
						c.Write(encode(fin|opClose, f.payload, true))
						c.Close()
						return
					}
				}
			}()
		})
	}
	group.Wait()
	fmt.Println("ready")
	io.Copy(io.Discard, os.Stdin)
}

// BenchmarkIdle is what 5,000 agents cost that sit in matches of two and think, their connections being from another process: bytes of
// this one's memory, matches included, and how long Close takes.
func BenchmarkIdle(b *testing.B) {
	if !files(2*idleAgents + 200) {
		b.Skip("the process may not open so many files")
	}
	for range b.N {
		bytes, shutdown := measureIdle(b)
		b.ReportMetric(float64(bytes)/idleAgents, "B/agent")
		b.ReportMetric(float64(shutdown)/float64(time.Millisecond), "ms/shutdown")
	}
}

func measureIdle(b *testing.B) (bytes int64, shutdown time.Duration) {
	closed := 0
	var mu sync.Mutex
	tr, err := websocket.New(websocket.Options{Auth: new(keyring), Observe: func(e websocket.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.Kind == websocket.Closed && e.Reason == websocket.ReasonShutdown {
			closed++
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	server := &http.Server{Handler: tr}
	go server.Serve(l)
	defer server.Close()
	table, err := connectFour.Table(nil)
	if err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	before := memory()
	var matches sync.WaitGroup
	for i := 0; i < idleAgents; i += 2 {
		s := referee.Setup{ID: fmt.Sprint("m-", i), Table: table, Secret: game.SeedFrom(1)}
		policy, clock := ludux.Policy(2)
		clock.Move = time.Hour
		var players []referee.Player
		for j := range 2 {
			a := referee.Agent{Slug: fmt.Sprint("agent-", i+j), Name: fmt.Sprint("Agent ", i+j), Version: "1"}
			p, err := tr.Player(ctx, a)
			if err != nil {
				b.Fatal(err)
			}
			players = append(players, p)
			s.Seats = append(s.Seats, referee.SeatInfo{Agent: a, Transport: "websocket", Policy: policy, Clock: clock})
		}
		m, err := referee.New(s)
		if err != nil {
			b.Fatal(err)
		}
		live, err := referee.NewLive(m, players, referee.Config{Log: new(referee.Discard)})
		if err != nil {
			b.Fatal(err)
		}
		matches.Go(func() { live.Run(ctx) })
	}
	timeout, stop := context.WithTimeout(b.Context(), 2*time.Minute)
	defer stop()
	agents := exec.CommandContext(timeout, os.Args[0])
	agents.Env = append(os.Environ(), idleAddress+"="+l.Addr().String())
	in, _ := agents.StdinPipe()
	out, _ := agents.StdoutPipe()
	if err := agents.Start(); err != nil {
		b.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
		b.Fatalf("the agents say %q, %v", line, err)
	}
	bytes = memory() - before
	began := time.Now()
	tr.Close()
	shutdown = time.Since(began)
	mu.Lock()
	if closed != idleAgents {
		b.Errorf("%d connections were closed by Close", closed)
	}
	mu.Unlock()
	cancel()
	matches.Wait()
	in.Close()
	agents.Wait()
	return bytes, shutdown
}

// memory gives the bytes that this process needs: the resident ones where the system tells, after unused ones were given back.
func memory() int64 {
	debug.FreeOSMemory()
	if status, err := os.ReadFile("/proc/self/status"); err == nil {
		for line := range strings.Lines(string(status)) {
			if f := strings.Fields(line); len(f) == 3 && f[0] == "VmRSS:" {
				if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					return n << 10
				}
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse + m.MSpanInuse)
}
