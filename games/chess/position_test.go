package chess_test

import (
	"testing"

	"pgregory.net/rapid"

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
