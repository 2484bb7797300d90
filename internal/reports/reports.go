// Package reports ties testdata/reports.jsonl to the tests. The file lists bugs that public trackers of programs in this field tell of, and
// that this project promises not to have, one JSON object a line: id, source (repository and thread), area, input, and what must happen.
// Each id is the name of a subtest, written as a literal: t.Run("B29", func(t *testing.T) { ... }).
package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"

	"github.com/matchreferee/arena/internal/repo"
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

// Check compares reports with the subtests in dirs and gives one line for each report without a subtest, each subtest named by an id that
// no report has, and each that is empty or skips itself.
func Check(reports []Report, dirs []*repo.Dir) []string {
	var out []string
	tested := map[string]bool{}
	for _, r := range reports {
		tested[r.ID] = false
	}
	for _, d := range dirs {
		for _, f := range d.Files {
			if !f.Test {
				continue
			}
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				name, body := subtest(n)
				if !id.MatchString(name) {
					return true
				}
				if _, known := tested[name]; !known {
					out = append(out, fmt.Sprintf("%s: subtest %s is no report of testdata/reports.jsonl", d.Pos(n), name))
				} else if why := idle(body); why != "" {
					out = append(out, fmt.Sprintf("%s: subtest %s %s", d.Pos(n), name, why))
				} else {
					tested[name] = true
				}
				return true
			})
		}
	}
	for _, r := range reports {
		if !tested[r.ID] {
			out = append(out, fmt.Sprintf("report %s (%s) has no subtest of that name", r.ID, r.Area))
		}
	}
	return out
}

// subtest gives name and body of a call x.Run("name", body); an empty name for any other node.
func subtest(n ast.Node) (name string, body ast.Expr) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", nil
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Run" {
		return "", nil
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", nil
	}
	name, err := strconv.Unquote(lit.Value)
	if err != nil {
		return "", nil
	}
	return name, call.Args[1]
}

// idle says why a subtest's body cannot be a test; "" where it may be one.
func idle(body ast.Expr) string {
	fn, ok := body.(*ast.FuncLit)
	if !ok {
		return ""
	}
	if len(fn.Body.List) == 0 {
		return "is empty"
	}
	why := ""
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			switch sel.Sel.Name {
			case "Skip", "Skipf", "SkipNow":
				why = "may skip itself"
			}
		}
		return true
	})
	return why
}
