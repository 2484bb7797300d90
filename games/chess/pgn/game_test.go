package pgn

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/matchreferee/arena/game"
)

// equal compares games; nil and empty lists are the same, and so are equal times.
var equal = cmp.Options{cmpopts.EquateEmpty(), cmp.AllowUnexported(game.Opt[time.Duration]{})}

// mustGame makes a game of UCI moves.
func mustGame(t testing.TB, start, moves string) *Game {
	t.Helper()
	r := Record{Start: start, Result: Unknown}
	for _, m := range strings.Fields(moves) {
		r.Moves = append(r.Moves, Ply{UCI: m})
	}
	g, err := r.Game()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// write gives a game's text, and checks what holds of every text.
func write(t interface {
	Helper()
	Fatalf(string, ...any)
	Errorf(string, ...any)
}, g *Game) string {
	t.Helper()
	b, err := g.Append(nil)
	if err != nil {
		t.Fatalf("%v of %+v", err, g)
	}
	text := string(b)
	_, movetext, _ := strings.Cut(text, "]\n\n")
	for line := range strings.SplitSeq(movetext, "\n") {
		// A line is only too long for words that may not stand at the beginning of one: all others begin and end within it, or have it to themselves.
		column := 0
		for i, word := range strings.Split(line, " ") {
			n := utf8.RuneCountInString(word)
			if i > 0 && column+1+n > width && word[0] != '%' && word[0] != '[' {
				t.Errorf("%q could stand in the next line: %s", word, line)
			}
			column += 1 + n
			if i == 0 {
				column--
			}
		}
		if strings.HasPrefix(line, "%") || strings.HasPrefix(line, "[") {
			t.Errorf("a line begins with %.1q", line)
		}
	}
	return text
}

// readOne reads a text that holds one game.
func readOne(text string) (*Game, error) {
	r := NewReader(strings.NewReader(text))
	g, err := r.Next()
	if err != nil {
		return nil, err
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("behind the game: %w", err)
	}
	return g, nil
}
