package chess_test

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
)

// walk makes random legal moves from some position, and calls look before each and at the end.
func walk(t *rapid.T, look func(p chess.Position, legal []chess.Move)) {
	p := parse(t, rapid.SampledFrom(walks).Draw(t, "from"))
	for range rapid.IntRange(0, 120).Draw(t, "plies") {
		legal := p.Legal(nil)
		look(p, legal)
		if len(legal) == 0 {
			return
		}
		p.Play(rapid.SampledFrom(legal).Draw(t, "move"))
	}
	look(p, p.Legal(nil))
}

// walks are where random games start: the usual start, and positions in which what is rare is near.
var walks = []string{
	chess.StartFEN,
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 11 40",
	"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
	"8/PPPk4/8/8/8/8/4Kppp/8 b - - 3 70",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
}

func TestNotationRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, func(p chess.Position, legal []chess.Move) {
			if again := parse(t, p.FEN()); again != p {
				t.Fatalf("%s: %+v read again is %+v", p.FEN(), p, again)
			}
			seen := map[string]chess.Move{}
			for _, m := range legal {
				san := p.SAN(m)
				if other, ok := seen[san]; ok {
					t.Fatalf("%s: %s and %s are both %s", p.FEN(), m, other, san)
				}
				seen[san] = m
				if got, err := p.ParseSAN(san); got != m || err != nil {
					t.Fatalf("%s: %s is %s, which is read as %s, %v", p.FEN(), m, san, got, err)
				}
				if got, err := p.ParseUCI(m.String()); got != m || err != nil {
					t.Fatalf("%s: %s is read as %s, %v", p.FEN(), m, got, err)
				}
			}
		})
	})
}

// TestPass: the null move leaves a position as its FEN tells it, with the other side to move.
func TestPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		walk(t, func(p chess.Position, _ []chess.Move) {
			if p.InCheck() {
				return
			}
			next := p
			next.Pass()
			if next.SideToMove() != p.SideToMove().Other() || next.Occupied() != p.Occupied() || next.Castling() != p.Castling() || next.HalfmoveClock() != p.HalfmoveClock()+1 {
				t.Fatalf("%s passes to %s", p.FEN(), next.FEN())
			}
			if next.Key() == p.Key() {
				t.Fatalf("%s and %s have one key", p.FEN(), next.FEN())
			}
			if again := parse(t, next.FEN()); again != next {
				t.Fatalf("%s passes to %+v, which read again is %+v", p.FEN(), next, again)
			}
		})
	})
	p := parse(t, "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535")
	p.Pass()
	if got, want := p.FEN(), "4k3/8/8/8/8/8/8/4K3 w - - 65535 65535"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestBitboards compares each way to ask where the pieces are with every other.
func TestBitboards(t *testing.T) {
	kinds := []chess.Kind{chess.Pawn, chess.Knight, chess.Bishop, chess.Rook, chess.Queen, chess.King}
	rapid.Check(t, func(t *rapid.T) {
		walk(t, func(p chess.Position, _ []chess.Move) {
			if p.By(chess.White)&p.By(chess.Black) != 0 || p.By(chess.White)|p.By(chess.Black) != p.Occupied() || p.Of(chess.NoKind) != ^p.Occupied() {
				t.Fatalf("%s: white %x, black %x, occupied %x, empty %x", p.FEN(), p.By(0), p.By(1), p.Occupied(), p.Of(0))
			}
			for s := range chess.Square(64) {
				piece := p.PieceAt(s)
				for c := chess.White; c <= chess.Black; c++ {
					for _, k := range kinds {
						if (piece == chess.MakePiece(c, k)) != (p.Pieces(c, k)>>s&1 != 0) {
							t.Fatalf("%s: %s on %s, and Pieces(%s, %s) is %x", p.FEN(), piece, s, c, k, p.Pieces(c, k))
						}
					}
					if piece == chess.MakePiece(c, chess.King) && p.King(c) != s {
						t.Fatalf("%s: the king of %s is on %s, not %s", p.FEN(), c, s, p.King(c))
					}
				}
			}
		})
	})
	var p chess.Position
	if n := reflect.TypeOf(p).Size(); n != 48 {
		t.Errorf("a position takes %d bytes", n)
	}
}

func TestNames(t *testing.T) {
	for s := range chess.Square(64) {
		back, ok := chess.ParseSquare(s.String())
		if back != s || !ok || chess.MakeSquare(s.File(), s.Rank()) != s || s.Dark() == ((s.File()+s.Rank())%2 == 1) {
			t.Errorf("square %d is %s, file %d, rank %d, dark %t", s, s, s.File(), s.Rank(), s.Dark())
		}
	}
	for _, text := range []string{"", "e", "e44", "i1", "a0", "a9", "A1"} {
		if s, ok := chess.ParseSquare(text); ok {
			t.Errorf("%q is %s", text, s)
		}
	}
	if got := fmt.Sprint(chess.Square(28), chess.Square(64), chess.NoMove, chess.MakePiece(chess.White, chess.Knight), chess.MakePiece(chess.Black, chess.Queen), chess.Piece(0), chess.Rook, chess.Black); got != "e4 - 0000 N q . r black" {
		t.Error(got)
	}
}

// TestState: what Go programs see of a typed state.
func TestState(t *testing.T) {
	s := start(t, "", "4k2r/8/8/8/8/8/3Q4/4K3 b k - 0 1")
	typed, ok := game.As[chess.State](s)
	if !ok || typed.Last() != chess.NoMove || len(typed.Moves()) != 0 {
		t.Fatalf("%t, %s, %v", ok, typed.Last(), typed.Moves())
	}
	play(t, s, "e8g8 d2d8")
	typed, _ = game.As[chess.State](s)
	p := typed.Current()
	if p.FEN() != fen(t, s) || typed.Last().String() != "d2d8" || fmt.Sprint(typed.Moves()) != "[e8g8 d2d8]" {
		t.Errorf("%s, last %s of %v", p.FEN(), typed.Last(), typed.Moves())
	}
}

// TestPlayAnything: a move that is not legal makes nonsense of a position, and no panic.
func TestPlayAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := parse(t, rapid.SampledFrom(walks).Draw(t, "from"))
		for _, m := range rapid.SliceOfN(rapid.Uint16(), 1, 200).Draw(t, "moves") {
			move := chess.Move(m)
			legal := p.IsLegal(move)
			if legal != (p.Check(move) == nil) {
				t.Fatalf("%s: %s is legal: %t", p.FEN(), move, legal)
			}
			before := p
			p.Play(move)
			if p.SideToMove() == before.SideToMove() {
				t.Fatalf("%s: after %s the same side is to move", before.FEN(), move)
			}
			if legal && parse(t, p.FEN()) != p {
				t.Fatalf("%s: after %s it is %s", before.FEN(), move, p.FEN())
			}
			if !legal {
				p.Legal(nil)
				p.InCheck()
				p = before
			}
		}
	})
}
