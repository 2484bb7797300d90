// Package fit holds an action of an agent's against the request that it answers, for
// wire formats whose actions are JSON.
package fit

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

// Action holds an action against the request that it answers: a fraction in the
// place of an integer is an error, and strings that no listed action has go through
// the host's filter, which makes it canonical. r is used, and so must not be in use
// elsewhere.
func Action(a game.Action, r *referee.Request) (game.Action, error) {
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
	if hasFraction(v) && !bytes.Contains(form, []byte(`"number"`)) && Misplaced(v, each()) {
		return "", errors.New("action: a number in it is no integer")
	}
	if form != nil && Filter(v, each(), r.Filter) {
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

// Misplaced tells whether v has a fraction where listed values have integers
// and none has a fraction.
func Misplaced(v *jsontext.Value, listed []*jsontext.Value) bool {
	if v.Kind == jsontext.Number {
		number := func(l *jsontext.Value) bool { return l.Kind == jsontext.Number }
		return hasFraction(v) && slices.ContainsFunc(listed, number) && !slices.ContainsFunc(listed, func(l *jsontext.Value) bool { return number(l) && hasFraction(l) })
	}
	for i := range v.Items {
		if Misplaced(&v.Items[i], below(v, i, listed)) {
			return true
		}
	}
	return false
}

// Filter puts the strings in v that none of the listed values has in the same
// place through f, and tells whether any of them changed by that.
func Filter(v *jsontext.Value, listed []*jsontext.Value, f func(string) string) (changed bool) {
	if v.Kind == jsontext.String {
		if slices.ContainsFunc(listed, func(l *jsontext.Value) bool { return l.Kind == jsontext.String && l.Text == v.Text }) {
			return false
		}
		text := strings.ToValidUTF8(f(v.Text), string(utf8.RuneError))
		changed, v.Text = text != v.Text, text
	}
	for i := range v.Items {
		changed = Filter(&v.Items[i], below(v, i, listed), f) || changed
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
