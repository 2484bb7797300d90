package agentarena

import (
	"encoding/json"
	"slices"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// say puts words into a listed action that form lets say something else than
// the nothing that it says; false where there is no such place, or more than
// one. Both the listed action and the result are canonical JSON.
func say(listed game.Action, form json.RawMessage, words string) (game.Action, bool) {
	text := string(listed)
	at, ok := place(text, form, 0)
	if !ok {
		return "", false
	}
	filled := jsontext.AppendString(append(make([]byte, 0, len(text)+len(words)+8), text[:at]...), words)
	return game.Action(append(filled, text[at+len(emptyString):]...)), true
}

// schema is as much of a JSON Schema as is looked at.
type schema struct {
	Type       json.RawMessage            `json:"type"`
	Const      json.RawMessage            `json:"const"`
	Enum       []json.RawMessage          `json:"enum"`
	Properties map[string]json.RawMessage `json:"properties"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
	OneOf      []json.RawMessage          `json:"oneOf"`
}

const emptyString = `""`

// place finds the byte at which the one empty string begins that may be any text.
func place(text string, form json.RawMessage, depth int) (at int, ok bool) {
	var s schema
	if depth > jsontext.MaxDepth || json.Unmarshal(form, &s) != nil || !s.fits(text, depth) {
		return 0, false
	}
	for _, branch := range slices.Concat(s.AnyOf, s.OneOf) {
		if at, ok = place(text, branch, depth+1); ok {
			return at, true
		}
	}
	if text == emptyString {
		return 0, s.free()
	}
	members, err := parseObject([]byte(text))
	if err != nil {
		return 0, false
	}
	for _, m := range members {
		var p schema
		if raw, known := s.Properties[m.Name]; !known || m.Raw != emptyString || json.Unmarshal(raw, &p) != nil || !p.free() {
			continue
		}
		if ok {
			return 0, false
		}
		at, ok = m.From, true
	}
	return at, ok
}

// fits tells whether the members of an action contradict no const and no enum.
func (s *schema) fits(text string, depth int) bool {
	if depth > jsontext.MaxDepth {
		return false
	}
	for _, some := range [][]json.RawMessage{s.AnyOf, s.OneOf} {
		if some != nil && !slices.ContainsFunc(some, func(branch json.RawMessage) bool {
			var b schema
			return json.Unmarshal(branch, &b) == nil && b.fits(text, depth+1)
		}) {
			return false
		}
	}
	members, err := parseObject([]byte(text))
	if err != nil {
		return true
	}
	for _, m := range members {
		var p schema
		if raw, known := s.Properties[m.Name]; !known || json.Unmarshal(raw, &p) != nil {
			continue
		}
		same := func(value json.RawMessage) bool {
			a, err := game.Canonical(value)
			return err == nil && string(a) == m.Raw
		}
		if p.Const != nil && !same(p.Const) || p.Enum != nil && !slices.ContainsFunc(p.Enum, same) {
			return false
		}
	}
	return true
}

// free tells whether a schema lets any string be.
func (s *schema) free() bool {
	if s.Const != nil || s.Enum != nil || s.Properties != nil {
		return false
	}
	if s.Type == nil {
		return true
	}
	var one string
	var several []string
	if json.Unmarshal(s.Type, &one) == nil {
		return one == "string"
	}
	return json.Unmarshal(s.Type, &several) == nil && slices.Contains(several, "string")
}
