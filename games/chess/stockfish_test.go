package chess_test

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/internal/need"
)

// engine finds Stockfish, or skips the test; where CI is true it has to be there.
func engine(t *testing.T) string {
	t.Helper()
	return need.Program(t, "stockfish", "/usr/games/stockfish")
}

// TestPerftLive has Stockfish count, move by move, positions of the files and of random games.
func TestPerftLive(t *testing.T) {
	if testing.Short() {
		t.Skip("runs another program")
	}
	cmd := exec.CommandContext(t.Context(), engine(t))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	compared := 0
	for _, p := range sample(t) {
		compared++
		compareDivide(t, p, in, lines)
	}
	if compared < 100 {
		t.Errorf("compared %d positions", compared)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// sample gives every third tricky position and those along some random games.
func sample(t *testing.T) []chess.Position {
	var list []chess.Position
	for i, tt := range tricky(t) {
		if i%3 == 0 {
			list = append(list, parse(t, tt.FEN))
		}
	}
	r := random(7)
	for _, fen := range walks {
		p := parse(t, fen)
		for ply := range 80 {
			legal := p.Legal(nil)
			if len(legal) == 0 {
				break
			}
			if ply%6 == 0 {
				list = append(list, p)
			}
			p.Play(pickMove(r, p, legal))
		}
	}
	return list
}

// compareDivide compares the counts of two plies after each move.
func compareDivide(t *testing.T, p chess.Position, in io.Writer, lines *bufio.Scanner) {
	t.Helper()
	if _, err := fmt.Fprintf(in, "position fen %s\ngo perft 3\n", p.FEN()); err != nil {
		t.Fatal(err)
	}
	theirs := map[string]uint64{}
	for {
		if !lines.Scan() {
			t.Fatalf("%s: the engine is gone: %v", p.FEN(), lines.Err())
		}
		name, count, ok := strings.Cut(lines.Text(), ": ")
		if name == "Nodes searched" {
			break
		}
		if n, err := strconv.ParseUint(count, 10, 64); ok && err == nil {
			theirs[name] = n
		}
	}
	legal := p.Legal(nil)
	for _, m := range legal {
		next := p
		next.Play(m)
		if want, ok := theirs[m.String()]; !ok || next.Perft(2) != want {
			t.Errorf("%s: after %s there are %d, and Stockfish says %d, %t", p.FEN(), m, next.Perft(2), want, ok)
		}
	}
	if len(legal) != len(theirs) {
		t.Errorf("%s: %d moves, and Stockfish has %d", p.FEN(), len(legal), len(theirs))
	}
}
