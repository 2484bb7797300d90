package keys

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Secret is a key as its owner has it. However it is printed, logged or marshalled,
// only [Secret.Reveal] tells it.
type Secret struct{ text string }

// Reveal gives the key, to be shown to its owner once.
func (s Secret) Reveal() string { return s.text }

const redacted = "[key]"

// String does not tell the key.
func (Secret) String() string { return redacted }

// Format does not tell the key, whatever the verb.
func (Secret) Format(f fmt.State, _ rune) { io.WriteString(f, redacted) }

// MarshalText does not tell the key.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue does not tell the key.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

const (
	alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	body     = 40 // characters of 5 random bits
	check    = 8
	idLength = 12
)

// draw gives so many random characters.
func draw(random io.Reader, n int) (string, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("keys: no random bits: %w", err)
	}
	for i := range b {
		b[i] = alphabet[b[i]&31]
	}
	return string(b), nil
}

// checksum gives the last characters of a key that begins with text.
func checksum(text string) string {
	sum := sha256.Sum256([]byte("key checksum " + text))
	var b [check]byte
	for i := range b {
		b[i] = alphabet[sum[i]&31]
	}
	return string(b[:])
}

// newSecret draws a key.
func newSecret(random io.Reader, prefix string) (Secret, error) {
	text, err := draw(random, body)
	if err != nil {
		return Secret{}, err
	}
	text = prefix + text
	return Secret{text + checksum(text)}, nil
}

// errForm says that a text is no key of this ring, and nothing about the text.
var errForm = errors.New("it has not the form of one")

// parse reports whether a text has the form of a key with that prefix: a typo has not.
func parse(text, prefix string) error {
	rest, ok := strings.CutPrefix(text, prefix)
	if !ok || len(rest) != body+check {
		return errForm
	}
	for i := range len(rest) {
		if strings.IndexByte(alphabet, rest[i]) < 0 {
			return errForm
		}
	}
	if at := len(text) - check; checksum(text[:at]) != text[at:] {
		return errForm
	}
	return nil
}

// hashOf is what is kept of a key.
func hashOf(text string) [32]byte { return sha256.Sum256([]byte(text)) }
