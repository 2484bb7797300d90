package chess_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/chess"
)

func TestFENRefused(t *testing.T) {
	tests := []struct{ name, fen, want string }{
		{"nothing", "", "1 fields"},
		{"five fields", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0", "5 fields"},
		{"seven fields", chess.StartFEN + " ", "7 fields"},
		{"two spaces", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq - 0 1", "7 fields"},
		{"a tab", strings.Replace(chess.StartFEN, " ", "\t", 1), "5 fields"},
		{"endless", strings.Repeat("8/", 1000), "2000 bytes"},
		{"seven ranks", "4k3/8/8/8/8/8/4K3 w - - 0 1", "pieces: 7 ranks"},
		{"nine ranks", "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "pieces: 9 ranks"},
		{"seven files", "4k3/8/8/7/8/8/8/4K3 w - - 0 1", "pieces: rank 5 has 7 files"},
		{"nine files", "4k3/8/8/8/8/p8/8/4K3 w - - 0 1", "pieces: rank 3 has 9 files"},
		{"an empty rank", "4k3//8/8/8/8/8/4K3 w - - 0 1", "pieces: rank 7 has 0 files"},
		{"a nine", "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "pieces: rank 7: '9' is no piece"},
		{"a zero", "4k3/80/8/8/8/8/8/4K3 w - - 0 1", "pieces: rank 7: '0' is no piece"},
		{"two numbers", "4k3/44/8/8/8/8/8/4K3 w - - 0 1", "pieces: rank 7: two numbers"},
		{"a stranger", "4k3/7x/8/8/8/8/8/4K3 w - - 0 1", "pieces: rank 7: 'x' is no piece"},
		{"no letter", "4k3/7\x00/8/8/8/8/8/4K3 w - - 0 1", "pieces: rank 7"},
		{"a question mark", "4k3/7?/8/8/8/8/8/4K3 w - - 0 1", "pieces: rank 7"},
		{"no white king", "4k3/8/8/8/8/8/8/4Q3 b - - 0 1", "pieces: 0 kings of white"},
		{"two black kings", "4k2k/8/8/8/8/8/8/4K3 w - - 0 1", "pieces: 2 kings of black"},
		{"a pawn on rank 8", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "pieces: a pawn on the first or last rank"},
		{"a pawn on rank 1", "4k3/8/8/8/8/8/8/4K2p w - - 0 1", "pieces: a pawn on the first or last rank"},
		{"nine pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "pieces: 9 pawns of white"},
		{"seventeen pieces", "rnbqkbnr/rnbqrbnr/r7/8/8/8/8/4K3 w - - 0 1", "pieces: 17 pieces of black"},
		{"no side", "4k3/8/8/8/8/8/8/4K3 W - - 0 1", "side to move: \"W\""},
		{"castling out of order", "r3k2r/8/8/8/8/8/8/R3K2R w QK - 0 1", "castling"},
		{"castling twice", "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", "castling"},
		{"castling and none", "r3k2r/8/8/8/8/8/8/R3K2R w K- - 0 1", "castling"},
		{"castling by files", "r3k2r/8/8/8/8/8/8/R3K2R w HA - 0 1", "castling"},
		{"castling without the rook", "4k3/8/8/8/8/8/8/R3K2N w KQ - 0 1", "castling: K without the king on e1 and a rook on h1"},
		{"castling without the king", "r2k3r/8/8/8/8/8/8/R3K2R b q - 0 1", "castling: q without the king on e8 and a rook on a8"},
		{"castling with the rook of another", "4k2R/8/8/8/8/8/8/4K3 b k - 0 1", "castling: k"},
		{"no square", "4k3/8/8/3pP3/8/8/8/4K3 w - d9 0 1", "en passant: \"d9\""},
		{"half a square", "4k3/8/8/3pP3/8/8/8/4K3 w - d 0 1", "en passant: \"d\""},
		{"the wrong rank", "4k3/8/8/3pP3/8/8/8/4K3 b - d6 0 1", "en passant: d6 is not on rank 3"},
		{"no pawn", "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", "en passant: no pawn of black has passed d6"},
		{"another's pawn", "4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1", "en passant: no pawn of black"},
		{"a pawn that could not pass", "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1", "en passant: d6 and d7"},
		{"a pawn that did not start", "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1", "en passant: d6 and d7"},
		{"black to take no pawn", "4k3/8/8/8/8/3P4/8/4K3 b - d3 0 1", "en passant"},
		{"a clock after a double step", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 1 1", "halfmove clock: 1"},
		{"a negative clock", "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock: \"-1\""},
		{"a signed clock", "4k3/8/8/8/8/8/8/4K3 w - - +1 1", "halfmove clock"},
		{"a clock with zeros", "4k3/8/8/8/8/8/8/4K3 w - - 01 1", "halfmove clock"},
		{"a huge clock", "4k3/8/8/8/8/8/8/4K3 w - - 65536 1", "halfmove clock"},
		{"move 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "move number"},
		{"a fraction of a move", "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5", "move number"},
		{"a huge move number", "4k3/8/8/8/8/8/8/4K3 w - - 0 99999999999999999999", "move number"},
		{"no move number", "4k3/8/8/8/8/8/8/4K3 w - - 0 ", "move number"},
		{"the king can be taken", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "side to move: white could take the king"},
		{"kings side by side", "8/8/8/3kK3/8/8/8/8 b - - 0 1", "side to move"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := chess.ParseFEN(tt.fen)
			if !errors.Is(err, chess.ErrFEN) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q: %v, without %q", tt.fen, err, tt.want)
			}
			if p != (chess.Position{}) {
				t.Errorf("%q: a position beside an error", tt.fen)
			}
		})
	}
}

// TestFEN reads what must be read and writes it again.
func TestFEN(t *testing.T) {
	for _, fen := range append([]string{
		"4k3/8/8/8/8/8/8/4K3 b - - 65535 65535",
		"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
		"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
		"8/8/6k1/8/8/3K4/8/R7 w - - 103 80",
	}, walks...) {
		p := parse(t, fen)
		if got := p.FEN(); got != fen {
			t.Errorf("%s is written as %s", fen, got)
		}
	}
	if p := chess.Initial(); p != parse(t, chess.StartFEN) {
		t.Error("the usual start is another")
	}
}

// TestClocksStay plays on from the largest clocks.
func TestClocksStay(t *testing.T) {
	p := parse(t, "4k3/8/8/8/8/8/8/4K3 b - - 65535 65535")
	for range 2 {
		p.Play(p.Legal(nil)[0])
	}
	if p.HalfmoveClock() != 65535 || p.FullmoveNumber() != 65535 {
		t.Errorf("clocks %d and %d", p.HalfmoveClock(), p.FullmoveNumber())
	}
	if again := parse(t, p.FEN()); again != p {
		t.Errorf("%+v, and read again %+v", p, again)
	}
}

// TestEnPassantKey: what is shown, and what counts.
func TestEnPassantKey(t *testing.T) {
	tests := []struct {
		name, fen, move string
		legal           bool
	}{
		{"no pawn near", chess.StartFEN, "e2e4", false},
		{"a pawn beside it", "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4", true},
		{"a pawn before a rook beside it", "3rk3/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", true},
		{"a pawn that guards its king", "3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", false},
		{"two pawns that hide the king", "8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1", "e2e4", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := parse(t, tt.fen)
			m, err := p.ParseUCI(tt.move)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(m)
			passed, shown := p.EnPassant()
			if !shown || passed.String() != "e3" || !strings.Contains(p.FEN(), " e3 ") {
				t.Errorf("%s does not show e3", p.FEN())
			}
			without := parse(t, strings.Replace(p.FEN(), " e3 ", " - ", 1))
			if p.EnPassantLegal() != tt.legal || (p.Key() != without.Key()) != tt.legal {
				t.Errorf("%s: legal %t, key %x; without the square %x", p.FEN(), p.EnPassantLegal(), p.Key(), without.Key())
			}
		})
	}
}
