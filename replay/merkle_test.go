package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/matchreferee/arena/referee"
)

// TestMerkleVectors takes leaves, leaf hashes and roots from the reference data
// of RFC 6962 (transparency-dev/merkle).
func TestMerkleVectors(t *testing.T) {
	var v struct {
		Inputs []string `json:"leaf_inputs_hex"`
		Leaves []string `json:"leaf_hashes"`
		Roots  []string `json:"roots_by_size"`
	}
	b, err := os.ReadFile("testdata/merkle.json")
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil || len(v.Inputs) != 8 || len(v.Leaves) != 8 || len(v.Roots) != 9 {
		t.Fatalf("%v: %+v", err, v)
	}
	var m merkle
	for i := range v.Roots {
		if got := m.root(); hex.EncodeToString(got[:]) != v.Roots[i] {
			t.Errorf("root of %d leaves: %x, want %s", i, got, v.Roots[i])
		}
		if i == len(v.Inputs) {
			break
		}
		in, err := hex.DecodeString(v.Inputs[i])
		if err != nil {
			t.Fatal(err)
		}
		leaf := referee.LeafHash(in)
		if hex.EncodeToString(leaf[:]) != v.Leaves[i] {
			t.Errorf("leaf %d: %x, want %s", i, leaf, v.Leaves[i])
		}
		m.add(leaf)
	}
}

// naiveRoot is the definition of RFC 6962, section 2.1, over leaf hashes.
func naiveRoot(leaves [][32]byte) [32]byte {
	switch len(leaves) {
	case 0:
		return sha256.Sum256(nil)
	case 1:
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	left, right := naiveRoot(leaves[:k]), naiveRoot(leaves[k:])
	return sha256.Sum256(append(append([]byte{1}, left[:]...), right[:]...))
}

func TestMerkleNaive(t *testing.T) {
	var m merkle
	var leaves [][32]byte
	for n := range 300 {
		if got, want := m.root(), naiveRoot(leaves); got != want {
			t.Fatalf("root of %d leaves: %x, want %x", n, got, want)
		}
		leaf := sha256.Sum256([]byte{byte(n), byte(n >> 8)})
		leaves = append(leaves, leaf)
		m.add(leaf)
	}
}

// TestMaxLines reads past a limit that is lower than the real one.
func TestMaxLines(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	events := []referee.Event{
		{Kind: referee.KindStart, X: &referee.Extra{Start: &referee.Start{ID: "m", Seats: []referee.SeatInfo{{}}}}},
		{Kind: referee.KindMove, Action: "1"}, {Kind: referee.KindMove, Action: "2"},
	}
	for i := range events {
		if err := w.Append(&events[i]); err != nil {
			t.Fatal(err)
		}
	}
	for most := range int64(4) {
		r := NewReader(strings.NewReader(b.String()))
		r.most = most
		n := int64(0)
		var err error
		for err == nil {
			if _, err = r.Next(); err == nil {
				n++
			}
		}
		var fault *LineError
		if n != most || most < 3 && (!errors.Is(err, ErrTooLong) || !errors.As(err, &fault) || fault.Line != most+1) || most == 3 && err != io.EOF {
			t.Errorf("at most %d: %d lines, then %v", most, n, err)
		}
	}
}
