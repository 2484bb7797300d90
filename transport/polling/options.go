package polling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/lease"
)

// Options configure a Transport. Auth, Games, Opponents, Records and Start are
// required; the zero value of the rest is what the Grid arena promises.
type Options struct {
	// Auth tells whose key it is. The scope is [transport.ScopeBenchmark].
	Auth transport.Authenticator
	// Games are what can be played; the first one where a request names none.
	Games []game.Game
	// Opponents are whom agents can play against, by the names that requests use.
	Opponents map[string]Opponent
	// Records are where the host records the matches that Start begins.
	Records referee.Store
	// Start begins a match and returns when it runs: its first line is recorded
	// or about to be. The context does not end with the request. An error means
	// that no match was begun, and is told to nobody but Failed.
	Start func(context.Context, Start) error

	// Limits are the quotas and the pace.
	Limits Limits
	// Store keeps what has to be known of matches beside their records. nil: in
	// memory, so that quotas and the ids of requests are forgotten with the process.
	Store Store

	// Lease is what opponents wait for before they compute; claims are their
	// matches' accounts', and heavy for heavy opponents. It stays the host's. nil: one of this
	// transport's own, by which one of them computes at a time.
	Lease *lease.Lease

	// Prefix is what the paths of all requests begin with. "": /api/benchmarks.
	Prefix string
	// MaxWait bounds how long a request may ask to be held (Prefer: wait), up to
	// a minute. 0: 30 s. Negative: no request is held.
	MaxWait time.Duration
	// Waiters is how many requests of one account are held at once; more are
	// answered at once. 0: 4.
	Waiters int
	// BodyTime is how long a request's body may take to come. 0: 10 s.
	BodyTime time.Duration
	// Recent is how many of the latest results are shown. 0: 20.
	Recent int

	// Remove deletes the record of a match whose retention is over. nil: the
	// record stays where it is, and is not shown any more.
	Remove func(ctx context.Context, match string) error
	// Failed is told of each error that is the host's, such as a store that does
	// not answer; there is no key in it. nil: nobody is.
	Failed func(error)
	// Now gives the time of day. nil: time.Now.
	Now func() time.Time
}

// Opponent is whom an agent can play against.
type Opponent struct {
	// Game is the name of the one game that it plays; "": each one.
	Game string
	// Player plays its seats, when the host seats it by the carrier that
	// [Transport.House] gives. nil: the host seats it by another one.
	Player referee.Player
	// Agent is who is recorded. Its zero members are filled in: Slug and Name are
	// the opponent's name, and House is set.
	Agent referee.Agent
	// Policy is the aiPolicy that is shown, a JSON object of at most 256
	// characters. It is recorded with the match (as the label "aiPolicy" of the
	// agent), so that what was pinned stays. nil: the name alone.
	Policy json.RawMessage
	// Heavy says that it computes for long, Gated that only some accounts may
	// play against it.
	Heavy, Gated bool
	// Light says that Player takes no longer than a request does, and need not
	// wait for the lease.
	Light bool
}

const (
	defaultPrefix   = "/api/benchmarks"
	defaultMaxWait  = 30 * time.Second
	longestWait     = time.Minute
	defaultWaiters  = 4
	defaultBodyTime = 10 * time.Second
	defaultRecent   = 20
	maxRecent       = 1000
	labelPolicy     = "aiPolicy"
	maxLabel        = 256 // code points of an agent's label
)

// validate gives one error for each bad field.
func (o *Options) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("polling: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	if o.Auth == nil {
		bad("Auth", "required")
	}
	if o.Records == nil {
		bad("Records", "required")
	}
	if o.Start == nil {
		bad("Start", "required")
	}
	if err := o.Limits.validate(); err != nil {
		errs = append(errs, err)
	}
	games := map[string]bool{}
	for i, g := range o.Games {
		if g == nil {
			bad(fmt.Sprintf("Games[%d]", i), "nil")
		} else if name := g.Info().Name; games[name] {
			bad(fmt.Sprintf("Games[%d]", i), "%q is there twice", name)
		} else {
			games[name] = true
		}
	}
	if len(o.Games) == 0 {
		bad("Games", "there are none")
	}
	if len(o.Opponents) == 0 {
		bad("Opponents", "there are none")
	}
	slugs := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(o.Opponents)) {
		p := o.Opponents[name]
		field := fmt.Sprintf("Opponents[%s]", name)
		p.fill(name)
		if other, taken := slugs[p.Agent.Slug]; taken {
			bad(field+".Agent", "%s has the slug %q too", other, p.Agent.Slug)
		}
		slugs[p.Agent.Slug] = name
		if !validSlug(name) {
			bad(field, "not a name of 1 to 64 of a-z 0-9 _ . -")
		}
		if p.Game != "" && !games[p.Game] {
			bad(field+".Game", "%q is not among Games", p.Game)
		}
		if p := o.Opponents[name]; p.Policy != nil {
			if a, err := game.Canonical(p.Policy); err != nil || !strings.HasPrefix(string(a), "{") {
				bad(field+".Policy", "not a JSON object")
			} else if utf8.RuneCountInString(string(a)) > maxLabel {
				bad(field+".Policy", "longer than %d characters", maxLabel)
			}
		}
	}
	if p := o.Prefix; p != "" && (!strings.HasPrefix(p, "/") || path.Clean(p) != p || strings.ContainsAny(p, "{}?#% ")) {
		bad("Prefix", "%q is not a clean path", p)
	}
	if o.MaxWait > longestWait {
		bad("MaxWait", "%v is more than %v", o.MaxWait, longestWait)
	}
	if o.Waiters < 0 {
		bad("Waiters", "%d is negative", o.Waiters)
	}
	if o.BodyTime < 0 {
		bad("BodyTime", "%v is negative", o.BodyTime)
	}
	if o.Recent < 0 || o.Recent > maxRecent {
		bad("Recent", "%d is not in 0 to %d", o.Recent, maxRecent)
	}
	return errors.Join(errs...)
}

// fill replaces zero values by their defaults.
func (o *Options) fill() {
	if o.Prefix == "" {
		o.Prefix = defaultPrefix
	}
	if o.Prefix == "/" {
		o.Prefix = ""
	}
	if o.MaxWait == 0 {
		o.MaxWait = defaultMaxWait
	}
	if o.Waiters == 0 {
		o.Waiters = defaultWaiters
	}
	if o.BodyTime == 0 {
		o.BodyTime = defaultBodyTime
	}
	if o.Recent == 0 {
		o.Recent = defaultRecent
	}
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Limits.fill()
	if o.Store == nil {
		o.Store = new(MemoryStore)
	}
	opponents := maps.Clone(o.Opponents)
	for name, p := range opponents {
		p.fill(name)
		opponents[name] = p
	}
	o.Opponents = opponents
}

func (p *Opponent) fill(name string) {
	if p.Agent.Slug == "" {
		p.Agent.Slug = name
	}
	if p.Agent.Name == "" {
		p.Agent.Name = name
	}
	p.Agent.House = true
	if p.Policy == nil {
		p.Policy, _ = json.Marshal(map[string]string{"opponent": name})
	}
	pinned, _ := game.Canonical(p.Policy) // validated
	labels := maps.Clone(p.Agent.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[labelPolicy] = string(pinned)
	p.Agent.Labels = labels
}

func validSlug(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 64
}

// JSON writes a value as JSON, for [Opponent.Policy]; nil where it cannot be.
func JSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
