package pgn

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	notnil "github.com/notnil/chess"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// randomGame plays and annotates by lot.
func randomGame(r *rand.Rand) *Game {
	g := &Game{Result: []Result{WhiteWins, BlackWins, Draw, Unknown}[r.IntN(4)]}
	p := chess.Initial()
	if r.IntN(4) == 0 {
		for range r.IntN(60) {
			if l := p.Legal(nil); len(l) > 0 {
				p.Play(l[r.IntN(len(l))])
			}
		}
		if p != chess.Initial() {
			g.Start = p.FEN()
		}
	}
	for _, t := range roster[:6] {
		g.Tags = append(g.Tags, Tag{t.Name, randomText(r, "\"\\ é%[")})
	}
	g.Tags = append(g.Tags, Tag{"Result", string(g.Result)})
	if r.IntN(2) == 0 {
		g.Tags = append(g.Tags, Tag{"ECO", "B90"}, Tag{"Zz_9", randomText(r, "{};")})
	}
	if r.IntN(3) == 0 {
		g.Comments = randomComments(r)
	}
	count := 0
	g.Moves = randomMoves(r, p, 200, 0, &count)
	return g
}

func randomMoves(r *rand.Rand, p chess.Position, most, depth int, count *int) []Move {
	var out []Move
	for range 1 + r.IntN(most) {
		l := p.Legal(nil)
		if len(l) == 0 {
			break
		}
		m := Move{Move: l[r.IntN(len(l))]}
		if r.IntN(8) == 0 {
			m.Comments = randomComments(r)
		}
		if r.IntN(8) == 0 {
			m.NAGs = []uint8{uint8(r.IntN(256))}
		}
		if r.IntN(4) == 0 {
			m.Clock = game.Some(time.Duration(r.Int64N(int64(maxClock))).Truncate(time.Millisecond))
		}
		if r.IntN(4) == 0 {
			m.Elapsed = game.Some(time.Duration(r.Int64N(1e11)).Truncate(100 * time.Millisecond))
		}
		for r.IntN(10) == 0 && depth < 4 && *count < 500 {
			v := Variation{Moves: randomMoves(r, p, 6, depth+1, count)}
			if r.IntN(3) == 0 {
				v.Comments = randomComments(r)
			}
			m.Variations = append(m.Variations, v)
		}
		p.Play(m.Move)
		out = append(out, m)
		*count++
	}
	return out
}

func randomText(r *rand.Rand, more string) string {
	runes := []rune("abc xyz 0189.,:;-_()" + more)
	var b strings.Builder
	for range r.IntN(40) {
		b.WriteRune(runes[r.IntN(len(runes))])
	}
	return b.String()
}

func randomComments(r *rand.Rand) []string {
	var out []string
	for range 1 + r.IntN(3) {
		if s := Clean(randomText(r, "%{}[]é\"\\\n\t%clk 0:00:01]")); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// TestRoundTrip: games written and read again are equal, and a common reader of PGN sees the same moves in them.
func TestRoundTrip(t *testing.T) {
	games := 1000
	if testing.Short() {
		games = 30
	}
	var text bytes.Buffer
	var want []*Game
	for i := range games {
		g := randomGame(game.SeedFrom(uint64(i)).Stream("game", 0))
		want = append(want, g)
		text.WriteString(write(t, g))
	}
	r := NewReader(&text)
	for i, w := range want {
		got, err := r.Next()
		if err != nil {
			t.Fatalf("game %d: %v", i, err)
		}
		if !reflect.DeepEqual(w, got) { // cmp takes ten times as long
			t.Fatalf("game %d: %s", i, cmp.Diff(w, got, equal))
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// TestOracle: notnil/chess reads the same game from what is written here, as far as it reads what was written: no variations, no NAGs.
func TestOracle(t *testing.T) {
	for i := range 30 {
		r := game.SeedFrom(uint64(i)).Stream("oracle", 0)
		g := &Game{Result: Draw}
		p := chess.Initial()
		for range 1 + r.IntN(120) {
			l := p.Legal(nil)
			if len(l) == 0 {
				break
			}
			m := Move{Move: l[r.IntN(len(l))]}
			if r.IntN(4) == 0 {
				m.Clock = game.Some(time.Duration(r.IntN(3600)) * time.Second)
			}
			p.Play(m.Move)
			g.Moves = append(g.Moves, m)
		}
		read, err := notnil.PGN(strings.NewReader(write(t, g)))
		if err != nil {
			t.Fatal(err)
		}
		theirs := notnil.NewGame(read)
		var got, want []string
		for _, m := range theirs.Moves() {
			got = append(got, m.String())
		}
		for _, m := range g.Moves {
			want = append(want, m.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	}
}
