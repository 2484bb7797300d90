package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
)

// Seal is the line after the end event.
type Seal struct {
	Count int64    // events, the start and the end among them
	Head  [32]byte // [referee.LeafHash] of the last event's line
	Root  [32]byte // RFC 6962 Merkle root over the leaf hashes of all events
	// Attestation is what the signers attest: one JSON object, or an array of
	// several, canonical (RFC 8785); nil without signers. See [Seal.Attestations].
	Attestation json.RawMessage
}

// Signer attests to a sealed record; [KeySigner] is one.
type Signer interface {
	// Sign gives the attestation: a JSON object, which is made canonical. It keeps
	// nothing of the seal, whose Attestation is nil. It may be called from
	// several goroutines, once for each match that ends.
	Sign(match string, s *Seal) (json.RawMessage, error)
}

// ErrSeal is wrapped by the errors of [ParseSeal], and by those of a seal that
// belongs to other lines.
var ErrSeal = errors.New("replay: not the seal of this record")

func badSeal(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSeal, fmt.Sprintf(format, args...))
}

// MaxSigners is the most attestations of one seal.
const MaxSigners = 16

// Sealer gives the function for [referee.Config.Seal]. Each signer attests to
// the same root, independently of the others; without signers the seal says what
// the record is and nobody vouches for it. nil signers are left out. The
// function is safe for concurrent use if the signers are.
func Sealer(signers ...Signer) func(match string, leaves [][32]byte) ([]byte, error) {
	signers = slices.Clone(signers)
	return func(match string, leaves [][32]byte) ([]byte, error) {
		if len(leaves) == 0 {
			return nil, badSeal("no events")
		}
		var tree merkle
		for _, leaf := range leaves {
			tree.add(leaf)
		}
		s := Seal{Count: tree.n, Head: leaves[len(leaves)-1], Root: tree.root()}
		return s.sealed(match, signers)
	}
}

// sealed gives the line of a seal with the attestations of signers.
func (s *Seal) sealed(match string, signers []Signer) ([]byte, error) {
	signers = slices.DeleteFunc(slices.Clone(signers), func(s Signer) bool { return s == nil })
	if len(signers) > MaxSigners {
		return nil, badSeal("%d signers, there may be %d", len(signers), MaxSigners)
	}
	var all json.RawMessage
	for i, signer := range signers {
		a, err := signer.Sign(match, &Seal{Count: s.Count, Head: s.Head, Root: s.Root})
		if err != nil {
			return nil, fmt.Errorf("replay: signing: %w", err)
		}
		canon, err := game.Canonical(a)
		if err != nil || canon[0] != '{' {
			return nil, badSeal("an attestation is no JSON object")
		}
		if i > 0 {
			all = append(all, ',')
		}
		all = append(all, canon...)
	}
	if len(signers) > 1 {
		all = append(append(json.RawMessage{'['}, all...), ']')
		if _, err := game.Canonical(all); err != nil { // each alone may be as deep, or as long
			return nil, badSeal("the attestations together: %v", err)
		}
	}
	s.Attestation = all
	line := AppendSeal(nil, s)
	if len(line) > referee.MaxLine {
		return nil, badSeal("a line of %d bytes", len(line))
	}
	return line, nil
}

// AppendSeal appends the line of a seal, without a newline.
func AppendSeal(dst []byte, s *Seal) []byte {
	dst = strconv.AppendInt(append(dst, `{"k":"seal","count":`...), s.Count, 10)
	dst = base64.RawURLEncoding.AppendEncode(append(dst, `,"head":"`...), s.Head[:])
	dst = base64.RawURLEncoding.AppendEncode(append(dst, `","root":"`...), s.Root[:])
	dst = append(dst, '"')
	if len(s.Attestation) > 0 {
		dst = append(append(dst, `,"attestation":`...), s.Attestation...)
	}
	return append(dst, '}')
}

// ParseSeal reads a line as [AppendSeal] writes it; what is accepted gives the
// same bytes when it is appended again. Errors wrap [ErrSeal]. The seal shares
// no memory with line.
func ParseSeal(line []byte) (*Seal, error) {
	if len(line) > referee.MaxLine {
		return nil, badSeal("longer than %d bytes", referee.MaxLine)
	}
	s := &Seal{}
	rest, ok := bytes.CutPrefix(line, []byte(`{"k":"seal","count":`))
	digits := 0
	for digits < len(rest) && digits < 18 && rest[digits] >= '0' && rest[digits] <= '9' {
		s.Count = s.Count*10 + int64(rest[digits]-'0')
		digits++
	}
	if !ok || s.Count < 1 {
		return nil, badSeal("no count of events")
	}
	rest = rest[digits:]
	for _, h := range [...]struct {
		name, before string
		to           *[32]byte
	}{{"head", `,"head":"`, &s.Head}, {"root", `","root":"`, &s.Root}} {
		if rest, ok = bytes.CutPrefix(rest, []byte(h.before)); !ok || len(rest) < 43 {
			return nil, badSeal("%s: not there", h.name)
		}
		if n, err := base64.RawURLEncoding.Decode(h.to[:], rest[:43]); err != nil || n != 32 {
			return nil, badSeal("%s: not base64url of 32 bytes", h.name)
		}
		rest = rest[43:]
	}
	if a, ok := bytes.CutPrefix(rest, []byte(`","attestation":`)); ok && len(a) > 0 {
		a = a[:len(a)-1]
		canon, err := game.Canonical(a)
		if err != nil || string(canon) != string(a) {
			return nil, badSeal("attestation: not canonical JSON")
		}
		s.Attestation = json.RawMessage(canon)
		if _, err := s.attestations(); err != nil {
			return nil, badSeal("attestation: %v", err)
		}
	}
	var buf [512]byte
	if !bytes.Equal(AppendSeal(buf[:0], s), line) {
		return nil, badSeal("not written as this library writes it")
	}
	return s, nil
}

// attestations gives the objects of Attestation, each as it stands there.
func (s *Seal) attestations() ([]string, error) {
	if s.Attestation == nil {
		return nil, nil
	}
	v, err := jsontext.Parse(s.Attestation, jsontext.Refuse)
	switch {
	case err != nil:
		return nil, err
	case v.Kind == jsontext.Object:
		return []string{v.Raw}, nil
	case v.Kind != jsontext.Array || len(v.Items) < 2 || len(v.Items) > MaxSigners:
		return nil, fmt.Errorf("not an object, nor an array of 2 to %d of them", MaxSigners)
	}
	all := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		if item.Kind != jsontext.Object {
			return nil, fmt.Errorf("%v among objects", item.Kind)
		}
		all = append(all, item.Raw)
	}
	return all, nil
}
