package ludux

import (
	"bytes"
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
// fraction in the place of an integer is an error, and strings that no listed
// action has go through the host's filter.
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
	form := r.Form()
	if hasFraction(v) && !bytes.Contains(form, []byte(`"number"`)) && misplaced(v, each()) {
		return "", errors.New("action: a number in it is no integer")
	}
	if form != nil && filter(v, each(), r.Filter) {
		return game.Action(v.AppendCanonical(nil)), nil
	}
	return a, nil
}

// hasFraction tells whether some number in v is no integer.
func hasFraction(v *jsontext.Value) bool {
	if v.Kind == jsontext.Number {
		return v.Float != math.Trunc(v.Float)
	}
	for i := range v.Items {
		if hasFraction(&v.Items[i]) {
			return true
		}
	}
	return false
}

// misplaced tells whether v has a fraction where listed values have integers
// and none has a fraction.
func misplaced(v *jsontext.Value, listed []*jsontext.Value) bool {
	if v.Kind == jsontext.Number {
		number := func(l *jsontext.Value) bool { return l.Kind == jsontext.Number }
		return hasFraction(v) && slices.ContainsFunc(listed, number) && !slices.ContainsFunc(listed, func(l *jsontext.Value) bool { return number(l) && hasFraction(l) })
	}
	for i := range v.Items {
		if misplaced(&v.Items[i], below(v, i, listed)) {
			return true
		}
	}
	return false
}

// filter puts the strings in v that none of the listed values has in the same
// place through f, and tells whether any of them changed by that.
func filter(v *jsontext.Value, listed []*jsontext.Value, f func(string) string) (changed bool) {
	if v.Kind == jsontext.String {
		if slices.ContainsFunc(listed, func(l *jsontext.Value) bool { return l.Kind == jsontext.String && l.Text == v.Text }) {
			return false
		}
		text := strings.ToValidUTF8(f(v.Text), string(utf8.RuneError))
		changed, v.Text = text != v.Text, text
	}
	for i := range v.Items {
		changed = filter(&v.Items[i], below(v, i, listed), f) || changed
	}
	return changed
}

// below gives what the listed values have where item i of v is.
func below(v *jsontext.Value, i int, listed []*jsontext.Value) (list []*jsontext.Value) {
	for _, l := range listed {
		switch {
		case l.Kind != v.Kind:
		case v.Kind == jsontext.Object:
			if m := l.Find(v.Items[i].Name); m != nil {
				list = append(list, m)
			}
		case i < len(l.Items):
			list = append(list, &l.Items[i])
		}
	}
	return list
}
