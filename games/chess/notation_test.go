package chess_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/chess"
)

func TestSAN(t *testing.T) {
	tests := []struct{ fen, uci, san string }{
		{chess.StartFEN, "e2e4", "e4"},
		{chess.StartFEN, "g1f3", "Nf3"},
		{"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
		{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
		{"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
		{"4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "b1d2", "Nd2"},
		{"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"},
		{"4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"},
		{"4k3/8/8/8/7Q/8/8/4K2Q w - - 0 1", "h1e4", "Q1e4+"},
		{"8/k7/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
		{"8/k7/8/8/8/1N6/8/KN3N2 w - - 0 1", "b1d2", "Nb1d2"},
		{"4k3/8/8/8/1b6/2N5/8/1K2N3 w - - 0 1", "e1d3", "Nd3"},
		{"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"}, // the other knight is pinned
		{"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q+"},
		{"3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", "exd8=N"},
		{"6rk/6pp/8/6N1/8/8/PP6/KR6 w - - 0 1", "g5f7", "Nf7#"},
		{"k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", "Rh8#"},
		{"k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1b1", "Rb1"},
	}
	for _, tt := range tests {
		p := parse(t, tt.fen)
		m, err := p.ParseUCI(tt.uci)
		if err != nil {
			t.Errorf("%s: %s: %v", tt.fen, tt.uci, err)
			continue
		}
		if got := p.SAN(m); got != tt.san {
			t.Errorf("%s: %s is %s, not %s", tt.fen, tt.uci, got, tt.san)
		}
		if back, err := p.ParseSAN(tt.san); back != m || err != nil {
			t.Errorf("%s: %s is read as %s, %v", tt.fen, tt.san, back, err)
		}
	}
	p := chess.Initial()
	if got := p.SAN(chess.MakeMove(0, 63, chess.NoKind)); got != "a1h8" {
		t.Errorf("a move that is not legal is written %s", got)
	}
}

// reading is text and what it has to come to: a move in UCI, or an error that wraps err and has hint in it.
type reading struct {
	fen, text, uci string
	err            error
	hint           string
}

func (tt reading) check(t *testing.T, read func(p *chess.Position, text string) (chess.Move, error)) {
	t.Helper()
	p := parse(t, tt.fen)
	before := p
	m, err := read(&p, tt.text)
	switch {
	case p != before:
		t.Errorf("%q changed the position", tt.text)
	case tt.err == nil && (err != nil || m.String() != tt.uci):
		t.Errorf("%s: %q is %s, %v, not %s", tt.fen, tt.text, m, err, tt.uci)
	case tt.err != nil && (!errors.Is(err, tt.err) || !strings.Contains(err.Error(), tt.hint) || m != chess.NoMove):
		t.Errorf("%s: %q is %s, %v; %v with %q is wanted", tt.fen, tt.text, m, err, tt.err, tt.hint)
	}
}

func TestParseSAN(t *testing.T) {
	const knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
	const takes = "3rk3/4P3/8/3p4/2B1P3/8/8/R3K3 w Q - 0 1"
	for _, tt := range []reading{
		{knights, "Nbd2", "b1d2", nil, ""},
		{knights, "N1d2", "b1d2", nil, ""},
		{knights, "Nb1d2", "b1d2", nil, ""},
		{knights, "Nd2", "", chess.ErrAmbiguous, "Nbd2 or Nfd2"},
		{knights, "Ngd2", "", chess.ErrIllegal, ""},
		{knights, "Nxd2", "", chess.ErrAmbiguous, ""},
		{knights, "Nbxd2", "", chess.ErrIllegal, "takes nothing"},
		{knights, "Nbd2+", "", chess.ErrIllegal, "gives no check"},
		{knights, "Nbd2#", "", chess.ErrIllegal, "not mate"},
		{knights, "Nbd2=Q", "", chess.ErrNotation, ""},
		{knights, "nbd2", "", chess.ErrNotation, ""},
		{knights, "O-O", "", chess.ErrIllegal, ""},
		{knights, "0-0", "", chess.ErrNotation, ""},
		{knights, "Nbd2!", "", chess.ErrNotation, "Nf3, exd5"},
		{knights, " Nbd2", "", chess.ErrNotation, ""},
		{knights, "", "", chess.ErrNotation, ""},
		{knights, "+", "", chess.ErrNotation, ""},
		{knights, "N", "", chess.ErrNotation, ""},
		{knights, "Nb1d2d2", "", chess.ErrNotation, ""},
		{knights, "Ni9", "", chess.ErrNotation, ""},
		{takes, "exd5", "e4d5", nil, ""},
		{takes, "ed5", "e4d5", nil, ""},
		{takes, "Bxd5", "c4d5", nil, ""},
		{takes, "Bd5", "c4d5", nil, ""},
		{takes, "exd8=Q+", "e7d8q", nil, ""},
		{takes, "exd8Q", "e7d8q", nil, ""},
		{takes, "exd8", "", chess.ErrAmbiguous, "what the pawn becomes, as in exd8=Q+"},
		{takes, "exd8=K", "", chess.ErrNotation, ""},
		{takes, "exd8=P", "", chess.ErrNotation, ""},
		{takes, "e5", "e4e5", nil, ""},
		{takes, "exe5", "", chess.ErrIllegal, ""},
		{takes, "O-O-O", "e1c1", nil, ""},
		{takes, "Kd1", "e1d1", nil, ""},
		{takes, "K", "", chess.ErrNotation, ""},
		{"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=Q+", "e7e8q", nil, ""},
		{"k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8", "h1h8", nil, ""},
		{"k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8+", "h1h8", nil, ""}, // mate is check, too
	} {
		tt.check(t, (*chess.Position).ParseSAN)
	}
}

func TestParseUCI(t *testing.T) {
	const from = "r3k2r/P7/8/8/8/8/3p4/R3K2R w KQkq - 0 1"
	for _, tt := range []reading{
		{from, "e1d2", "e1d2", nil, ""},
		{from, "e1g1", "", chess.ErrIllegal, "in check"},
		{from, "", "", chess.ErrNotation, "e2e4 or e7e8q"},
		{from, "0000", "", chess.ErrNotation, ""},
		{from, "e1e1", "", chess.ErrNotation, ""},
		{from, "E1D2", "", chess.ErrNotation, ""},
		{from, "e1d2 ", "", chess.ErrNotation, ""},
		{from, "e1-d2", "", chess.ErrNotation, ""},
		{from, "e1d2k", "", chess.ErrNotation, ""},
		{from, "e1d2Q", "", chess.ErrNotation, ""},
		{from, "e1d2q", "", chess.ErrIllegal, "nothing is promoted"},
		{from, "e4e5", "", chess.ErrIllegal, "no piece on e4"},
		{from, "d2d1q", "", chess.ErrIllegal, "not white's"},
		{from, "a7a8q", "", chess.ErrIllegal, "in check"},
		{"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "b7a8", "", chess.ErrIllegal, "b7a8q"},
		{"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "b7a8n", "b7a8n", nil, ""},
		{"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "e1c1", nil, ""},
		{"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1a1", "", chess.ErrIllegal, "written e1c1"},
		{"r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1b3", "", chess.ErrIllegal, "a1a2"},
		{"4k3/4r3/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3", "", chess.ErrIllegal, "e2 cannot move"},
	} {
		tt.check(t, (*chess.Position).ParseUCI)
	}
}

func TestRead(t *testing.T) {
	const from = "r3k2r/1P6/8/8/8/8/8/RN2K2R w KQkq - 0 1"
	for _, tt := range []reading{
		{from, "b7a8Q", "b7a8q", nil, ""},
		{from, "\n b7a8q\t", "b7a8q", nil, ""},
		{from, "bxa8=Q+", "b7a8q", nil, ""},
		{from, "bxa8=q", "", chess.ErrNotation, "in UCI (e2e4, e7e8q) or SAN"},
		{from, "0-0", "e1g1", nil, ""},
		{from, "O-O", "e1g1", nil, ""},
		{from, "o-o", "", chess.ErrNotation, ""},
		{from, "0-O", "", chess.ErrNotation, ""},
		{from, "0-0-0", "", chess.ErrIllegal, ""},
		{from, "0-0-", "", chess.ErrNotation, ""},
		{from, "e1h1", "e1g1", nil, ""},
		{from, "e1a1", "", chess.ErrIllegal, ""},
		{from, "Nc3", "b1c3", nil, ""},
		{from, "NC3", "", chess.ErrNotation, ""},
		{from, "1. Nc3", "", chess.ErrNotation, ""},
		{from, "Nc3!?", "", chess.ErrNotation, ""},
		{from, "Nc3 {good}", "", chess.ErrNotation, ""},
		{from, "I play Nc3", "", chess.ErrNotation, ""},
		{from, "b1c3 b1d2", "", chess.ErrNotation, ""},
		{from, "b1c4", "", chess.ErrIllegal, "b1c3"},
		{"r2qk2r/8/8/8/8/8/8/R2QK2R w KQkq - 0 1", "0-0+", "", chess.ErrIllegal, "no check"},
		{"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "0-0+", "e1g1", nil, ""},
		{"4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1h1", "", chess.ErrIllegal, ""}, // the right to that side is gone
		{"4k3/8/8/8/8/8/R7/4K3 w - - 0 1", "e1a2", "", chess.ErrIllegal, ""},
		{"4k3/8/8/8/8/5R2/8/4KR2 w - - 0 1", "e1f1", "", chess.ErrIllegal, ""},
	} {
		tt.check(t, (*chess.Position).Read)
	}
}

// TestReadAmbiguous: what may be several moves is not guessed, under any ruleset.
func TestReadAmbiguous(t *testing.T) {
	const from = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1"
	refuses(t, lenient, from, "Nd2", "Nbd2 or Nfd2")
	refuses(t, strict, from, "Nd2", "Nbd2 or Nfd2")
	refuses(t, strict, from, "please", "a move is a string in UCI")
	refuses(t, strict, from, " b1d2", "write b1d2")
	accepts(t, lenient, from, "  b1d2 ", "b1d2")
}
