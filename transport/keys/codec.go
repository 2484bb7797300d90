package keys

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// The first line of a file names the format, says how many lines follow, and has
// their SHA-256 hash. Each of those is an entry: its hash, and what Info has.

const format = "arena-keys/1"

type head struct {
	Format string `json:"format"`
	Keys   int    `json:"keys"`
	SHA256 string `json:"sha256"`
}

type line struct {
	Hash string `json:"hash"`
	Info
}

// encode writes a file; the error is that of a time beyond the year 9999.
func encode(list []Entry) ([]byte, error) {
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	enc.SetEscapeHTML(false)
	for i := range list {
		if err := enc.Encode(line{hex.EncodeToString(list[i].Hash[:]), list[i].Info}); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(lines.Bytes())
	first, err := json.Marshal(head{format, len(list), hex.EncodeToString(sum[:])})
	if err != nil {
		return nil, err
	}
	return append(append(first, '\n'), lines.Bytes()...), nil
}

// decode reads a file that encode wrote, and no other.
func decode(text []byte) ([]Entry, error) {
	if len(text) > maxFile {
		return nil, fmt.Errorf("over %d bytes", maxFile)
	}
	first, rest, ok := bytes.Cut(text, []byte("\n"))
	var h head
	switch {
	case len(text) == 0:
		return nil, errors.New("it is empty")
	case !ok || json.Unmarshal(first, &h) != nil:
		return nil, errors.New("line 1 is not that of a file of keys")
	case h.Format != format:
		return nil, errors.New("line 1 names another format than " + format)
	}
	if sum := sha256.Sum256(rest); hex.EncodeToString(sum[:]) != h.SHA256 {
		return nil, errors.New("it was cut, or changed by somebody else: the hash in line 1 is that of other lines")
	}
	var list []Entry
	for raw := range strings.Lines(string(rest)) {
		var l line
		if json.Unmarshal([]byte(raw), &l) != nil || len(l.Hash) != hex.EncodedLen(32) {
			return nil, fmt.Errorf("line %d is no key", len(list)+2)
		}
		e := Entry{Info: l.Info}
		if _, err := hex.Decode(e.Hash[:], []byte(l.Hash)); err != nil {
			return nil, fmt.Errorf("line %d is no key", len(list)+2)
		}
		list = append(list, e)
	}
	again, err := encode(list)
	if err != nil || !bytes.Equal(again, text) {
		return nil, errors.New("it was written by something else")
	}
	ids, hashes := map[string]bool{}, map[[32]byte]bool{}
	for i := range list {
		if ids[list[i].ID] || hashes[list[i].Hash] {
			return nil, fmt.Errorf("line %d has the id or the hash of one before it", i+2)
		}
		ids[list[i].ID], hashes[list[i].Hash] = true, true
	}
	return list, nil
}
