package callback

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

const (
	secretPrefix = "whsec_"
	// Bytes that a secret may have, by the Standard Webhooks specification.
	minSecret, maxSecret = 24, 64
	newSecret            = 32
)

// ErrSecret is wrapped by the errors about secrets that nobody may have.
var ErrSecret = errors.New("callback: not a secret")

// Secret is a key that signs what an arena sends to an agent; both have it. It
// does not show itself in logs, errors and JSON; only Reveal writes it. The zero
// Secret is none, and is refused.
type Secret struct{ key func() []byte } // a function, for no verb of fmt can look into it from outside

func keep(key []byte) Secret { return Secret{func() []byte { return key }} }

// NewSecret makes a random secret of 256 bits.
func NewSecret() Secret {
	key := make([]byte, newSecret)
	rand.Read(key)
	return keep(key)
}

// ParseSecret reads a secret as Standard Webhooks write it: base64 of 24 to 64
// bytes after "whsec_", which may be missing. The error wraps ErrSecret, and does
// not quote the text.
func ParseSecret(text string) (Secret, error) {
	coded := strings.TrimPrefix(text, secretPrefix)
	if len(coded) > base64.StdEncoding.EncodedLen(maxSecret) {
		return Secret{}, fmt.Errorf("%w: more than %d bytes", ErrSecret, maxSecret)
	}
	key, err := base64.StdEncoding.Strict().DecodeString(coded)
	switch {
	case err != nil || strings.ContainsAny(coded, "\r\n"):
		return Secret{}, fmt.Errorf("%w: %s and standard base64 are wanted", ErrSecret, secretPrefix)
	case len(key) < minSecret || len(key) > maxSecret:
		return Secret{}, fmt.Errorf("%w: %d bytes, not %d to %d", ErrSecret, len(key), minSecret, maxSecret)
	}
	return keep(key), nil
}

// Reveal writes the secret as ParseSecret reads it: to be shown once to the
// agent's owner, and to be stored.
func (s Secret) Reveal() string {
	if s.key == nil {
		return ""
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(s.key())
}

// String does not tell the secret.
func (Secret) String() string { return secretPrefix + "…" }

// GoString does not tell the secret.
func (Secret) GoString() string { return "callback.Secret" }

// Equal reports, in constant time, whether two secrets are the same.
func (s Secret) Equal(o Secret) bool {
	if s.key == nil || o.key == nil {
		return s.key == nil && o.key == nil
	}
	return subtle.ConstantTimeCompare(s.key(), o.key()) == 1
}

// mac is an HMAC-SHA256 (RFC 2104).
type mac [sha256.Size]byte

// mac signs "id.unix.body".
func (s Secret) mac(head, body []byte) (m mac) {
	h := hmac.New(sha256.New, s.key())
	h.Write(head)
	h.Write(body)
	h.Sum(m[:0])
	return m
}

// checkSecrets says what is wrong with a list of secrets.
func checkSecrets(list []Secret) error {
	switch {
	case len(list) == 0:
		return errors.New("there are none")
	case len(list) > maxSignatures:
		return fmt.Errorf("%d, at most %d", len(list), maxSignatures)
	}
	for i, s := range list {
		if s.key == nil {
			return fmt.Errorf("number %d is the zero Secret", i)
		}
	}
	return nil
}
