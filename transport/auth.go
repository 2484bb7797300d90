package transport

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/matchreferee/arena/referee"
)

// ErrKey is wrapped where a key stands for nobody: it is unknown, has expired or
// was revoked. Which of them, the agent is not told.
var ErrKey = errors.New("transport: not a valid key")

// MaxKey is the most bytes that a key may have; longer ones are not looked up.
const MaxKey = 512

// What a key may be good for.
const (
	ScopePlay      = "play"      // to take the seats of its agent
	ScopeBenchmark = "benchmark" // to start benchmark matches, and to play them
	ScopeWatch     = "watch"     // to watch matches
)

// Grant is what a key stands for.
type Grant struct {
	// Agent is who acts with the key. Keys that only watch need none.
	Agent referee.Agent
	// Account is who answers for it, to whom quotas apply: one account may have
	// several agents, and an agent several keys. "": the agent's slug.
	Account string
	// Key names the key in lists and logs. It is no secret, and stays the same.
	Key string
	// Scopes are what the key is good for.
	Scopes []string
}

// May reports whether the grant has a scope.
func (g *Grant) May(scope string) bool { return slices.Contains(g.Scopes, scope) }

// Owner gives the account, or the agent's slug where there is none.
func (g *Grant) Owner() string {
	if g.Account != "" {
		return g.Account
	}
	return g.Agent.Slug
}

// Authenticator tells whose key it is: the one place where keys are looked at,
// for every protocol. Package transport/keys has one. Safe for concurrent use.
type Authenticator interface {
	// Authenticate gives what a key stands for, the caller's to keep. The error
	// wraps ErrKey where it stands for nobody; any other one is the host's own.
	// How long it takes must not tell how much of a key is right, so a
	// secret is compared in constant time, or by its hash.
	Authenticate(ctx context.Context, key string) (*Grant, error)
}

// Bearer gives the key of an Authorization header (RFC 6750); "" where there is
// none that can be one: another scheme, several headers, more than [MaxKey] bytes.
func Bearer(h http.Header) string {
	values := h.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, key, _ := strings.Cut(values[0], " ")
	key = strings.Trim(key, " ")
	if !strings.EqualFold(scheme, "Bearer") || len(key) > MaxKey || strings.ContainsAny(key, " ,\t") {
		return ""
	}
	return key
}
