package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"unicode"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/game/draw"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// screen shows matches: on a terminal the board is drawn over itself, elsewhere
// each move is a line.
type screen struct {
	arena.NoHooks
	out         io.Writer
	tty         bool
	quiet, many bool

	mu    sync.Mutex
	seats [2]string
	drawn int // lines of the board on the terminal
	ply   int // of the last position shown
}

var labels = [2]string{"X", "O"}

func (s *screen) begin(seats [2]string, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seats, s.drawn, s.ply = seats, 0, 0
	if !s.quiet && !s.many {
		fmt.Fprintf(s.out, "X %s  against  O %s\nrecord: %s\n", seats[0], seats[1], path)
	}
}

// position shows one, unless it was shown before.
func (s *screen) position(p referee.Public) {
	s.mu.Lock()
	defer s.mu.Unlock()
	view, ok := p.View.(connectfour.View)
	if !ok || s.quiet || s.many || view.Ply == s.ply && s.ply > 0 {
		return
	}
	s.ply = view.Ply
	if !s.tty {
		if m := view.LastMove; m != nil {
			fmt.Fprintf(s.out, "%2d. %s %c\n", view.Ply, labels[m.Seat], 'a'+m.Column)
		}
		return
	}
	if s.drawn > 0 {
		fmt.Fprintf(s.out, "\x1b[%dA\x1b[J", s.drawn)
	}
	board := draw.TerminalView(view, draw.Options{Color: true})
	fmt.Fprint(s.out, board)
	s.drawn = strings.Count(board, "\n")
}

// Fault tells of strikes. Part of the detail may come from an agent.
func (s *screen) Fault(_ string, seat game.Seat, f referee.Fault, do referee.Do, detail string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.quiet || !seat.Valid() {
		return
	}
	fmt.Fprintf(s.out, "%s %s: %v (%v) %s\n", labels[seat], s.seats[seat], f, do, plain(detail))
	s.drawn = 0
}

func (s *screen) end(r *referee.Result, report *replay.Report, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.many {
		return
	}
	if s.quiet {
		fmt.Fprintln(s.out, "record:", path)
	}
	fmt.Fprintln(s.out, s.verdict(r))
	fmt.Fprintf(s.out, "strikes: X %d, O %d\n", r.Seats[0].Strikes, r.Seats[1].Strikes)
	fmt.Fprintln(s.out, report)
}

func (s *screen) verdict(r *referee.Result) string {
	switch {
	case !r.Rated():
		return fmt.Sprintf("no result: %v (%s)", r.Cause, r.Reason)
	case r.Returns[0] == r.Returns[1]:
		return fmt.Sprintf("a draw: %s", r.Reason)
	case r.Returns[0] > r.Returns[1]:
		return fmt.Sprintf("X %s wins: %v (%s)", s.seats[0], r.Cause, r.Reason)
	}
	return fmt.Sprintf("O %s wins: %v (%s)", s.seats[1], r.Cause, r.Reason)
}

// progress shows how far several matches are.
func (s *screen) progress(n, of int, score tally) {
	if of == 1 || s.quiet {
		return
	}
	line := fmt.Sprintf("%d of %d: %d - %d, %d drawn", n, of, score.wins[0], score.wins[1], score.draws)
	switch {
	case s.tty && n < of:
		fmt.Fprintf(s.out, "\r\x1b[K%s", line)
	case s.tty:
		fmt.Fprint(s.out, "\r\x1b[K")
	default:
		fmt.Fprintln(s.out, line)
	}
}

func (s *screen) summary(games int, score tally, names [2]string, strikes [2]int, first string) {
	fmt.Fprintf(s.out, "%d matches, every record valid: %s and those beside it\n", games, first)
	for i := range 2 {
		fmt.Fprintf(s.out, "%-10s %4d won, %d strikes\n", names[i], score.wins[i], strikes[i])
	}
	fmt.Fprintf(s.out, "%-10s %4d\n", "drawn", score.draws)
	if score.none > 0 {
		fmt.Fprintf(s.out, "%-10s %4d\n", "no result", score.none)
	}
}

// plain drops what a terminal would act on.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text)
}

// terminal reports whether a file is one that can be drawn on.
func terminal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
