package chess

import (
	"errors"
	"fmt"
	"strings"
)

// Read reads a legal move as people and programs write it, if there is only one that the text can mean: UCI and SAN, UCI with an upper-case
// letter of promotion ("e7e8Q"), castling with zeros ("0-0") or as the king taking his own rook ("e1h1"), all with white space around.
// Move numbers, comments and other decoration are refused, and what may be several moves is refused with their names.
func (p *Position) Read(text string) (Move, error) {
	t := strings.TrimSpace(text)
	uci := t
	if len(t) == 5 && strings.IndexByte("NBRQ", t[4]) >= 0 {
		uci = t[:4] + strings.ToLower(t[4:])
	}
	if m, ok := readUCI(uci); ok {
		if castle := p.kingTakesRook(m); castle != NoMove {
			return castle, nil
		}
		if err := p.Check(m); err != nil {
			return NoMove, err
		}
		return m, nil
	}
	if strings.HasPrefix(t, "0-0") && strings.Trim(t, "0-+#") == "" {
		t = strings.ReplaceAll(t, "0", "O")
	}
	m, err := p.ParseSAN(t)
	if errors.Is(err, ErrNotation) {
		return NoMove, fmt.Errorf("%.16q is %w: write the move alone, in UCI (e2e4, e7e8q) or SAN (Nf3, exd5, O-O, e8=Q)", text, ErrNotation)
	}
	return m, err
}
