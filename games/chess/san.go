package chess

import (
	"fmt"
	"strings"
)

// SAN writes a legal move in standard algebraic notation, as short as it may be and with its mark of check or mate: "Nbd2", "exd8=Q+", "O-O#".
// A move that is not legal it writes in UCI.
func (p *Position) SAN(m Move) string {
	var room [MaxLegal]Move
	legal := p.Legal(room[:0])
	if !contains(legal, m) {
		return m.String()
	}
	var b [8]byte
	dst := b[:0]
	from, to := m.From(), m.To()
	kind := p.PieceAt(from).Kind()
	switch {
	case p.IsCastle(m) && to > from:
		dst = append(dst, "O-O"...)
	case p.IsCastle(m):
		dst = append(dst, "O-O-O"...)
	case kind == Pawn:
		if p.Captured(m) != 0 {
			dst = append(dst, 'a'+byte(from.File()), 'x')
		}
		dst = append(dst, to.String()...)
		if k := m.Promotion(); k != NoKind {
			dst = append(dst, '=', kindLetters[k]-'a'+'A')
		}
	default:
		dst = append(dst, kindLetters[kind]-'a'+'A')
		dst = p.appendOrigin(dst, m, legal)
		if p.Captured(m) != 0 {
			dst = append(dst, 'x')
		}
		dst = append(dst, to.String()...)
	}
	return string(append(dst, p.mark(m)...))
}

func contains(moves []Move, m Move) bool {
	for _, x := range moves {
		if x == m {
			return true
		}
	}
	return false
}

// appendOrigin appends as much of the square that a piece leaves as tells it from others of its kind that may go to the same square: the file
// if that is enough, else the rank if that is, else both.
func (p *Position) appendOrigin(dst []byte, m Move, legal []Move) []byte {
	from := m.From()
	file, rank := true, true // tell it from all others
	others := false
	for _, l := range legal {
		if l.To() == m.To() && l != m && p.PieceAt(l.From()) == p.PieceAt(from) {
			others = true
			file = file && l.From().File() != from.File()
			rank = rank && l.From().Rank() != from.Rank()
		}
	}
	name := from.String()
	switch {
	case !others:
		return dst
	case file:
		return append(dst, name[0])
	case rank:
		return append(dst, name[1])
	}
	return append(dst, name...)
}

// mark is "+" for a move that gives check, "#" for mate.
func (p *Position) mark(m Move) string {
	next := *p
	next.Play(m)
	switch {
	case !next.InCheck():
		return ""
	case next.Count() == 0:
		return "#"
	}
	return "+"
}

// sanMove is SAN text taken apart.
type sanMove struct {
	kind       Kind
	file, rank int // of the square it comes from; -1: not said
	takes      bool
	to         Square
	promotion  Kind
	castle     int  // 1 to the king's side, -1 to the queen's side
	mark       byte // '+', '#' or 0
}

// readSAN takes text apart; ok is false for what is no SAN.
func readSAN(text string) (m sanMove, ok bool) {
	m.kind, m.file, m.rank = Pawn, -1, -1
	if n := len(text); n > 0 && (text[n-1] == '+' || text[n-1] == '#') {
		m.mark, text = text[n-1], text[:n-1]
	}
	switch text {
	case "O-O":
		m.castle = 1
		return m, true
	case "O-O-O":
		m.castle = -1
		return m, true
	}
	if n := len(text); n > 2 {
		if k := strings.IndexByte("NBRQ", text[n-1]); k >= 0 {
			m.promotion = [...]Kind{Knight, Bishop, Rook, Queen}[k]
			text = strings.TrimSuffix(text[:n-1], "=")
		}
	}
	if len(text) > 0 {
		if k, ok := kindOf(text[0] | 0x20); ok && text[0] < 'a' && k != Pawn {
			m.kind, text = k, text[1:]
		}
	}
	if len(text) < 2 || m.promotion != NoKind && m.kind != Pawn {
		return m, false
	}
	if m.to, ok = ParseSquare(text[len(text)-2:]); !ok {
		return m, false
	}
	text = text[:len(text)-2]
	text, m.takes = strings.CutSuffix(text, "x")
	if len(text) > 0 && text[0] >= 'a' && text[0] <= 'h' {
		m.file, text = int(text[0]-'a'), text[1:]
	}
	if len(text) > 0 && text[0] >= '1' && text[0] <= '8' {
		m.rank, text = int(text[0]-'1'), text[1:]
	}
	return m, text == ""
}

// ParseSAN reads a legal move in standard algebraic notation. What the text says has to be true and to fit one move only: the marks of capture,
// check and mate and the equals sign may be left out, but not be wrong, and the square a piece comes from may be told in full. A promotion
// says to what. Castling is "O-O" and "O-O-O", with the letter.
func (p *Position) ParseSAN(text string) (Move, error) {
	said, ok := readSAN(text)
	if !ok {
		return NoMove, fmt.Errorf("%.16q is %w: SAN names the piece, the square it reaches and what a pawn becomes, as in Nf3, exd5, O-O or e8=Q", text, ErrNotation)
	}
	var room [MaxLegal]Move
	var found []Move
	for _, m := range p.Legal(room[:0]) {
		if p.fits(said, m) {
			found = append(found, m)
		}
	}
	switch {
	case len(found) == 0:
		return NoMove, fmt.Errorf("%.16q is %w here", text, ErrIllegal)
	case len(found) > 1 && found[0].Promotion() != NoKind && said.promotion == NoKind:
		return NoMove, fmt.Errorf("%.16q is %w: it has to say what the pawn becomes, as in %s", text, ErrAmbiguous, p.SAN(found[0]))
	case len(found) > 1:
		return NoMove, fmt.Errorf("%.16q is %w: %s or %s", text, ErrAmbiguous, p.SAN(found[0]), p.SAN(found[1]))
	}
	m := found[0]
	switch mark := p.mark(m); {
	case said.takes && p.Captured(m) == 0:
		return NoMove, fmt.Errorf("%.16q is %w here: it takes nothing", text, ErrIllegal)
	case said.mark == '#' && mark != "#":
		return NoMove, fmt.Errorf("%.16q is %w here: it is not mate", text, ErrIllegal)
	case said.mark == '+' && mark == "":
		return NoMove, fmt.Errorf("%.16q is %w here: it gives no check", text, ErrIllegal)
	}
	return m, nil
}

// fits tells whether a legal move is what SAN text may mean, but for marks.
func (p *Position) fits(said sanMove, m Move) bool {
	from := m.From()
	if p.IsCastle(m) {
		return said.castle == 1 && m.To() > from || said.castle == -1 && m.To() < from
	}
	return said.castle == 0 && m.To() == said.to && p.PieceAt(from).Kind() == said.kind &&
		(said.promotion == NoKind || said.promotion == m.Promotion()) &&
		(said.file < 0 || said.file == from.File()) && (said.rank < 0 || said.rank == from.Rank())
}
