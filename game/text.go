package game

import (
	"encoding/json"
	"fmt"

	"github.com/matchreferee/arena/internal/jsontext"
)

const maxText = 1 << 16 // bytes of a move's text

// textOf writes a move for people: by the rules, else the content of a JSON string, else the JSON.
func (p *pos[S, A]) textOf(a A) string {
	if p.core.texter != nil {
		return p.core.texter.Text(&p.s, a)
	}
	return plainText(p.core.codec.own(a))
}

func plainText(a Action) string {
	var s string
	if len(a) > 0 && a[0] == '"' && json.Unmarshal([]byte(a), &s) == nil {
		return s
	}
	return string(a)
}

func (p *pos[S, A]) text(a Action) string {
	if p.core.texter != nil {
		if move, _, err := p.core.codec.decode(a); err == nil {
			return p.core.texter.Text(&p.s, move)
		}
	}
	return plainText(a)
}

func (p *pos[S, A]) parse(seat Seat, text string) (Action, error) {
	if len(text) > maxText {
		return "", fmt.Errorf("%w: a text of over 64 KiB", ErrIllegal)
	}
	moves, list := p.list(seat)
	defer p.core.release(list, len(moves))
	found := -1
	for i, a := range moves {
		if p.textOf(a) == text {
			if found >= 0 && a != moves[found] {
				return "", fmt.Errorf("%w: %s could be %s or %s", ErrIllegal, jsontext.Quote(text), p.core.codec.own(moves[found]), p.core.codec.own(a))
			}
			found = i
		}
	}
	if found >= 0 {
		return p.core.codec.listed(moves[found]), nil
	}
	if p.core.parser != nil {
		a, err := p.core.parser.Parse(&p.s, seat, text)
		if err != nil {
			return "", illegal(err)
		}
		t, err := marshalMove(a)
		if err != nil {
			return "", fmt.Errorf("%w: %w", ErrIllegal, err)
		}
		return t, nil
	}
	return "", fmt.Errorf("%w: %s is no legal move; write one of these exactly: %s", ErrIllegal, jsontext.Quote(text), p.hint(seat, p.textOf))
}
