package ludux

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
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

// fitAction sees to what an action can only be held against the request for: a
// fraction that no listed action has is an error, and strings that none has go
// through the host's filter.
func fitAction(a game.Action, r *referee.Request) (game.Action, error) {
	legal := r.Listed()
	if slices.Contains(legal, a) {
		return a, nil
	}
	v, err := jsontext.Parse([]byte(a), jsontext.Replace)
	if err != nil {
		return "", fmt.Errorf("action: %w", err)
	}
	var listed []*jsontext.Value
	each := func() []*jsontext.Value {
		for i := len(listed); i < len(legal); i++ {
			l, err := jsontext.Parse([]byte(legal[i]), jsontext.Replace)
			if err != nil {
				l = new(jsontext.Value) // the rules' own, which are JSON
			}
			listed = append(listed, l)
		}
		return listed
	}
	if fraction(v) && !slices.ContainsFunc(each(), fraction) {
		return "", errors.New("action: a number in it is no integer")
	}
	if r.Form() != nil && filter(v, each(), r.Filter) {
		return game.Action(v.AppendCanonical(nil)), nil
	}
	return a, nil
}

// fraction tells whether some number in v is no integer.
func fraction(v *jsontext.Value) bool {
	if v.Kind == jsontext.Number {
		return v.Float != math.Trunc(v.Float)
	}
	for i := range v.Items {
		if fraction(&v.Items[i]) {
			return true
		}
	}
	return false
}

// filter puts the strings in v that none of the listed values has in the same
// place through f, and tells whether any of them changed by that.
func filter(v *jsontext.Value, listed []*jsontext.Value, f func(string) string) (changed bool) {
	switch v.Kind {
	case jsontext.String:
		if slices.ContainsFunc(listed, func(l *jsontext.Value) bool { return l.Kind == jsontext.String && l.Text == v.Text }) {
			return false
		}
		text := strings.ToValidUTF8(f(v.Text), string(utf8.RuneError))
		changed, v.Text = text != v.Text, text
	case jsontext.Array, jsontext.Object:
		for i := range v.Items {
			var below []*jsontext.Value
			for _, l := range listed {
				if l.Kind != v.Kind {
					continue
				}
				if v.Kind == jsontext.Object {
					if m := l.Find(v.Items[i].Name); m != nil {
						below = append(below, m)
					}
				} else if i < len(l.Items) {
					below = append(below, &l.Items[i])
				}
			}
			changed = filter(&v.Items[i], below, f) || changed
		}
	}
	return changed
}
