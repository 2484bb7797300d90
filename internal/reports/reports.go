// Package reports ties testdata/reports.jsonl to the tests. The file lists bugs that public trackers of programs in this field tell of, and
// that this project promises not to have, one JSON object a line: id, source (repository and thread), area, input, and what must happen.
// Each id is the name of a subtest, written as a literal: t.Run("B29", func(t *testing.T) { ... }).
package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
)

// Report is one line of the file.
type Report struct {
	ID     string          `json:"id"`
	Source string          `json:"source"`
	Area   string          `json:"area"`
	Input  json.RawMessage `json:"input"`
	Must   string          `json:"must"`
}

var id = regexp.MustCompile(`^B[0-9]+$`)

// Read decodes the file strictly: every member is there, nothing else is, and no id stands twice.
func Read(data []byte) ([]Report, error) {
	var out []Report
	seen := map[string]bool{}
	line := 0
	for raw := range bytes.Lines(data) {
		line++
		var r Report
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&r); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		switch {
		case !id.MatchString(r.ID):
			return nil, fmt.Errorf("line %d: id %q", line, r.ID)
		case seen[r.ID]:
			return nil, fmt.Errorf("line %d: %s stands twice", line, r.ID)
		case r.Source == "" || r.Area == "" || len(r.Input) == 0 || r.Must == "":
			return nil, fmt.Errorf("line %d: %s lacks a member", line, r.ID)
		}
		seen[r.ID] = true
		out = append(out, r)
	}
	return out, nil
}
