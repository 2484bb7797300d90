package replay

import (
	"fmt"
	"io"

	"github.com/matchreferee/arena/referee"
)

// Writer turns events into the chained lines of a record and hashes what it
// writes. It judges the shape of the record (start first, end last), not the
// moves. Not for concurrent use. A match at play writes to a [referee.Log]
// instead, by itself.
type Writer struct {
	w     io.Writer
	buf   []byte
	start referee.Time
	head  [32]byte
	match string // the id in the start event
	tree  merkle
	state writing
	err   error
}

type writing uint8

const (
	begins writing = iota // the start event comes next
	plays
	ended  // the end event is written
	sealed // nothing may follow
)

// NewWriter makes a writer of one record, which writes each line by one call of
// w.Write.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Append writes the line of an event, which it does not keep. After an error of
// the underlying writer every call returns that error.
func (w *Writer) Append(e *referee.Event) error {
	switch {
	case w.err != nil:
		return w.err
	case w.state >= ended:
		return errAfterEnd
	case (e.Kind == referee.KindStart) != (w.state == begins):
		return errStart
	}
	start := w.start
	if e.Kind == referee.KindStart {
		start = e.Time
	}
	w.buf = referee.AppendLine(w.buf[:0], e, start, &w.head)
	if len(w.buf) > referee.MaxLine {
		return fmt.Errorf("replay: a line of %d bytes, %d allowed", len(w.buf), referee.MaxLine)
	}
	head := referee.LeafHash(w.buf)
	if err := w.line(); err != nil {
		return err
	}
	w.start, w.head, w.state = start, head, plays
	w.tree.add(head)
	switch e.Kind {
	case referee.KindStart:
		w.match = e.X.Start.ID
	case referee.KindEnd:
		w.state = ended
	}
	return nil
}

// Seal writes the seal, with the attestations of signers, as [Sealer] makes it.
// It comes after the end event, once.
func (w *Writer) Seal(signers ...Signer) error {
	switch {
	case w.err != nil:
		return w.err
	case w.state == sealed:
		return errAfterSeal
	case w.state != ended:
		return errEarlySeal
	}
	s := Seal{Count: w.tree.n, Head: w.head, Root: w.tree.root()}
	line, err := s.sealed(w.match, signers)
	if err != nil {
		return err
	}
	w.buf = append(w.buf[:0], line...)
	if err := w.line(); err != nil {
		return err
	}
	w.state = sealed
	return nil
}

// line writes what is in the buffer.
func (w *Writer) line() error {
	w.buf = append(w.buf, '\n')
	if _, err := w.w.Write(w.buf); err != nil {
		w.err = fmt.Errorf("replay: writing line %d: %w", w.tree.n+1, err)
	}
	return w.err
}

// Count is how many events are written.
func (w *Writer) Count() int64 { return w.tree.n }

// Head is the leaf hash of the last event's line; zero before the first.
func (w *Writer) Head() [32]byte { return w.head }

// Root is the Merkle root over the events written.
func (w *Writer) Root() [32]byte { return w.tree.root() }
