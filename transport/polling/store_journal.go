package polling

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
)

// ErrJournal is wrapped where a file is not the journal of a [FileStore], or is
// not whole. It is left as it is.
var ErrJournal = errors.New("polling: not a whole journal of matches")

// A journal is lines of JSON: a head, and then what was done to the entries, one
// line a change, each with the CRC-32C of what follows its sum:
//
//	{"journal":"polling matches","v":1}
//	{"sum":"0a1b2c3d","put":{"match":...}}
//	{"sum":"4e5f6071","remove":["..."]}
const (
	journalHead = `{"journal":"polling matches","v":1}` + "\n"
	sumFormat   = `{"sum":"%08x",`
	sumLength   = len(`{"sum":"00000000",`)
	maxLine     = 64 << 10
	// removeMost is how many entries a line removes at most, so that it is no
	// longer than maxLine.
	removeMost = 20
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// change is a line of a journal; one of its members is set.
type change struct {
	Put    *Entry   `json:"put,omitempty"`
	Remove []string `json:"remove,omitempty"`
}

func (c *change) apply(entries map[string]Entry) {
	if c.Put != nil {
		entries[c.Put.Match] = *c.Put
	}
	for _, id := range c.Remove {
		delete(entries, id)
	}
}

// append appends the line.
func (c *change) append(dst []byte) ([]byte, error) {
	b, err := json.Marshal(c)
	if err != nil {
		return dst, fmt.Errorf("polling: %w", err)
	}
	return append(append(dst, summed(b[1:])...), '\n'), nil // the brace is before the sum
}

// summed puts its sum before the rest of a line.
func summed(body []byte) []byte {
	return append(fmt.Appendf(nil, sumFormat, crc32.Checksum(body, castagnoli)), body...)
}

// parseChange reads a line without its newline.
func parseChange(line []byte) (*change, error) {
	if len(line) < sumLength {
		return nil, errors.New("too short")
	}
	body := line[sumLength:]
	if !bytes.Equal(line, summed(body)) {
		return nil, errors.New("its sum is another")
	}
	d := json.NewDecoder(io.MultiReader(bytes.NewReader([]byte("{")), bytes.NewReader(body)))
	d.DisallowUnknownFields()
	c := new(change)
	if err := d.Decode(c); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is more after the change")
	}
	if (c.Put == nil) == (len(c.Remove) == 0) {
		return nil, errors.New("neither put nor remove alone")
	}
	if c.Put != nil {
		return c, c.Put.validate()
	}
	return c, nil
}

// journal is what reading one gives.
type journal struct {
	entries map[string]Entry
	lines   int   // without the head
	size    int64 // of the whole lines, in bytes
	torn    int64 // bytes of a last line that was not written whole
}

// readJournal reads all of a journal. A last line without its newline was being
// written when its writer died: nobody was told of it, and it is not counted. All
// else that is not as it was written is an error that wraps [ErrJournal] and
// names the line.
func readJournal(in io.Reader) (*journal, error) {
	j := &journal{entries: map[string]Entry{}}
	lines := bufio.NewReaderSize(in, maxLine)
	for n := 1; ; n++ {
		line, err := lines.ReadSlice('\n')
		wrong := func(why error) error { return fmt.Errorf("%w: line %d: %w", ErrJournal, n, why) }
		switch {
		case err == bufio.ErrBufferFull:
			return nil, wrong(fmt.Errorf("longer than %d bytes", maxLine))
		case err != nil && err != io.EOF:
			return nil, fmt.Errorf("polling: line %d: %w", n, err)
		case n == 1 && string(line) != journalHead[:min(len(line), len(journalHead))]:
			return nil, wrong(errors.New("not the head of a journal"))
		case err == io.EOF:
			j.torn = int64(len(line))
			return j, nil
		}
		j.size += int64(len(line))
		if n == 1 {
			continue
		}
		c, err := parseChange(bytes.TrimSuffix(line, []byte("\n")))
		if err != nil {
			return nil, wrong(err)
		}
		j.lines++
		c.apply(j.entries)
	}
}

// wholeJournal gives the shortest journal of some entries.
func wholeJournal(entries map[string]Entry) ([]byte, error) {
	b := []byte(journalHead)
	for _, e := range sorted(entries) {
		var err error
		if b, err = (&change{Put: &e}).append(b); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// sorted gives entries in the order of their ids.
func sorted(entries map[string]Entry) []Entry {
	out := make([]Entry, 0, len(entries))
	for _, e := range entries {
		out = append(out, e)
	}
	slices.SortFunc(out, func(x, y Entry) int { return bytes.Compare([]byte(x.Match), []byte(y.Match)) })
	return out
}
