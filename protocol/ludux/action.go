package ludux

import (
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// readAction gives an action as it came, or, where it holds what is no Unicode, in
// canonical form with U+FFFD in its place.
func readAction(m *jsontext.Member) (game.Action, error) {
	if m.Kind == jsontext.Number && len(m.Raw) < 100 && !strings.ContainsAny(m.Raw, "eE") {
		return game.Action(m.Raw), nil // its form was checked, and a float64 holds it
	}
	v, err := jsontext.Parse([]byte(m.Raw), jsontext.Replace)
	if err != nil {
		return "", fmt.Errorf("action: %w", err)
	}
	if !strings.Contains(m.Raw, `\u`) {
		return game.Action(m.Raw), nil // bytes that are no UTF-8 were replaced when the message was read
	}
	return game.Action(v.AppendCanonical(nil)), nil
}
