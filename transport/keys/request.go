package keys

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/transport"
)

const (
	maxText   = 64 // code points of a name
	maxModel  = 128
	maxLabels = 16
	maxLabel  = 256
)

// validate gives one error for each bad field. Agents are held to what a record
// takes, so that no match of a key fails to begin.
func (q *Request) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: %s: %s", ErrRequest, field, fmt.Sprintf(format, args...)))
	}
	line := func(field, s string, most int) {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) || strings.ContainsFunc(s, jsontext.BreaksLine) {
			bad(field, "not one line of UTF-8")
		} else if utf8.RuneCountInString(s) > most {
			bad(field, "longer than %d code points", most)
		}
	}
	plays := false
	for _, s := range q.Scopes {
		switch s {
		case transport.ScopePlay, transport.ScopeBenchmark:
			plays = true
		case transport.ScopeWatch:
		default:
			bad("Scopes", "%s is unknown", jsontext.Quote(s))
		}
	}
	if len(q.Scopes) == 0 {
		bad("Scopes", "there are none")
	}
	a := &q.Agent
	switch {
	case a.Slug == "" && plays:
		bad("Agent.Slug", "is needed to play")
	case a.Slug == "" && q.Account == "":
		bad("Account", "is needed where the agent has no slug")
	}
	if len(a.Slug) > maxText || strings.Trim(a.Slug, "abcdefghijklmnopqrstuvwxyz0123456789_.-") != "" {
		bad("Agent.Slug", "not at most %d of a-z 0-9 _ . -", maxText)
	}
	line("Agent.Name", a.Name, maxText)
	line("Agent.Version", a.Version, maxText)
	line("Agent.Owner", a.Owner, maxText)
	line("Agent.Framework", a.Framework, maxText)
	line("Agent.Model", a.Model, maxModel)
	if a.House {
		bad("Agent.House", "the host's own agents need no keys")
	}
	if a.Rating != a.Rating || a.Rating > 1e9 || a.Rating < -1e9 {
		bad("Agent.Rating", "not a rating")
	}
	if len(a.Labels) > maxLabels {
		bad("Agent.Labels", "more than %d", maxLabels)
	} else {
		for _, k := range slices.Sorted(maps.Keys(a.Labels)) {
			line("Agent.Labels", k, maxText)
			line("Agent.Labels", a.Labels[k], maxLabel)
		}
	}
	line("Account", q.Account, maxText)
	if q.Lifetime < 0 || q.Lifetime > longestLifetime {
		bad("Lifetime", "%v is not in 0 to %v", q.Lifetime, longestLifetime)
	}
	return errors.Join(errs...)
}
