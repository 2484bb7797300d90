package lease

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Class says who goes first.
type Class uint8

const (
	Ordinary Class = iota
	Heavy          // after all ordinary ones
	Host           // the host's own work, before all others
)

// classes has the names of the classes, and first the order in which they are
// served.
var (
	classes = [...]string{"ordinary", "heavy", "host"}
	first   = [...]int{Ordinary: 1, Heavy: 2, Host: 0}
)

// String gives the name of a class.
func (c Class) String() string {
	if int(c) < len(classes) {
		return classes[c]
	}
	return fmt.Sprintf("Class(%d)", uint8(c))
}

// MarshalText uses the names of String.
func (c Class) MarshalText() ([]byte, error) {
	if int(c) >= len(classes) {
		return nil, fmt.Errorf("lease: no class: %d", uint8(c))
	}
	return []byte(classes[c]), nil
}

// UnmarshalText refuses unknown names.
func (c *Class) UnmarshalText(b []byte) error {
	for i, name := range classes {
		if name == string(b) {
			*c = Class(i)
			return nil
		}
	}
	return fmt.Errorf("lease: no class: %.20q", b)
}

const (
	maxName  = 256 // bytes of an ID or account
	maxOwner = 128 // bytes of an owner's name
)

// Claim asks for the lease.
type Claim struct {
	// ID names what is to be computed, such as a match and a seat of it. A claim
	// takes the place, or ends the hold, of an earlier one with the same ID, which
	// gets [ErrReplaced]. "": a new one.
	ID string `json:"id"`
	// Account is who takes turns with other accounts.
	Account string `json:"account,omitempty"`
	Class   Class  `json:"class"`
}

// validate gives one error for each bad field.
func (c *Claim) validate() error {
	var errs []error
	for _, f := range [...]struct{ name, value string }{{"ID", c.ID}, {"Account", c.Account}} {
		if len(f.value) > maxName || !utf8.ValidString(f.value) {
			errs = append(errs, fmt.Errorf("lease: %s: not a text of at most %d bytes in UTF-8", f.name, maxName))
		}
	}
	if int(c.Class) >= len(classes) {
		errs = append(errs, fmt.Errorf("lease: Class: %d is unknown", c.Class))
	}
	return errors.Join(errs...)
}
