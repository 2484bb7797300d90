package replay

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/matchreferee/arena/referee"
)

// MaxLines is the most lines that a [Reader] reads.
const MaxLines = 1 << 24

// LineError is a fault of one line of a record.
type LineError struct {
	Line int64 // counted from 1
	Err  error
}

// Error begins with the number of the line. It is fit for a terminal: what the
// record says stands in it escaped where it is not printable.
func (e *LineError) Error() string {
	return fmt.Sprintf("line %d: %s", e.Line, printable(e.Err.Error()))
}

// Unwrap gives the fault without its line.
func (e *LineError) Unwrap() error { return e.Err }

var (
	// ErrTorn is wrapped where the last line has no newline: it was cut off.
	ErrTorn = errors.New("replay: the line is cut off")
	// ErrChain is wrapped where a line is not the one that its neighbour was
	// chained to: it was changed, or lines were added, moved or taken out.
	ErrChain = errors.New("replay: the chain is broken")
	// ErrTooLong is wrapped where a line is longer than [referee.MaxLine], or
	// there are more than [MaxLines].
	ErrTooLong = errors.New("replay: too long")
)

// Line is one line of a record.
type Line struct {
	Num   int64         // counted from 1
	Bytes []byte        // without the newline
	Event referee.Event // zero in a seal
	Hash  [32]byte      // the leaf hash; zero in a seal
	Seal  *Seal         // nil: the line is an event
}

// Reader reads the lines of one record and checks what needs no rules: how each
// is written, the chain, the order of start, end and seal, and the seal. It
// holds one line in memory, and a logarithm of hashes. Not for concurrent use.
type Reader struct {
	in   *bufio.Reader
	long []byte // a line longer than the buffer of in
	line Line
	chain
	most int64 // lines
	err  error
}

// NewReader makes a reader of one record.
func NewReader(r io.Reader) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 4<<10), most: MaxLines}
}

// reset begins another record.
func (r *Reader) reset(src io.Reader) {
	r.in.Reset(src)
	*r = Reader{in: r.in, long: r.long[:0], most: r.most}
}

// Next gives the next line, valid until the next call, [io.EOF] after the last
// one, a [*LineError] for a line that is wrong, and any other error where the
// underlying reader failed. Errors are final.
func (r *Reader) Next() (*Line, error) {
	if r.err == nil {
		r.err = r.next()
	}
	if r.err != nil {
		return nil, r.err
	}
	return &r.line, nil
}

// All gives the remaining lines, each valid until the next, and ends after the
// last one or the first error.
func (r *Reader) All() iter.Seq2[*Line, error] {
	return func(yield func(*Line, error) bool) {
		for {
			line, err := r.Next()
			if err == io.EOF || !yield(line, err) || err != nil {
				return
			}
		}
	}
}

func (r *Reader) next() error {
	num := r.line.Num + 1
	r.line = Line{Num: num}
	wrong := func(err error) error { return &LineError{Line: num, Err: err} }
	b, err := r.raw()
	switch {
	case num > r.most && err != io.EOF:
		return wrong(fmt.Errorf("%w: more than %d lines", ErrTooLong, r.most))
	case err == ErrTorn || errors.Is(err, ErrTooLong):
		return wrong(err)
	case err == io.EOF:
		return err
	case err != nil:
		return fmt.Errorf("replay: reading line %d: %w", num, err)
	}
	r.line.Bytes = b
	err = r.take(&r.line)
	if errors.Is(err, errUnchained) {
		return r.broken(num, r.line.Hash)
	}
	return err
}

// broken tells which of two lines is wrong that do not chain, by the line after
// them: if that one is chained to the second, the second is as it was written.
func (r *Reader) broken(num int64, hash [32]byte) error {
	if num > 1 {
		if b, err := r.raw(); err == nil {
			intact := false
			if s, err := ParseSeal(b); err == nil {
				intact = s.Head == hash
			} else if _, prev, err := referee.ParseLine(b, r.start); err == nil {
				intact = prev == hash
			}
			if intact {
				return &LineError{Line: num - 1, Err: fmt.Errorf("%w: it is not the line that line %d was chained to", ErrChain, num)}
			}
		}
	}
	return &LineError{Line: num, Err: fmt.Errorf("%w: it was not chained to the line before it", ErrChain)}
}

// raw gives the bytes of the next line, valid until the next call: [io.EOF]
// after the last one, ErrTorn for one without a newline.
func (r *Reader) raw() ([]byte, error) {
	r.long = r.long[:0]
	for {
		b, err := r.in.ReadSlice('\n')
		n := len(r.long) + len(b)
		if err == nil {
			n-- // the newline
		}
		if n > referee.MaxLine {
			return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLong, referee.MaxLine)
		}
		switch {
		case err == nil && len(r.long) == 0:
			return b[:len(b)-1], nil
		case err == nil:
			r.long = append(r.long, b[:len(b)-1]...)
			return r.long, nil
		case err == bufio.ErrBufferFull:
			r.long = append(r.long, b...)
		case err == io.EOF && n > 0:
			return nil, ErrTorn
		default:
			return nil, err
		}
	}
}
