package keys

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// Options are the settings of a ring. The zero value is ready.
type Options struct {
	// Prefix is what keys begin with: 1 to 15 of a-z and 0-9, a letter first, and
	// "_" behind. "": "ak_".
	Prefix string
	// Lifetime is how long a key is good where it is issued for no time of its own;
	// at most ten years. 0: 30 days.
	Lifetime time.Duration
	// PerAccount is how many good keys an account may have at a time. 0: 20.
	PerAccount int
	// Total is how many keys are kept, those that are good no more among them. 0: 10,000.
	Total int
	// Now gives the time of day. nil: time.Now.
	Now func() time.Time
	// Rand is where the random bits of keys come from. nil: crypto/rand.
	Rand io.Reader
}

const (
	defaultPrefix     = "ak_"
	defaultLifetime   = 30 * 24 * time.Hour
	longestLifetime   = 10 * 366 * 24 * time.Hour
	defaultPerAccount = 20
	defaultTotal      = 10_000
)

// validate gives one error for each bad field.
func (o *Options) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("keys: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	if o.Prefix != "" && !validPrefix(o.Prefix) {
		bad("Prefix", "%q is not 1 to 15 of a-z and 0-9, a letter first, and _", o.Prefix)
	}
	if o.Lifetime < 0 || o.Lifetime > longestLifetime {
		bad("Lifetime", "%v is not in 0 to %v", o.Lifetime, longestLifetime)
	}
	if o.PerAccount < 0 {
		bad("PerAccount", "%d is negative", o.PerAccount)
	}
	if o.Total < 0 {
		bad("Total", "%d is negative", o.Total)
	}
	return errors.Join(errs...)
}

func validPrefix(s string) bool {
	name, ok := strings.CutSuffix(s, "_")
	if !ok || len(name) < 1 || len(name) > 15 || name[0] < 'a' || name[0] > 'z' {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// fill replaces zero values by their defaults.
func (o *Options) fill() {
	if o.Prefix == "" {
		o.Prefix = defaultPrefix
	}
	if o.Lifetime == 0 {
		o.Lifetime = defaultLifetime
	}
	if o.PerAccount == 0 {
		o.PerAccount = defaultPerAccount
	}
	if o.Total == 0 {
		o.Total = defaultTotal
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
}
