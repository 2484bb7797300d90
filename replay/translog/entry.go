package translog

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/internal/jsontext"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// Entry is what a log says of one match: which events it had, and no more.
type Entry struct {
	Match  string   // the match's id
	Events int64    // of its record, the seal not counted
	Head   [32]byte // leaf hash of the last event
	Root   [32]byte // Merkle root over the events: the battle_hash of attestations
}

// ErrEntry is wrapped where bytes are no entry.
var ErrEntry = errors.New("translog: not an entry")

// EntryOf gives the entry of a record that is complete; Report.Err says of others
// what they lack. Rules that are not known here do not matter.
func EntryOf(r *replay.Report) (Entry, error) {
	if err := r.Err(); err != nil && !errors.Is(err, replay.ErrUnknownRules) {
		return Entry{}, err
	}
	return Entry{Match: r.Start.ID, Events: r.Events, Head: r.Head, Root: r.Root}, nil
}

// Append appends the entry as it stands in a log: a canonical JSON object (RFC 8785)
// whose members are named as those of an attestation.
func (e *Entry) Append(dst []byte) []byte {
	dst = append(dst, `{"battle_hash":"sha256:`...)
	dst = hex.AppendEncode(dst, e.Root[:])
	dst = strconv.AppendInt(append(dst, `","events":`...), e.Events, 10)
	dst = hex.AppendEncode(append(dst, `,"head":"sha256:`...), e.Head[:])
	dst = jsontext.AppendString(append(dst, `","match":`...), e.Match)
	return append(dst, '}')
}

// maxEntry is more bytes than any entry has.
const maxEntry = 512

// ParseEntry reads an entry; what is read gives the same bytes when it is appended
// again. Errors wrap [ErrEntry].
func ParseEntry(b []byte) (Entry, error) {
	var e Entry
	if len(b) > maxEntry {
		return e, fmt.Errorf("%w: %d bytes", ErrEntry, len(b))
	}
	o, err := jsontext.ParseObject(b, jsontext.Refuse)
	if err == nil {
		e.Match, err = o.Text("match")
	}
	if err == nil {
		e.Events, err = o.Int("events", replay.MaxLines)
	}
	if err == nil {
		err = unhex(o, "head", &e.Head)
	}
	if err == nil {
		err = unhex(o, "battle_hash", &e.Root)
	}
	switch {
	case err != nil:
		return Entry{}, fmt.Errorf("%w: %w", ErrEntry, err)
	case !referee.ValidID(e.Match):
		return Entry{}, fmt.Errorf("%w: match: not an id", ErrEntry)
	case string(e.Append(nil)) != string(b):
		return Entry{}, fmt.Errorf("%w: not in its one form", ErrEntry)
	}
	return e, nil
}

func unhex(o jsontext.Members, name string, to *[32]byte) error {
	s, err := o.Text(name)
	if err != nil {
		return err
	}
	digits, ok := strings.CutPrefix(s, "sha256:")
	if n, err := hex.Decode(to[:], []byte(digits[:min(len(digits), 64)])); !ok || err != nil || n != 32 || len(digits) != 64 {
		return fmt.Errorf("%s: not sha256: and 64 digits", name)
	}
	return nil
}
