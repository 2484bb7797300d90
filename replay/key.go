package replay

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// PublicKey is a key that attests, and when it was good. Times are Unix
// seconds; 0 is no bound.
type PublicKey struct {
	ID      string            // as attestations name it: 1 to 128 printable ASCII characters
	Key     ed25519.PublicKey // RFC 8032
	From    int64             // signatures before it are refused
	Until   int64             // so are those at it and later: the key was replaced then
	Revoked int64             // and those at it and later: the key is no longer trusted from there on
}

var (
	// ErrKeyUnknown is wrapped where no key of the set has the id that is asked for.
	ErrKeyUnknown = errors.New("replay: the key is not known")
	// ErrKeyRevoked is wrapped where something was signed when the key was revoked.
	ErrKeyRevoked = errors.New("replay: the key was revoked by then")
	// ErrKeyPeriod is wrapped where something was signed before the key was good, or after.
	ErrKeyPeriod = errors.New("replay: the key was not good then")
	// ErrSignature is wrapped where a signature is not that of this text by this key.
	ErrSignature = errors.New("replay: the signature is wrong")
)

// Keys is a set of public keys, old ones among them: a record outlives the key
// that signed it. Safe for concurrent use.
type Keys struct{ byID map[string]PublicKey }

// NewKeys makes a set, and says of each key that cannot be in one what is wrong with it.
func NewKeys(keys ...PublicKey) (*Keys, error) {
	set := &Keys{map[string]PublicKey{}}
	var errs []error
	for i, k := range keys {
		bad := func(format string, args ...any) {
			errs = append(errs, fmt.Errorf("replay: key %d: %s", i, fmt.Sprintf(format, args...)))
		}
		if err := validKeyID(k.ID); err != nil {
			bad("ID: %v", err)
		}
		if _, twice := set.byID[k.ID]; twice {
			bad("ID: %q stands for two keys", k.ID)
		}
		if len(k.Key) != ed25519.PublicKeySize {
			bad("Key: %d bytes, not %d", len(k.Key), ed25519.PublicKeySize)
		}
		if k.From < 0 || k.Until < 0 || k.Revoked < 0 || k.Until != 0 && k.Until <= k.From {
			bad("From, Until, Revoked: not times in their order")
		}
		k.Key = append(ed25519.PublicKey(nil), k.Key...)
		set.byID[k.ID] = k
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	return set, nil
}

func validKeyID(id string) error { return printableASCII(id, 128) }

func printableASCII(s string, most int) error {
	if s == "" || len(s) > most {
		return fmt.Errorf("%d characters, not 1 to %d", len(s), most)
	}
	for _, r := range s {
		if r <= ' ' || r >= utf8.RuneSelf-1 {
			return errors.New("not printable ASCII without spaces")
		}
	}
	return nil
}

// verify checks one signature, made at a time in Unix seconds.
func (s *Keys) verify(id string, at int64, text, signature []byte) error {
	if s == nil {
		return fmt.Errorf("%w: %q", ErrKeyUnknown, id)
	}
	k, ok := s.byID[id]
	switch {
	case !ok:
		return fmt.Errorf("%w: %q", ErrKeyUnknown, id)
	case !ed25519.Verify(k.Key, text, signature):
		return fmt.Errorf("%w: it is not by %q over this text", ErrSignature, id)
	case k.Revoked != 0 && at >= k.Revoked:
		return fmt.Errorf("%w: %q, signed at %d, revoked at %d", ErrKeyRevoked, id, at, k.Revoked)
	case at < k.From || k.Until != 0 && at >= k.Until:
		return fmt.Errorf("%w: %q, signed at %d", ErrKeyPeriod, id, at)
	}
	return nil
}

// All gives the keys in the order of their ids; none of no set. The list is the caller's.
func (s *Keys) All() []PublicKey {
	if s == nil {
		return nil
	}
	all := slices.Collect(maps.Values(s.byID))
	slices.SortFunc(all, func(a, b PublicKey) int { return strings.Compare(a.ID, b.ID) })
	for i := range all {
		all[i].Key = slices.Clone(all[i].Key)
	}
	return all
}
