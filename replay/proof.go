package replay

import (
	"errors"
	"fmt"
	"io"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/matchreferee/arena/referee"
)

// ErrProof is wrapped where a proof does not show what it is shown for.
var ErrProof = errors.New("replay: the proof does not fit")

// Inclusion shows that a line is event number Event of a match whose root is
// known, an attested one for instance, without the other lines: RFC 6962,
// section 2.1.1.
type Inclusion struct {
	Event int64      // from 0
	Path  [][32]byte // the hashes beside the way up, from the leaf: at most 63
}

// Prove reads a record and makes the proof of one of its events. The error is
// the reader's, or [ErrProof] where there is no such event.
// Memory grows by 32 bytes a line.
func Prove(r io.Reader, event int64) (*Inclusion, []byte, error) {
	in := NewReader(r)
	var leaves [][32]byte
	var text []byte
	for line, err := range in.All() {
		if err != nil {
			return nil, nil, err
		}
		if line.Seal != nil {
			continue
		}
		if int64(len(leaves)) == event {
			text = append(text, line.Bytes...)
		}
		leaves = append(leaves, line.Hash)
	}
	if event < 0 || event >= int64(len(leaves)) {
		return nil, nil, fmt.Errorf("%w: there are %d events, none is number %d", ErrProof, len(leaves), event)
	}
	return &Inclusion{Event: event, Path: path(leaves, event)}, text, nil
}

// path is the audit path of RFC 6962, section 2.1.1.
func path(leaves [][32]byte, at int64) [][32]byte {
	if len(leaves) <= 1 {
		return nil
	}
	k := int64(1)
	for 2*k < int64(len(leaves)) {
		k *= 2
	}
	if at < k {
		return append(path(leaves[:k], at), rootOf(leaves[k:]))
	}
	return append(path(leaves[k:], at-k), rootOf(leaves[:k]))
}

func rootOf(leaves [][32]byte) [32]byte {
	var tree merkle
	for _, l := range leaves {
		tree.add(l)
	}
	return tree.root()
}

// Check reports whether line, without its newline, is that event of the record
// that has so many events and this root; take both from an [Attestation] or from
// a [Seal]. Errors wrap [ErrProof].
func (p *Inclusion) Check(line []byte, events int64, root [32]byte) error {
	if p.Event < 0 || p.Event >= events || events > MaxLines {
		return fmt.Errorf("%w: event %d of %d", ErrProof, p.Event, events)
	}
	proof := make(tlog.RecordProof, len(p.Path))
	for i, h := range p.Path {
		proof[i] = tlog.Hash(h)
	}
	if err := tlog.CheckRecord(proof, events, tlog.Hash(root), p.Event, tlog.Hash(referee.LeafHash(line))); err != nil {
		return fmt.Errorf("%w: line and root do not meet at event %d of %d", ErrProof, p.Event, events)
	}
	return nil
}
