package translog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"unicode"

	"golang.org/x/mod/sumdb/note"
)

// Options set up [Open].
type Options struct {
	Origin  string        // the log's name, in each of its checkpoints: "arena.example/matches"
	Signers []note.Signer // of checkpoints: the log's own, and whoever signs beside it; see [NoteSigner]
	Key     note.Verifier // the log's own, of one of Signers: a stored checkpoint that it has not signed is refused
	Storage Storage       // where it is kept; nothing else may write there
}

func (o *Options) validate() error {
	var errs []error
	if o.Origin == "" || len(o.Origin) > 128 || strings.ContainsFunc(o.Origin, func(r rune) bool {
		return !unicode.IsGraphic(r) || unicode.IsSpace(r) || r == '+' || r == unicode.ReplacementChar
	}) {
		errs = append(errs, fmt.Errorf("translog: Origin: %.40q is not a word of 1 to 128 bytes without a plus", o.Origin))
	}
	if len(o.Signers) == 0 {
		errs = append(errs, errors.New("translog: Signers: nobody signs"))
	}
	for i, s := range o.Signers {
		if s == nil {
			errs = append(errs, fmt.Errorf("translog: Signers: number %d is nil", i))
		}
	}
	if o.Key == nil {
		errs = append(errs, errors.New("translog: Key: there is none"))
	}
	if o.Storage == nil {
		errs = append(errs, errors.New("translog: Storage: there is none"))
	}
	return errors.Join(errs...)
}

// Log is the writing side of a log. It holds where each match is, in some 40
// bytes for each. Safe for concurrent use.
type Log struct {
	opts  Options
	turn  chan struct{}      // who holds its one value reads and changes what follows
	now   *Checkpoint        // the newest
	lost  bool               // whether it is what is stored nobody knows
	index map[[16]byte]int64 // numbers of entries, by knownAs
}

var (
	// ErrDuplicate is wrapped where the log has another entry of the same match.
	ErrDuplicate = errors.New("translog: the match is logged with another record")
	// ErrDamaged is wrapped where what is stored is not what was signed.
	ErrDamaged = errors.New("translog: the stored log is damaged")
	// ErrNotLogged is wrapped where a match, or an entry of that number, is not in the log.
	ErrNotLogged = errors.New("translog: not in the log")
)

// Open opens a log where it was left, after a crash too: what was being added
// then and is not under a signed checkpoint is gone, and whoever added it got
// no number for it. An empty storage becomes an empty log. All entries are read, and
// held against the signed root.
//
// The error names each option that is wrong, wraps [ErrDamaged], or is the
// storage's.
func Open(ctx context.Context, o Options) (*Log, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	l := &Log{opts: o, turn: make(chan struct{}, 1), index: map[[16]byte]int64{}}
	signed, err := o.Storage.Read(ctx, "checkpoint")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		l.now, err = l.sign(ctx, 0, empty())
	case err == nil:
		l.now, err = l.reopen(ctx, signed)
	}
	if err != nil {
		return nil, err
	}
	l.turn <- struct{}{}
	return l, nil
}

// reopen reads the newest checkpoint, and what is under it and not in the index.
func (l *Log) reopen(ctx context.Context, signed []byte) (*Checkpoint, error) {
	c, err := OpenCheckpoint(signed, l.opts.Origin, note.VerifierList(l.opts.Key))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	fresh := map[[16]byte]int64{}
	for n := int64(len(l.index)); n < c.Size; {
		t := bundle(n, c.Size)
		lines, err := c.bundle(ctx, l.opts.Storage.Read, t)
		if err != nil {
			return nil, err
		}
		for ; n < t.N*width+int64(t.W); n++ {
			e, err := ParseEntry(lines[n%width])
			if err != nil {
				return nil, damaged(err)
			}
			key := knownAs(e.Match)
			for _, known := range []map[[16]byte]int64{l.index, fresh} {
				if old, twice := known[key]; twice {
					return nil, damaged(fmt.Errorf("%.140q is number %d and number %d", e.Match, old, n))
				}
			}
			fresh[key] = n
		}
	}
	maps.Copy(l.index, fresh)
	return c, nil
}

// settle makes sure, after a checkpoint was written that may be there or not, which
// one is: to go on from the older one would sign two logs of the same size.
func (l *Log) settle(ctx context.Context) error {
	if !l.lost {
		return nil
	}
	signed, err := l.opts.Storage.Read(ctx, "checkpoint")
	if err != nil {
		return fmt.Errorf("translog: which checkpoint is stored: %w", err)
	}
	if !bytes.Equal(signed, l.now.Note) {
		c, err := l.reopen(ctx, signed)
		if err != nil {
			return err
		}
		if c.Size < l.now.Size || c.Size == l.now.Size && c.Root != l.now.Root {
			return fmt.Errorf("%w: other entries than the %d that there were", ErrDamaged, l.now.Size)
		}
		l.now = c
	}
	l.lost = false
	return nil
}

// sign makes a checkpoint, one that this log can be opened with, and stores it.
func (l *Log) sign(ctx context.Context, size int64, root [32]byte) (*Checkpoint, error) {
	text := (&Checkpoint{Origin: l.opts.Origin, Size: size, Root: root}).text()
	signed, err := note.Sign(&note.Note{Text: text}, l.opts.Signers...)
	if err != nil {
		return nil, fmt.Errorf("translog: signing: %w", err)
	}
	c, err := OpenCheckpoint(signed, l.opts.Origin, note.VerifierList(l.opts.Key))
	if err != nil {
		return nil, fmt.Errorf("translog: signing: Key and Signers: %w", err)
	}
	l.lost = true
	if err := l.opts.Storage.Write(ctx, "checkpoint", signed); err != nil {
		return nil, err
	}
	l.lost = false
	return c, nil
}

// hold waits for its turn to write.
func (l *Log) hold(ctx context.Context) error {
	select {
	case <-l.turn:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Checkpoint gives the newest one. Read only.
func (l *Log) Checkpoint(ctx context.Context) (*Checkpoint, error) {
	if err := l.hold(ctx); err != nil {
		return nil, err
	}
	defer func() { l.turn <- struct{}{} }()
	return l.now, nil
}

// Find gives the number of a match's entry, from 0, and the entry. The error
// wraps [ErrNotLogged] where there is none.
func (l *Log) Find(ctx context.Context, match string) (int64, Entry, error) {
	if err := l.hold(ctx); err != nil {
		return 0, Entry{}, err
	}
	c := l.now
	n, ok := l.index[knownAs(match)]
	l.turn <- struct{}{}
	if !ok {
		return 0, Entry{}, fmt.Errorf("%w: match %.140q", ErrNotLogged, match)
	}
	e, err := l.entry(ctx, c, n)
	return n, e, err
}

// entry reads an entry that is in the log.
func (l *Log) entry(ctx context.Context, c *Checkpoint, n int64) (Entry, error) {
	lines, err := readBundle(ctx, l.opts.Storage.Read, bundle(n, c.Size))
	if err != nil {
		return Entry{}, damaged(err)
	}
	e, err := ParseEntry(lines[n%width])
	if err != nil {
		return Entry{}, damaged(err)
	}
	return e, nil
}
