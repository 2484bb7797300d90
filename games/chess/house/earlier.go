package house

import (
	"strconv"
	"strings"

	"github.com/matchreferee/arena/games/chess"
)

// earlier gives the keys of the positions before p that it might repeat, the oldest first: those since the last capture, pawn move or
// castling. A match may have begun anywhere, so they are found by taking moves back. What castling rights there were is not known; those of p
// are taken, so that now and then a position passes for a repetition that is none.
func earlier(p chess.Position, moves []chess.Move) []uint64 {
	var board [64]chess.Piece
	for s := range board {
		board[s] = p.PieceAt(chess.Square(s))
	}
	from := len(moves)
	for from > max(0, len(moves)-p.HalfmoveClock()) {
		m := moves[from-1]
		piece := board[m.To()]
		if piece == 0 || board[m.From()] != 0 || piece.Kind() == chess.King && abs(m.From().File()-m.To().File()) > 1 {
			break
		}
		board[m.From()], board[m.To()] = piece, 0
		from--
	}
	side := p.SideToMove()
	if (len(moves)-from)%2 == 1 {
		side = side.Other()
	}
	old, err := chess.ParseFEN(fenOf(&board, side, p.Castling()))
	if err != nil {
		return nil
	}
	var keys []uint64
	for _, m := range moves[from:] {
		keys = append(keys, old.Key())
		if !old.IsLegal(m) {
			return nil
		}
		old.Play(m)
	}
	return keys
}

// fenOf writes a position in which nothing can be captured en passant.
func fenOf(board *[64]chess.Piece, side chess.Color, rights chess.Castling) string {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		empty := 0
		for file := range 8 {
			piece := board[chess.MakeSquare(file, rank)]
			if piece == 0 {
				empty++
				continue
			}
			if empty > 0 {
				b.WriteString(strconv.Itoa(empty))
				empty = 0
			}
			b.WriteString(piece.String())
		}
		if empty > 0 {
			b.WriteString(strconv.Itoa(empty))
		}
		if rank > 0 {
			b.WriteByte('/')
		}
	}
	return b.String() + " " + side.String()[:1] + " " + rights.String() + " - 0 1"
}

func abs(n int) int { return max(n, -n) }
