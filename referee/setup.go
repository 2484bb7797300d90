package referee

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
)

// Setup is all that a match starts from.
type Setup struct {
	ID     string      // the match's name: 1 to 128 of [A-Za-z0-9_.:-]
	Table  *game.Table // which game, under which ruleset
	Start  game.Setup  // how the game is set up. If Seats is 0 it becomes len(Setup.Seats); nil Names become the agents'
	Secret game.Seed   // all chance in the match; until the end event the record has a commitment to it and no more
	Salt   [32]byte    // of the commitment; see Secrets
	Seats  []SeatInfo
	// MaxSteps ends a match of that many steps by a ruling of the host, or, when
	// none comes, as a draw. 0: the game's own limit alone.
	MaxSteps int
}

// Secrets derives the secret and the salt of a match from a key that the host
// keeps, so that a record can be resumed without being told the secret:
// HMAC-SHA256 (RFC 2104) of "secret" and of "salt", each followed by the
// match's id. Whoever has the key can foresee every chance move.
func Secrets(key []byte, id string) (secret game.Seed, salt [32]byte) {
	derive := func(what string) (out [32]byte) {
		h := hmac.New(sha256.New, key)
		h.Write([]byte(what))
		h.Write([]byte(id))
		h.Sum(out[:0])
		return out
	}
	return game.Seed(derive("secret")), derive("salt")
}

// Commit is the salted commitment that stands in the first line of a record:
// SHA-256(secret || salt).
func Commit(secret game.Seed, salt [32]byte) [32]byte {
	var b [64]byte
	copy(b[:32], secret[:])
	copy(b[32:], salt[:])
	return sha256.Sum256(b[:])
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// ValidID reports whether a match may have this name.
func ValidID(id string) bool {
	if id == "" || len(id) > 128 || id[0] == '.' {
		return false
	}
	for i := 0; i < len(id); i++ {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '_', c == '.', c == ':', c == '-':
		default:
			return false
		}
	}
	return true
}

// fill puts in what follows from the rest, the names into the memory of buf,
// which it gives back.
func (s *Setup) fill(buf []string) []string {
	if s.Start.Seats == 0 {
		s.Start.Seats = len(s.Seats)
	}
	if s.Start.Names == nil {
		if len(buf) != len(s.Seats) || buf == nil {
			buf = make([]string, len(s.Seats))
		}
		for i := range s.Seats {
			if name := s.Seats[i].Agent.Name; buf[i] != name {
				buf = slices.Clone(buf)
				buf[i] = name
			}
		}
		s.Start.Names = buf
	}
	return buf
}

// validate returns one error for each bad field. defaults: the game has safe ones.
func (s *Setup) validate() error {
	var errs []error
	if !ValidID(s.ID) {
		errs = append(errs, fmt.Errorf("id: %q is not 1 to 128 of letters, digits and _ . : -", s.ID))
	}
	if s.Table == nil {
		return errors.Join(append(errs, errors.New("table: there is no game"))...)
	}
	info := s.Table.Info()
	if n := len(s.Seats); n < info.MinSeats || n > info.MaxSeats {
		errs = append(errs, fmt.Errorf("seats: %d, but %s takes %d to %d", n, info.Name, info.MinSeats, info.MaxSeats))
	}
	if s.Start.Seats != len(s.Seats) {
		errs = append(errs, fmt.Errorf("start.seats: %d, but there are %d seats", s.Start.Seats, len(s.Seats)))
	}
	if n := len(s.Start.Names); n != len(s.Seats) {
		errs = append(errs, fmt.Errorf("start.names: %d, but there are %d seats", n, len(s.Seats)))
	}
	for i, name := range s.Start.Names {
		if i < len(s.Seats) && name != s.Seats[i].Agent.Name && clean(name, 64) != name {
			errs = append(errs, fmt.Errorf("start.names[%d]: %q is not one line of at most 64 code points", i, name))
		}
	}
	if s.MaxSteps < 0 {
		errs = append(errs, fmt.Errorf("maxSteps: %d is negative", s.MaxSteps))
	}
	return errors.Join(errs...)
}

// maxText bounds what all agents together add to the first line of a record.
const maxText = 64 << 10

// validateSeats needs the first state, which knows whether there are defaults.
func (s *Setup) validateSeats(defaults bool) error {
	var errs []error
	text := 0
	for i := range s.Seats {
		si := &s.Seats[i]
		text += si.Agent.size()
		var long error
		if len(si.Transport) > 64 {
			long = errors.New("transport: longer than 64 bytes")
		}
		if err := errors.Join(si.Agent.validate(), si.Policy.Validate(&si.Clock, defaults), si.Clock.Validate(), long); err != nil {
			errs = append(errs, fieldErrors(fmt.Sprintf("seats[%d]", i), err))
		}
	}
	if text > maxText {
		errs = append(errs, fmt.Errorf("seats: %d bytes of text about agents, more than %d", text, maxText))
	}
	return errors.Join(errs...)
}

// fieldErrors puts a path before each of joined errors.
func fieldErrors(path string, err error) error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return fmt.Errorf("%s.%w", path, err)
	}
	var errs []error
	for _, e := range joined.Unwrap() {
		errs = append(errs, fieldErrors(path, e))
	}
	return errors.Join(errs...)
}

// Setup gives the setup that a start event tells, on a table of its game; the
// secret and the salt are not in it.
func (s *Start) Setup(table *game.Table) Setup {
	return Setup{ID: s.ID, Table: table, Seats: s.Seats, MaxSteps: s.Max,
		Start: game.Setup{Seats: len(s.Seats), Names: s.Names, Position: s.Position}}
}
