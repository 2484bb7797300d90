package chess_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	oracle "github.com/notnil/chess"

	"github.com/matchreferee/arena/games/chess"
)

// TestAgainstNotnil plays random games beside notnil/chess: at each ply the positions and the sets of legal moves are the same. 200,000 plies,
// 3,000 under -short. The positions come from the rules here, so the other side reads no bytes from outside; its Game, its repetition and
// its notations are not looked at.
func TestAgainstNotnil(t *testing.T) {
	plies := 200_000
	if testing.Short() {
		plies = 3_000
	}
	r := rand.New(rand.NewPCG(2026, 11))
	games, mates, enPassant, castles, promotions := 0, 0, 0, 0, 0
	for n := 0; n < plies; games++ {
		fen := walks[0]
		if games%3 == 2 {
			fen = walks[r.IntN(len(walks))]
		}
		ours := parse(t, fen)
		theirs := new(oracle.Position)
		if err := theirs.UnmarshalText([]byte(fen)); err != nil {
			t.Fatalf("%s: %v", fen, err)
		}
		for range 400 {
			if a, b := ours.FEN(), theirs.String(); a != b {
				t.Fatalf("we are at %s, they are at %s", a, b)
			}
			n++
			legal, valid := ours.Legal(nil), theirs.ValidMoves()
			byText := make(map[string]*oracle.Move, len(valid))
			for _, m := range valid {
				byText[m.String()] = m
			}
			for _, m := range legal {
				if byText[m.String()] == nil {
					t.Fatalf("%s: they do not have %s", ours.FEN(), m)
				}
			}
			if len(legal) != len(byText) {
				t.Fatalf("%s: %d legal moves %v, and they have %v", ours.FEN(), len(legal), legal, valid)
			}
			if len(legal) != ours.Count() || len(legal) > 0 != ours.HasLegal() {
				t.Fatalf("%s: %d legal moves, of which Count says %d and HasLegal %t", ours.FEN(), len(legal), ours.Count(), ours.HasLegal())
			}
			if len(legal) == 0 || ours.Occupied()&(ours.Occupied()-1)&^(1<<ours.King(chess.White)|1<<ours.King(chess.Black)) == 0 {
				if len(legal) == 0 && ours.InCheck() {
					mates++
				}
				break
			}
			m := pickMove(r, ours, legal)
			switch {
			case ours.IsEnPassant(m):
				enPassant++
			case ours.IsCastle(m):
				castles++
			case m.Promotion() != chess.NoKind:
				promotions++
			}
			ours.Play(m)
			theirs = theirs.Update(byText[m.String()])
		}
	}
	t.Logf("%d games: %d mates, %d captures en passant, %d castlings, %d promotions", games, mates, enPassant, castles, promotions)
	if games < 3 || enPassant == 0 || castles == 0 || promotions == 0 {
		t.Errorf("%d games with %d captures en passant, %d castlings, %d promotions: too few to tell", games, enPassant, castles, promotions)
	}
}

// pickMove takes any legal move, rare ones more often than others.
func pickMove(r *rand.Rand, p chess.Position, legal []chess.Move) chess.Move {
	if rare := slices.DeleteFunc(slices.Clone(legal), func(m chess.Move) bool { return !p.IsEnPassant(m) && !p.IsCastle(m) }); len(rare) > 0 && r.IntN(2) == 0 {
		return rare[r.IntN(len(rare))]
	}
	return legal[r.IntN(len(legal))]
}
