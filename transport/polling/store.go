package polling

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
	"unicode/utf8"
)

// Store keeps what must be known of matches beside their records: who began
// them, with which request, and whether they still take a place. Quotas are counted
// from it and requests to begin a match are known again by it, over restarts.
// [MemoryStore] forgets with its process, [FileStore] does not. One Transport at
// a time uses a store. Safe for concurrent use.
type Store interface {
	// Load gives all entries, in any order. It is called once, before all else.
	Load(ctx context.Context) iter.Seq2[Entry, error]
	// Put keeps an entry, in place of one with the same match. It is durable when
	// Put returns. After an error it may or may not be kept.
	Put(ctx context.Context, e Entry) error
	// Remove forgets entries; of one that is not there it says nothing.
	Remove(ctx context.Context, matches ...string) error
}

// State is how far a match has come.
type State uint8

const (
	Reserved State = iota // counted, and about to begin
	Begun
	Over
)

var stateNames = [...]string{"reserved", "begun", "over"}

// String gives a short name.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}

// MarshalText uses the names of String.
func (s State) MarshalText() ([]byte, error) {
	if int(s) >= len(stateNames) {
		return nil, fmt.Errorf("polling: no state: %d", uint8(s))
	}
	return []byte(stateNames[s]), nil
}

// UnmarshalText refuses unknown names.
func (s *State) UnmarshalText(b []byte) error {
	for i, name := range stateNames {
		if name == string(b) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("polling: no state: %.20q", b)
}

// Entry is what a [Store] keeps of one match. Moments are whole milliseconds in
// UTC.
type Entry struct {
	Match    string `json:"match"`   // its id
	Account  string `json:"account"` // to whom it counts
	Agent    string `json:"agent"`   // slug
	Opponent string `json:"opponent"`
	Game     string `json:"game,omitempty"`
	Control  string `json:"control,omitempty"`
	Seat     int    `json:"seat,omitempty"` // the agent's
	Heavy    bool   `json:"heavy,omitempty"`
	// Request is the id of the request that began it, unique within the account,
	// Payload a digest of what the request asked for.
	Request string `json:"request"`
	Payload string `json:"payload"`

	State   State     `json:"state"`
	Created time.Time `json:"created"`           // the UTC day that it counts to
	Expires time.Time `json:"expires"`           // when it ends at the latest
	Ended   time.Time `json:"ended,omitzero"`    // or left by its agent, where State is not Over: it takes no place
	Outcome string    `json:"outcome,omitempty"` // in a word, once it is over
}

// maxText is the most bytes of each text of an entry.
const maxText = 256

// validate gives one error for each bad field.
func (e *Entry) validate() error {
	var errs []error
	bad := func(field, why string) { errs = append(errs, fmt.Errorf("polling: entry: %s: %s", field, why)) }
	for _, f := range []struct {
		name, value string
		required    bool
	}{
		{"match", e.Match, true},
		{"account", e.Account, true},
		{"agent", e.Agent, false},
		{"opponent", e.Opponent, true},
		{"game", e.Game, false},
		{"control", e.Control, false},
		{"request", e.Request, true},
		{"payload", e.Payload, false},
		{"outcome", e.Outcome, false},
	} {
		switch {
		case f.required && f.value == "":
			bad(f.name, "required")
		case len(f.value) > maxText:
			bad(f.name, "too long")
		case !utf8.ValidString(f.value):
			bad(f.name, "no UTF-8")
		}
	}
	if e.Seat < 0 {
		bad("seat", "negative")
	}
	if int(e.State) >= len(stateNames) {
		bad("state", "unknown")
	}
	for _, f := range []struct {
		name     string
		value    time.Time
		required bool
	}{{"created", e.Created, true}, {"expires", e.Expires, true}, {"ended", e.Ended, e.State == Over}} {
		switch {
		case f.required && f.value.IsZero():
			bad(f.name, "required")
		case f.value.IsZero():
		case f.value.Year() < 1970 || f.value.Year() > 9999:
			bad(f.name, "not a year from 1970 to 9999")
		}
	}
	return errors.Join(errs...)
}
