package replay_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/matchreferee/arena/replay"
)

// TestProofs makes the proof of every event, and shows that none serves for anything else.
func TestProofs(t *testing.T) {
	for name, record := range records(t) {
		t.Run(name, func(t *testing.T) {
			r := verify(t, record)
			all := lines(record)
			var used *replay.Inclusion
			for i := range r.Events {
				p, line, err := replay.Prove(bytes.NewReader(record), i)
				if err != nil || string(line) != strings.TrimSuffix(all[i], "\n") {
					t.Fatalf("event %d: %v %s", i, err, line)
				}
				if err := p.Check(line, r.Events, r.Root); err != nil {
					t.Fatal(err)
				}
				for what, err := range map[string]error{
					"another line":   p.Check(append(bytes.Clone(line), ' '), r.Events, r.Root),
					"another root":   p.Check(line, r.Events, [32]byte{1}),
					"another number": (&replay.Inclusion{Event: i + 1, Path: p.Path}).Check(line, r.Events, r.Root),
					"another length": p.Check(line, 2*r.Events, r.Root),
					"endless":        p.Check(line, 1<<63-1, r.Root),
					"too long":       p.Check(line, replay.MaxLines+1, r.Root),
					"longer":         (&replay.Inclusion{Event: i, Path: append(p.Path[:len(p.Path):len(p.Path)], [32]byte{})}).Check(line, r.Events, r.Root),
				} {
					if !errors.Is(err, replay.ErrProof) {
						t.Errorf("event %d, %s: %v", i, what, err)
					}
				}
				if used != nil {
					if err := used.Check(line, r.Events, r.Root); !errors.Is(err, replay.ErrProof) {
						t.Errorf("event %d by the proof of the one before: %v", i, err)
					}
				}
				used = p
			}
			for _, i := range []int64{-1, r.Events} {
				if _, _, err := replay.Prove(bytes.NewReader(record), i); !errors.Is(err, replay.ErrProof) {
					t.Errorf("event %d: %v", i, err)
				}
			}
		})
	}
	one := attested(t, "x")
	p, line, err := replay.Prove(bytes.NewReader(one), 2)
	if err != nil {
		t.Fatal(err)
	}
	y := verify(t, attested(t, "y"))
	if err := p.Check(line, y.Events, y.Root); !errors.Is(err, replay.ErrProof) {
		t.Errorf("a proof of another match: %v", err)
	}
}
