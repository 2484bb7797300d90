package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/transport/callback"
)

// serve starts one of the built-in agents on a loopback port of its own.
func serve(seed uint64, pace time.Duration) (url string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	handler, err := callback.Agent(func(ctx context.Context, r agentarena.MoveRequest) (agentarena.Reply, error) {
		select {
		case <-time.After(pace):
		case <-ctx.Done():
		}
		return think(r, seed), nil
	}, callback.AgentOptions{})
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	return fmt.Sprintf("http://%s/", listener.Addr()), func() { server.Close() }, nil
}

// think wins where it can, stops the other where it must, gives nothing away
// if it can help it, and else likes the middle.
func think(r agentarena.MoveRequest, seed uint64) agentarena.Reply {
	b := readBoard(r.Board)
	me, other := r.You[0], byte('X')
	if me == 'X' {
		other = 'O'
	}
	h := fnv.New64a()
	fmt.Fprint(h, r.MatchID[strings.LastIndexByte(r.MatchID, '-')+1:], " ", r.MoveNumber, r.You) // the number of the match, not its time
	lots := rand.New(rand.NewPCG(seed, h.Sum64()))
	best, score := r.Legal[0], -1.0
	for _, move := range r.Legal {
		c := int(move[0] - 'a')
		s := 1/(1+abs(2*c-b.columns()+1)) + lots.Float64()/2
		switch {
		case b.wins(c, me):
			return agentarena.Reply{Move: move, Reason: "That makes four."}
		case b.wins(c, other):
			s += 100
		case b.drop(c, me).wins(c, other):
			s -= 10
		}
		if s > score || best == r.Legal[0] && score == -1 {
			best, score = move, s
		}
	}
	if score >= 100 {
		return agentarena.Reply{Move: best, Reason: "Not so fast."}
	}
	return agentarena.Reply{Move: best}
}

func abs(n int) float64 { return float64(max(n, -n)) }

// board is what an agent reads out of the text: rows of cells, the top first.
type board []string

func readBoard(text string) board {
	var b board
	for _, line := range strings.Split(text, "\n") {
		if row := strings.TrimSpace(line); row != "" && strings.Trim(row, ".XO") == "" {
			b = append(b, row)
		}
	}
	return b
}

func (b board) columns() int {
	if len(b) == 0 {
		return 0
	}
	return len(b[0])
}

func (b board) at(row, column int) byte {
	if row < 0 || row >= len(b) || column < 0 || column >= len(b[row]) {
		return 0
	}
	return b[row][column]
}

// drop gives the board after a disc in a column; a full column changes nothing.
func (b board) drop(column int, disc byte) board {
	row := b.lowest(column)
	if row < 0 {
		return b
	}
	next := slices.Clone(b)
	next[row] = b[row][:column] + string(disc) + b[row][column+1:]
	return next
}

func (b board) lowest(column int) int {
	row := len(b) - 1
	for row >= 0 && b.at(row, column) != '.' {
		row--
	}
	return row
}

// wins reports whether a disc in a column makes four in a line.
func (b board) wins(column int, disc byte) bool {
	row := b.lowest(column)
	if row < 0 {
		return false
	}
	for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
		n := 1
		for _, sign := range []int{1, -1} {
			for k := sign; b.at(row+k*d[0], column+k*d[1]) == disc; k += sign {
				n++
			}
		}
		if n >= 4 {
			return true
		}
	}
	return false
}
