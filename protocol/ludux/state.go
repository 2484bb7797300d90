package ludux

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/matchreferee/arena/internal/jsontext"
)

const moveTimeName = "move_time_ms"

// withMoveTime gives a ruleset with the time for a move behind it, in place of
// a member of that name that the game may have.
func withMoveTime(ruleset []byte, d time.Duration) json.RawMessage {
	if bytes.Contains(ruleset, []byte(moveTimeName)) {
		ruleset = without(ruleset, moveTimeName)
	}
	if d <= 0 {
		return bytes.Clone(ruleset)
	}
	out := append(make([]byte, 0, len(ruleset)+32), ruleset[:len(ruleset)-1]...)
	if len(out) > 1 {
		out = append(out, ',')
	}
	out = append(out, `"`+moveTimeName+`":`...)
	return append(strconv.AppendInt(out, int64(d/time.Millisecond), 10), '}')
}

// without gives an object that lacks a member.
func without(object []byte, name string) []byte {
	members, err := jsontext.ParseObject(object, jsontext.Replace)
	if err != nil || !slices.ContainsFunc(members, func(m jsontext.Member) bool { return m.Name == name }) {
		return object // rulesets are objects, which game sees to
	}
	out := []byte{'{'}
	for _, m := range members {
		if m.Name == name {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(jsontext.AppendString(out, m.Name), ':'), m.Raw...)
	}
	return append(out, '}')
}

// history tells whether a member of a state is one that may lose its oldest entries.
func history(m *jsontext.Member) bool {
	name := strings.ToLower(m.Name)
	return m.Kind == jsontext.Array && (strings.Contains(name, "history") || strings.HasSuffix(name, "log"))
}

// cutHistory makes a message at least over bytes shorter by taking the oldest
// entries from the longest history of its state; nil where that is not enough.
func cutHistory(state json.RawMessage, over int) (json.RawMessage, *Truncation) {
	members, err := jsontext.ParseObject(state, jsontext.Replace)
	if err != nil {
		return state, nil
	}
	longest := -1
	for i := range members {
		if history(&members[i]) && (longest < 0 || len(members[i].Raw) > len(members[longest].Raw)) {
			longest = i
		}
	}
	if longest < 0 {
		return state, nil
	}
	list := &members[longest]
	v, err := jsontext.Parse([]byte(list.Raw), jsontext.Replace)
	if err != nil {
		return state, nil
	}
	over += len(`,"truncated":{"member":,"omitted":65536}`) + len(jsontext.AppendString(nil, list.Name))
	for n := range v.Items {
		gone := len(list.Raw) - len("[]")
		if n+1 < len(v.Items) {
			gone = v.Items[n+1].From - 1
		}
		if gone < over {
			continue
		}
		return slices.Delete(slices.Clone(state), list.From+1, list.From+1+gone), &Truncation{Member: list.Name, Omitted: n + 1}
	}
	return state, nil
}
