package translog

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// What an auditor can find. Each is wrapped by an error that says where.
var (
	// ErrShrunk: the log has fewer entries than it was seen with. A cache that
	// gives an old checkpoint looks the same; ask again before believing it.
	ErrShrunk = errors.New("translog: the log shrank")
	// ErrForked: the log is not the one that was seen before with more at its end:
	// entries were taken out or changed, or different people are shown different logs.
	ErrForked = errors.New("translog: the log was rewritten")
	// ErrDropped: a match that was finished is not in the log.
	ErrDropped = errors.New("translog: the match was dropped")
	// ErrRewritten: the log has another record of a match.
	ErrRewritten = errors.New("translog: the match was rewritten")
)

// Conflict is the error of [Auditor.Follow] that wraps [ErrShrunk], [ErrForked] or
// [ErrRewritten], with what to show to others: the log signed both checkpoints. Two of one
// size and with different roots convict it by themselves; of different sizes, that
// it has no proof by which the one became the other ([CheckConsistency]).
type Conflict struct {
	Before *Checkpoint // what was seen before
	After  *Checkpoint // what does not go with it, or with itself
	Err    error
}

// Error says what does not fit.
func (c *Conflict) Error() string { return c.Err.Error() }

// Unwrap gives Err.
func (c *Conflict) Unwrap() error { return c.Err }

// conflict adds the checkpoints to an error that blames the log.
func (a *Auditor) conflict(c *Checkpoint, err error) error {
	if errors.Is(err, ErrShrunk) || errors.Is(err, ErrForked) || errors.Is(err, ErrRewritten) {
		return &Conflict{Before: a.seen, After: c, Err: err}
	}
	return err
}

// Fetch reads a file of a log that somebody else keeps: over HTTP ([HTTP]), from a
// folder ([Dir.Read]). Files that are not there are errors that wrap
// [io/fs.ErrNotExist].
type Fetch func(ctx context.Context, path string) ([]byte, error)

// Auditor follows one log. It remembers the newest checkpoint that it has seen
// and, for each match, what the log says of it: some 150 bytes each. It believes nothing that is not
// under a root signed by one of its keys. Not for concurrent use.
type Auditor struct {
	origin string
	keys   note.Verifiers
	fetch  Fetch
	seen   *Checkpoint
	known  map[[16]byte]logged // by the beginning of the SHA-256 of the match's id
}

type logged struct {
	number int64
	entry  [32]byte // its leaf hash
}

// NewAuditor makes an auditor who has seen nothing yet.
func NewAuditor(origin string, keys note.Verifiers, fetch Fetch) *Auditor {
	return &Auditor{origin: origin, keys: keys, fetch: fetch, seen: &Checkpoint{Origin: origin, Root: empty()}, known: map[[16]byte]logged{}}
}

// knownAs stands for a match's id where many are kept.
func knownAs(match string) [16]byte {
	h := sha256.Sum256([]byte(match))
	return [16]byte(h[:16])
}

// Seen gives the newest checkpoint that was found good; its Note is what to keep
// as evidence. Read only.
func (a *Auditor) Seen() *Checkpoint { return a.seen }

// Follow reads the newest checkpoint and every entry that is new under it, and
// calls on, which may be nil, for each; on may stop it with an error. What was read under an
// earlier checkpoint stays read, whatever comes.
//
// The error wraps ErrCheckpoint for one that is not signed, or [ErrDamaged]
// where files do not give the root that was signed; it is a [*Conflict] where the
// log contradicts itself, [ErrRewritten] if a match has two entries; or it is fetch's or on's. After an error the
// auditor stands where it stood, and may try again: on is then called for the same entries once more.
func (a *Auditor) Follow(ctx context.Context, on func(number int64, e Entry) error) error {
	signed, err := a.fetch(ctx, "checkpoint")
	if err != nil {
		return err
	}
	c, err := OpenCheckpoint(signed, a.origin, a.keys)
	if err != nil {
		return err
	}
	if err := a.grew(ctx, c); err != nil {
		return a.conflict(c, err)
	}
	fresh := map[[16]byte]logged{}
	for n := a.seen.Size; n < c.Size; {
		if n, err = a.bundle(ctx, c, n, fresh, on); err != nil {
			return a.conflict(c, err)
		}
	}
	maps.Copy(a.known, fresh)
	a.seen = c
	return nil
}

// grew reports whether the log of the checkpoint is the one that was seen, with
// more at its end.
func (a *Auditor) grew(ctx context.Context, c *Checkpoint) error {
	old := a.seen
	switch {
	case c.Size < old.Size:
		return fmt.Errorf("%w: from %d entries to %d", ErrShrunk, old.Size, c.Size)
	case c.Size == old.Size && c.Root != old.Root:
		return fmt.Errorf("%w: another root of %d entries", ErrForked, c.Size)
	case c.Size == old.Size || old.Size == 0:
		return nil
	}
	was, err := tlog.TreeHash(old.Size, c.hashes(ctx, reader(a.fetch)))
	if err != nil {
		return damaged(err)
	}
	if was != tlog.Hash(old.Root) {
		return fmt.Errorf("%w: its first %d entries are not those that were seen", ErrForked, old.Size)
	}
	return nil
}

// bundle reads the new entries of the bundle that holds number n, and gives the
// number after them.
func (a *Auditor) bundle(ctx context.Context, c *Checkpoint, n int64, fresh map[[16]byte]logged, on func(int64, Entry) error) (int64, error) {
	t := bundle(n, c.Size)
	entries, err := c.bundle(ctx, reader(a.fetch), t)
	if err != nil {
		return n, err
	}
	for ; n < t.N*width+int64(t.W); n++ {
		e, err := ParseEntry(entries[n%width])
		if err != nil {
			return n, damaged(fmt.Errorf("entry %d: %w", n, err))
		}
		key := knownAs(e.Match)
		for _, known := range []map[[16]byte]logged{a.known, fresh} {
			if old, twice := known[key]; twice {
				return n, fmt.Errorf("%w: %q is number %d and number %d", ErrRewritten, e.Match, old.number, n)
			}
		}
		fresh[key] = logged{n, referee.LeafHash(entries[n%width])}
		if on != nil {
			if err := on(n, e); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// Check asks whether a match that is known to have finished is in the log as it
// was seen last, with this very record: e may come from a record that was
// verified ([EntryOf]) or from an attestation ([EntryOfAttestation]). A host needs some time
// to log a match; ask again later before believing [ErrDropped]. The other error
// is [ErrRewritten].
func (a *Auditor) Check(e Entry) (number int64, err error) {
	l, ok := a.known[knownAs(e.Match)]
	switch {
	case !ok:
		return 0, fmt.Errorf("%w: %.140q is not among the %d of %s", ErrDropped, e.Match, a.seen.Size, a.origin)
	case l.entry != referee.LeafHash(e.Append(nil)):
		return 0, fmt.Errorf("%w: %.140q, number %d of %s, has another record", ErrRewritten, e.Match, l.number, a.origin)
	}
	return l.number, nil
}

// EntryOfAttestation gives the entry that a log must have of a match whose
// attestation somebody holds, be the record gone.
func EntryOfAttestation(match string, a *replay.Attestation) Entry {
	return Entry{Match: match, Events: a.Events, Head: a.Head, Root: a.Root}
}
