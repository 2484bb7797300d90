package replay

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// Seal is the line after the end event.
type Seal struct {
	Count int64    // events, the start and the end among them
	Head  [32]byte // [referee.LeafHash] of the last event's line
	Root  [32]byte // RFC 6962 Merkle root over the leaf hashes of all events
	// Attestation is a canonical JSON object (RFC 8785) that a [Signer] gave, nil
	// without one. This package carries it and does not judge it.
	Attestation json.RawMessage
}

// Signer attests to a sealed record.
type Signer interface {
	// Sign gives the attestation: a JSON object, which is made canonical. It keeps
	// nothing of the seal, whose Attestation is nil. It may be called from
	// several goroutines, once for each match that ends.
	Sign(*Seal) (json.RawMessage, error)
}

// ErrSeal is wrapped by the errors of [ParseSeal], and by those of a seal that
// belongs to other lines.
var ErrSeal = errors.New("replay: not the seal of this record")

func badSeal(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSeal, fmt.Sprintf(format, args...))
}

// Sealer gives the function for [referee.Config.Seal]. A nil signer seals
// without attestation. The function is safe for concurrent use if the signer is.
func Sealer(signer Signer) func(count int64, leaves [][32]byte) ([]byte, error) {
	return func(count int64, leaves [][32]byte) ([]byte, error) {
		if count < 1 || count != int64(len(leaves)) {
			return nil, badSeal("%d events, %d leaf hashes", count, len(leaves))
		}
		var tree merkle
		for _, leaf := range leaves {
			tree.add(leaf)
		}
		return seal(signer, count, leaves[count-1], tree.root())
	}
}

func seal(signer Signer, count int64, head, root [32]byte) ([]byte, error) {
	s := Seal{Count: count, Head: head, Root: root}
	if signer != nil {
		a, err := signer.Sign(&Seal{Count: count, Head: head, Root: root})
		if err != nil {
			return nil, fmt.Errorf("replay: signing: %w", err)
		}
		canon, err := game.Canonical(a)
		if err != nil || canon[0] != '{' {
			return nil, badSeal("the attestation is no JSON object")
		}
		s.Attestation = json.RawMessage(canon)
	}
	line := AppendSeal(nil, &s)
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
		if err != nil || canon[0] != '{' || string(canon) != string(a) {
			return nil, badSeal("attestation: not a canonical JSON object")
		}
		s.Attestation = json.RawMessage(canon)
	}
	var buf [512]byte
	if !bytes.Equal(AppendSeal(buf[:0], s), line) {
		return nil, badSeal("not written as this library writes it")
	}
	return s, nil
}
