package house_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/chess/house"
)

func parse(t failer, fen string) chess.Position {
	t.Helper()
	p, err := chess.ParseFEN(fen)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// mates tells whether the side to move mates in at most n of its moves, by trying everything.
func mates(p chess.Position, n int) bool {
	if n < 1 {
		return false
	}
	for _, m := range p.Legal(nil) {
		if keepsMate(p, m, n) {
			return true
		}
	}
	return false
}

// keepsMate tells whether m mates, or leads to mate in n-1 moves more, whatever the other side does.
func keepsMate(p chess.Position, m chess.Move, n int) bool {
	p.Play(m)
	replies := p.Legal(nil)
	if len(replies) == 0 {
		return p.InCheck()
	}
	if n <= 1 {
		return false
	}
	for _, reply := range replies {
		q := p
		q.Play(reply)
		if !mates(q, n-1) {
			return false
		}
	}
	return true
}

// TestMates: the search finds the shortest mates. That they are is checked by trying all moves.
func TestMates(t *testing.T) {
	for _, tt := range []struct {
		name, fen string
		n         int
	}{
		{"back rank", "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1},
		{"with the hundredth ply", "6k1/5ppp/8/8/8/8/8/R6K w - - 99 80", 1},
		{"scholar's", "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1},
		{"fool's", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", 1},
		{"smothered", "6rk/6pp/8/6N1/8/8/8/7K w - - 0 1", 1},
		{"promotion", "7k/P5pp/8/8/8/8/8/7K w - - 0 1", 1},
		{"P. Morphy's problem", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2},
		{"Philidor's legacy", "r4r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", 2},
		{"two rooks", "7k/8/8/8/8/R7/1R6/7K w - - 0 1", 2},
		{"a queen given on g6", "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", 2},
		{"a king walked in", "r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 3},
		{"a queen given on h8", "r1b3kr/ppp1Bp1p/1b6/n2P4/2p3q1/2Q2N2/P4PPP/RN2R1K1 w - - 1 1", 3},
		{"a queen given on f2", "r2n1rk1/1ppb2pp/1p1p4/3Ppq1n/2B3P1/2P4P/PP1N1P1K/R2Q1RN1 b - - 0 1", 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.fen)
			move, value := house.NewSearch(t.Context(), 400_000, chess.Default(), nil).Best(p)
			if want := house.Mated - (2*tt.n - 1); value != want {
				t.Errorf("%v, value %d, not %d", move, value, want)
			}
			if mates(p, tt.n-1) || !keepsMate(p, move, tt.n) {
				t.Errorf("%v is no mate in %d, or there is a shorter one", move, tt.n)
			}
		})
	}
}

// TestTactics has positions from F. Reinfeld, Win at Chess (1945), by their numbers, each with the one move that wins.
func TestTactics(t *testing.T) {
	for _, tt := range []struct {
		n         int
		fen, best string
		slow      bool
	}{
		{1, "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6", false},
		{3, "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "Rg3", true},
		{4, "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "Qxh7+", false},
		{5, "5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "Qc4+", false},
		{6, "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "Rb7", true},
		{7, "rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "Ne3", true},
		{8, "r4q1k/p2bR1rp/2p2Q1N/5p2/5p2/2P5/PP3PPP/R5K1 w - - 0 1", "Rf7", true},
		{9, "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "Bh2+", true},
		{10, "2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1", "Rxh7", true},
		{11, "r1b1kb1r/3q1ppp/pBp1pn2/8/Np3P2/5B2/PPP3PP/R2Q1RK1 w kq - 0 1", "Bxc6", true},
	} {
		t.Run(fmt.Sprint(tt.n), func(t *testing.T) {
			if tt.slow && testing.Short() {
				t.Skip("takes a second, some with the race detector")
			}
			p := parse(t, tt.fen)
			move, value := house.NewSearch(t.Context(), 300_000, chess.Default(), nil).Best(p)
			if got := p.SAN(move); strings.TrimRight(got, "+#") != strings.TrimRight(tt.best, "+#") {
				t.Errorf("%s (%d), not %s", got, value, tt.best)
			}
		})
	}
}

// TestDraws: the search knows how a game is drawn.
func TestDraws(t *testing.T) {
	best := func(fen string, rules chess.Rules, keys []uint64) (string, int) {
		p := parse(t, fen)
		move, value := house.NewSearch(t.Context(), 20_000, rules, keys).Best(p)
		return p.SAN(move), value
	}
	t.Run("perpetual check", func(t *testing.T) {
		if move, value := best("6k1/6p1/8/7Q/8/8/rq5P/7K w - - 0 1", chess.Default(), nil); value != 0 || move != "Qe8+" {
			t.Errorf("%s, %d", move, value)
		}
	})
	t.Run("fifty moves", func(t *testing.T) { // all but a pawn's move ends the game
		const fen = "8/8/8/8/8/4k3/P7/K6R w - - 99 80"
		if move, value := best(fen, chess.Default(), nil); move[0] != 'a' || value <= 0 {
			t.Errorf("%s, %d", move, value)
		}
		if move, value := best("8/8/8/8/8/4k3/8/K6R w - - 99 80", chess.Default(), nil); value != 0 {
			t.Errorf("nothing to be done: %s, %d", move, value)
		}
		rules := chess.Default()
		rules.MoveLimit = 75
		if move, value := best("8/8/8/8/8/4k3/8/K6R w - - 99 80", rules, nil); value <= 0 {
			t.Errorf("75 moves: %s, %d", move, value)
		}
	})
	t.Run("bare kings", func(t *testing.T) {
		if move, value := best("8/8/8/8/8/3k4/1p6/K7 w - - 0 1", chess.Default(), nil); move != "Kxb2" || value != 0 {
			t.Errorf("%s, %d", move, value)
		}
	})
	t.Run("repetition", func(t *testing.T) { // the move it likes best leads to a position that was there twice
		const fen = "8/8/8/3k4/8/8/8/K6R w - - 10 80"
		p := parse(t, fen)
		favourite, before := best(fen, chess.Default(), nil)
		m, err := p.ParseSAN(favourite)
		if err != nil {
			t.Fatal(err)
		}
		after := p
		after.Play(m)
		// Behind these come the root's key and that of the position after the move, which stands an even number of plies after both.
		keys := []uint64{1, 2, after.Key(), 4, 5, 6, after.Key(), 8, 9}
		if move, value := best(fen, chess.Default(), keys); move == favourite || value <= 0 {
			t.Errorf("%s, %d", move, value)
		}
		rules := chess.Default()
		rules.Repetition = 5
		if move, value := best(fen, rules, keys); move != favourite || value != before {
			t.Errorf("at the fifth occurrence: %s, %d, not %s, %d", move, value, favourite, before)
		}
	})
}

// ends is a context that has ended from its n-th question on.
type ends struct {
	context.Context
	n *int
}

func (e ends) Err() error {
	if *e.n--; *e.n < 0 {
		return context.Canceled
	}
	return nil
}

// TestStop ends a search by its nodes and by its context, in the middle: it stops within the nodes of one look at the context, which are
// a fraction of a millisecond, and has a legal move all the same.
func TestStop(t *testing.T) {
	p := parse(t, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
	for _, nodes := range []int{1, 10, 1000, 5000} {
		s := house.NewSearch(t.Context(), nodes, chess.Default(), nil)
		if m, _ := s.Best(p); s.Left() != 0 || !p.IsLegal(m) {
			t.Errorf("%d nodes: %d left, %v", nodes, s.Left(), m)
		}
	}
	for _, questions := range []int{0, 1, 20} {
		n := questions
		s := house.NewSearch(ends{context.Background(), &n}, 1<<30, chess.Default(), nil)
		if m, _ := s.Best(p); !p.IsLegal(m) {
			t.Errorf("%v", m)
		}
		if used := 1<<30 - s.Left(); used > (questions+1)*house.PollNodes {
			t.Errorf("context of %d questions: %d nodes", questions, used)
		}
	}
}
