package filelog

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"math"
	"os"

	"github.com/matchreferee/arena/referee"
)

// Read gives the whole lines that are in the file when it begins, from a position
// on, and more that others add meanwhile. No lock is held between them. A file
// that does not exist has no lines.
func (l *Log) Read(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		at, skip, known, err := l.mark(ctx, max(from, 0))
		if err != nil {
			yield(nil, err)
			return
		}
		f, err := os.Open(l.path)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(nil, fmt.Errorf("filelog: %w", err))
			return
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || known != nil && !os.SameFile(info, known) {
			if err == nil {
				err = fmt.Errorf("%w: it is not the file that it was", referee.ErrFenced)
			}
			yield(nil, fmt.Errorf("filelog: reading %s: %w", l.path, err))
			return
		}
		in := bufio.NewReader(io.NewSectionReader(f, at, math.MaxInt64-at))
		var long []byte
		for n := int64(0); ; n++ {
			line, err := readLine(in, &long)
			if err == nil {
				err = ctx.Err()
			}
			switch {
			case err == io.EOF:
				return
			case err != nil:
				yield(nil, fmt.Errorf("filelog: reading %s: %w", l.path, err))
				return
			case n >= skip && !yield(line, nil):
				return
			}
		}
	}
}

// mark gives where to begin reading, how many lines to skip from there, and the
// file that this is about; nil: no line is known yet.
func (l *Log) mark(ctx context.Context, from int64) (at, skip int64, file os.FileInfo, err error) {
	if err := l.take(ctx); err != nil {
		return 0, 0, nil, err
	}
	defer func() { <-l.lock }()
	if len(l.marks) == 0 {
		return 0, from, nil, nil
	}
	i := min(from/stride, int64(len(l.marks)-1))
	return l.marks[i], from - i*stride, l.file, nil
}

// errLong says that a line is no line of a record.
var errLong = fmt.Errorf("%w: a line of more than %d bytes", ErrNotRecord, referee.MaxLine)

// readLine gives the next whole line without its newline; [io.EOF] after the last
// one, whether or not bytes without a newline follow.
func readLine(in *bufio.Reader, long *[]byte) ([]byte, error) {
	*long = (*long)[:0]
	for {
		b, err := in.ReadSlice('\n')
		switch {
		case len(*long)+len(b) > referee.MaxLine+1:
			return nil, errLong
		case err == nil && len(*long) == 0:
			return b[:len(b)-1], nil
		case err == nil:
			*long = append(*long, b[:len(b)-1]...)
			return *long, nil
		case err == bufio.ErrBufferFull:
			*long = append(*long, b...)
		default:
			return nil, err
		}
	}
}
