package referee

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/internal/jsontext"
)

// Agent is who plays, the same whatever the protocol. To ratings, two versions
// of an agent are as good as two agents.
type Agent struct {
	Slug      string            `json:"slug,omitempty"`      // [a-z0-9_.-], at most 64
	Name      string            `json:"name,omitempty"`      // shown to people: one line, no longer than 64 code points
	Version   string            `json:"version,omitempty"`   // the agent's own
	Owner     string            `json:"owner,omitempty"`     // whose it is
	Framework string            `json:"framework,omitempty"` // self-reported
	Model     string            `json:"model,omitempty"`     // self-reported
	House     bool              `json:"house,omitempty"`     // the host's own
	Rating    float64           `json:"rating,omitempty"`    // as the host rates it, for protocols that tell; 0: unrated
	Labels    map[string]string `json:"labels,omitempty"`    // at most 16
}

// SeatInfo says who sits on a seat and how the referee treats it. Every
// seat has a Policy and a Clock of its own: agents of one match may come by
// different protocols, which promise them different things.
type SeatInfo struct {
	Agent     Agent  `json:"agent"`
	Transport string `json:"transport,omitempty"` // "callback", "websocket", "local", ...
	Policy    Policy `json:"policy"`
	Clock     Clock  `json:"clock"`
}

const maxLabels = 16

func (a *Agent) validate() error {
	var errs []error
	text := func(field, s string, most int) {
		switch {
		case s == "":
		case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) || strings.ContainsFunc(s, jsontext.BreaksLine):
			errs = append(errs, fmt.Errorf("agent.%s: not one line of UTF-8", field))
		case utf8.RuneCountInString(s) > most:
			errs = append(errs, fmt.Errorf("agent.%s: longer than %d code points", field, most))
		}
	}
	text("slug", a.Slug, 64)
	if i := strings.IndexFunc(a.Slug, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("_.-", r)
	}); i >= 0 {
		errs = append(errs, fmt.Errorf("agent.slug: %q has a character other than a-z 0-9 _ . -", a.Slug))
	}
	text("name", a.Name, 64)
	text("version", a.Version, 64)
	text("owner", a.Owner, 64)
	text("framework", a.Framework, 64)
	text("model", a.Model, 128)
	if a.Rating != a.Rating || a.Rating > 1e9 || a.Rating < -1e9 {
		errs = append(errs, errors.New("agent.rating: not a rating"))
	}
	if len(a.Labels) == 0 {
		return errors.Join(errs...)
	}
	if len(a.Labels) > maxLabels {
		errs = append(errs, errors.New("agent.labels: more than 16"))
	}
	for _, k := range slices.Sorted(maps.Keys(a.Labels)) {
		text("labels", k, 64)
		text("labels", a.Labels[k], 256)
	}
	return errors.Join(errs...)
}

// size is how much text there is about an agent, in bytes.
func (a *Agent) size() int {
	n := len(a.Slug) + len(a.Name) + len(a.Version) + len(a.Owner) + len(a.Framework) + len(a.Model)
	for k, v := range a.Labels {
		n += len(k) + len(v)
	}
	return n
}

// clean makes untrusted text fit for a record: one line of at most so many code points.
func clean(s string, most int) string { return jsontext.Line(s, most) }
