package translog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"

	"golang.org/x/mod/sumdb/note"
)

// ErrState is wrapped where bytes are not the state of an auditor.
var ErrState = errors.New("translog: not the state of an auditor of this log")

const stateMagic = "arena auditor 1\n"

// State gives what the auditor remembers, for [LoadAuditor] after a restart. Who
// can change it can make the auditor forget.
func (a *Auditor) State() []byte {
	b := binary.BigEndian.AppendUint32([]byte(stateMagic), uint32(len(a.seen.Note)))
	b = append(b, a.seen.Note...)
	keys := make([][16]byte, 0, len(a.known))
	for k := range a.known {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y [16]byte) int { return bytes.Compare(x[:], y[:]) })
	for _, k := range keys {
		l := a.known[k]
		b = append(b, k[:]...)
		b = binary.BigEndian.AppendUint64(b, uint64(l.number))
		b = append(b, l.entry[:]...)
	}
	return b
}

// LoadAuditor makes an auditor who goes on from a state. The error wraps
// [ErrState], or ErrCheckpoint if its checkpoint is not one of this log.
func LoadAuditor(state []byte, origin string, keys note.Verifiers, fetch Fetch) (*Auditor, error) {
	a := NewAuditor(origin, keys, fetch)
	rest, ok := bytes.CutPrefix(state, []byte(stateMagic))
	if !ok || len(rest) < 4 {
		return nil, ErrState
	}
	n := int64(binary.BigEndian.Uint32(rest))
	if rest = rest[4:]; int64(len(rest)) < n {
		return nil, ErrState
	}
	if n > 0 {
		c, err := OpenCheckpoint(rest[:n], origin, keys)
		if err != nil {
			return nil, err
		}
		a.seen = c
	}
	const one = 16 + 8 + 32
	rest = rest[n:]
	if int64(len(rest)) != one*a.seen.Size {
		return nil, ErrState
	}
	for ; len(rest) > 0; rest = rest[one:] {
		number := int64(binary.BigEndian.Uint64(rest[16:]))
		key := [16]byte(rest)
		if _, twice := a.known[key]; twice || number < 0 || number >= a.seen.Size {
			return nil, ErrState
		}
		a.known[key] = logged{number, [32]byte(rest[24:])}
	}
	return a, nil
}
