package replay

import (
	"crypto"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
)

// A signed statement is a canonical JSON object (RFC 8785) with a member
// "signature", "ed25519:" and 64 bytes in lower-case hex, over the same object
// without it. That is the form of section 15 of Arena Protocol 1.1.

const (
	sha256Prefix  = "sha256:"
	ed25519Prefix = "ed25519:"
)

// statement is a flat object that is being built: its members are strings or
// integers.
type statement struct {
	names  []string
	values []string // JSON
}

func (s *statement) text(name, v string) {
	s.names, s.values = append(s.names, name), append(s.values, string(jsontext.AppendString(nil, v)))
}

func (s *statement) int(name string, v int64) {
	s.names, s.values = append(s.names, name), append(s.values, strconv.FormatInt(v, 10))
}

// append writes the members in the order of RFC 8785; names are ASCII here.
func (s *statement) append(dst []byte) []byte {
	order := make([]int, len(s.names))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(s.names[a], s.names[b]) })
	dst = append(dst, '{')
	for i, k := range order {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsontext.AppendString(dst, s.names[k])
		dst = append(append(dst, ':'), s.values[k]...)
	}
	return append(dst, '}')
}

// sign gives the statement with its signature.
func (s *statement) sign(key crypto.Signer) ([]byte, error) {
	signature, err := key.Sign(nil, s.append(nil), crypto.Hash(0))
	if err != nil {
		return nil, fmt.Errorf("replay: signing: %w", err)
	}
	if len(signature) != ed25519.SignatureSize {
		return nil, fmt.Errorf("replay: signing: a signature of %d bytes, which is none of Ed25519", len(signature))
	}
	s.text("signature", ed25519Prefix+hex.EncodeToString(signature))
	return s.append(nil), nil
}

// unsigned gives a signed statement's members, the text that is signed and the
// signature. Any member may stand in it beside those that are known: it is signed with the rest.
func unsigned(raw []byte) (members jsontext.Members, text, signature []byte, err error) {
	if canon, err := game.Canonical(raw); err != nil {
		return nil, nil, nil, err
	} else if string(canon) != string(raw) {
		return nil, nil, nil, errors.New("not in canonical form")
	}
	members, err = jsontext.ParseObject(raw, jsontext.Refuse)
	if err != nil {
		return nil, nil, nil, err
	}
	text = append(text, '{')
	for _, m := range members {
		if m.Name == "signature" {
			signature, err = unhex(m.Text, ed25519Prefix, ed25519.SignatureSize)
			if err != nil {
				return nil, nil, nil, fmt.Errorf("signature: %w", err)
			}
			continue
		}
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = jsontext.AppendString(text, m.Name)
		text = append(append(text, ':'), m.Raw...)
	}
	if signature == nil {
		return nil, nil, nil, errors.New("signature: there is none")
	}
	return members, append(text, '}'), signature, nil
}

// unhex reads a prefix and n bytes in lower-case hex.
func unhex(s, prefix string, n int) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, prefix)
	b, err := hex.DecodeString(digits)
	if !ok || err != nil || len(b) != n || digits != strings.ToLower(digits) {
		return nil, fmt.Errorf("not %s and %d bytes in lower-case hex", prefix, n)
	}
	return b, nil
}

func hash(o jsontext.Members, name string) (h [32]byte, err error) {
	s, err := o.Text(name)
	if err != nil {
		return h, err
	}
	b, err := unhex(s, sha256Prefix, 32)
	if err != nil {
		return h, fmt.Errorf("%s: %w", name, err)
	}
	return [32]byte(b), nil
}

// expand puts a match's id into a URL template. No character of an id needs escaping there.
func expand(template, match string) string { return strings.ReplaceAll(template, "{id}", match) }
