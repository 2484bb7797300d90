package chess

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// StartFEN is the usual start of a game.
const StartFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

var initial = mustParse(StartFEN)

func mustParse(fen string) Position {
	p, err := ParseFEN(fen)
	if err != nil {
		panic(err)
	}
	return p
}

// Initial gives the usual start of a game.
func Initial() Position { return initial }

// ErrFEN is wrapped by every error of [ParseFEN].
var ErrFEN = errors.New("chess: bad FEN")

const maxFEN = 128 // bytes; 71 of pieces, 2 of side, 5, 3, 6 and 6 are the most that a good one has

// ParseFEN reads a position in Forsyth-Edwards notation, strictly: six fields with one space between them; eight ranks of eight files, at most
// sixteen pieces a side of which at most eight pawns, one king each, no pawn on the first or last rank; w or b; castling rights in the order
// KQkq, each with its king and rook at home; an en passant square only behind a pawn that can just have made a double step; clocks of decimal
// digits without leading zeros, the halfmove clock 0 to 65535, the move number 1 to 65535; and the side that is not to move not in check.
// Errors wrap [ErrFEN] and name the field.
//
// FEN shows the en passant square after each double step; one that is missing cannot be seen to be missing, and is no error.
func ParseFEN(fen string) (Position, error) {
	p, err := parseFEN(fen)
	if err != nil {
		return Position{}, fmt.Errorf("%w: %w", ErrFEN, err)
	}
	return p, nil
}

func parseFEN(fen string) (p Position, err error) {
	if len(fen) > maxFEN {
		return p, fmt.Errorf("%d bytes are too long", len(fen))
	}
	fields := strings.Split(fen, " ")
	if len(fields) != 6 {
		return p, fmt.Errorf("%d fields with one space between them, not 6: pieces, side to move, castling, en passant, halfmove clock, move number", len(fields))
	}
	if err := p.parsePieces(fields[0]); err != nil {
		return p, fmt.Errorf("pieces: %w", err)
	}
	switch fields[1] {
	case "w":
		p.side = White
	case "b":
		p.side = Black
	default:
		return p, fmt.Errorf("side to move: %.8q, not w or b", fields[1])
	}
	if err := p.parseCastling(fields[2]); err != nil {
		return p, fmt.Errorf("castling: %w", err)
	}
	if err := p.parseEnPassant(fields[3]); err != nil {
		return p, fmt.Errorf("en passant: %w", err)
	}
	if p.halfmove, err = parseClock(fields[4], 0); err != nil {
		return p, fmt.Errorf("halfmove clock: %w", err)
	}
	if p.fullmove, err = parseClock(fields[5], 1); err != nil {
		return p, fmt.Errorf("move number: %w", err)
	}
	if p.passed != 0 && p.halfmove != 0 {
		return p, fmt.Errorf("halfmove clock: %d right after a double step, not 0", p.halfmove)
	}
	if p.Attackers(p.King(p.side.Other()), p.side) != 0 {
		return p, fmt.Errorf("side to move: %s could take the king", p.side)
	}
	p.enPassant = p.enPassantFrom() != 0
	p.key = p.fullKey()
	return p, nil
}

func (p *Position) parsePieces(field string) error {
	ranks := strings.Split(field, "/")
	if len(ranks) != 8 {
		return fmt.Errorf("%d ranks, not 8", len(ranks))
	}
	for i, text := range ranks {
		rank, file, digit := 7-i, 0, false
		for _, c := range []byte(text) {
			if c >= '1' && c <= '8' {
				if digit {
					return fmt.Errorf("rank %d: two numbers side by side", rank+1)
				}
				file, digit = file+int(c-'0'), true
				continue
			}
			digit = false
			piece, ok := pieceOf(c)
			if !ok {
				return fmt.Errorf("rank %d: %q is no piece", rank+1, rune(c))
			}
			if file < 8 {
				p.put(piece, MakeSquare(file, rank))
			}
			file++
		}
		if file != 8 {
			return fmt.Errorf("rank %d has %d files, not 8", rank+1, file)
		}
	}
	if p.Of(Pawn)&(rank1|rank8) != 0 {
		return errors.New("a pawn on the first or last rank")
	}
	for c := White; c <= Black; c++ {
		if n := bits.OnesCount64(p.Pieces(c, King)); n != 1 {
			return fmt.Errorf("%d kings of %s, not 1", n, c)
		}
		if n := bits.OnesCount64(p.Pieces(c, Pawn)); n > 8 {
			return fmt.Errorf("%d pawns of %s, over 8", n, c)
		}
		if n := bits.OnesCount64(p.By(c)); n > 16 {
			return fmt.Errorf("%d pieces of %s, over 16", n, c)
		}
	}
	return nil
}

func pieceOf(letter byte) (Piece, bool) {
	color, lower := White, letter|0x20
	if letter == lower {
		color = Black
	}
	k, ok := kindOf(lower)
	return MakePiece(color, k), ok
}

func (p *Position) parseCastling(field string) error {
	if field == "-" {
		return nil
	}
	for i := range 4 {
		if rest, ok := strings.CutPrefix(field, "KQkq"[i:i+1]); ok {
			field = rest
			p.rights |= 1 << i
		}
	}
	if field != "" || p.rights == 0 {
		return errors.New("not a part of KQkq in that order, nor -")
	}
	for i := range 4 {
		if p.rights>>i&1 == 0 {
			continue
		}
		color, home := Color(i/2), Square(i/2*56)
		rook := home + 7 - Square(i%2*7)
		if p.PieceAt(home+4) != MakePiece(color, King) || p.PieceAt(rook) != MakePiece(color, Rook) {
			return fmt.Errorf("%c without the king on %s and a rook on %s", "KQkq"[i], home+4, rook)
		}
	}
	return nil
}

func (p *Position) parseEnPassant(field string) error {
	if field == "-" {
		return nil
	}
	s, ok := ParseSquare(field)
	if !ok {
		return fmt.Errorf("%.8q, not a square or -", field)
	}
	rank, forward := 5, 8 // of the square, and from it to where the pawn came from, when White is to move
	if p.side == Black {
		rank, forward = 2, -8
	}
	if s.Rank() != rank {
		return fmt.Errorf("%s is not on rank %d, with %s to move", s, rank+1, p.side)
	}
	them := p.side.Other()
	if p.PieceAt(Square(int(s)-forward)) != MakePiece(them, Pawn) {
		return fmt.Errorf("no pawn of %s has passed %s", them, s)
	}
	if from := Square(int(s) + forward); p.PieceAt(s) != 0 || p.PieceAt(from) != 0 {
		return fmt.Errorf("%s and %s are not both empty, so no pawn has passed", s, from)
	}
	p.passed = s
	return nil
}

func parseClock(field string, least uint64) (uint16, error) {
	n, err := strconv.ParseUint(field, 10, 16)
	if err != nil || n < least || strconv.FormatUint(n, 10) != field {
		return 0, fmt.Errorf("%.8q, not a number from %d to %d", field, least, math.MaxUint16)
	}
	return uint16(n), nil
}

// FEN writes the position; [ParseFEN] reads it back.
func (p *Position) FEN() string { return string(p.AppendFEN(make([]byte, 0, maxFEN))) }

// AppendFEN appends what [Position.FEN] gives.
func (p *Position) AppendFEN(dst []byte) []byte {
	for rank := 7; rank >= 0; rank-- {
		empty := byte(0)
		for file := range 8 {
			piece := p.PieceAt(MakeSquare(file, rank))
			if piece == 0 {
				empty++
				continue
			}
			if empty > 0 {
				dst = append(dst, '0'+empty)
				empty = 0
			}
			dst = append(dst, byte(piece.letter()))
		}
		if empty > 0 {
			dst = append(dst, '0'+empty)
		}
		if rank > 0 {
			dst = append(dst, '/')
		}
	}
	dst = append(dst, ' ', "wb"[p.side&1], ' ')
	dst = append(dst, p.rights.String()...)
	dst = append(dst, ' ')
	if p.passed != 0 {
		dst = append(dst, p.passed.String()...)
	} else {
		dst = append(dst, '-')
	}
	dst = append(dst, ' ')
	dst = strconv.AppendUint(dst, uint64(p.halfmove), 10)
	dst = append(dst, ' ')
	return strconv.AppendUint(dst, uint64(p.fullmove), 10)
}
