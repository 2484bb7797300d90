package gridarena

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// codes gives every code, as the source has it, and the status that stands beside it.
func codes(t *testing.T) map[Code]int {
	t.Helper()
	src, err := os.ReadFile("problem.go")
	if err != nil {
		t.Fatal(err)
	}
	all := map[Code]int{}
	for _, m := range regexp.MustCompile(`(?m)^\tCode\w+\s+Code = "(\w+)"\s+// (\d+)`).FindAllStringSubmatch(string(src), -1) {
		var status int
		fmt.Sscan(m[2], &status)
		all[Code(m[1])] = status
	}
	if len(all) != 29 {
		t.Fatalf("%d codes", len(all))
	}
	return all
}

func TestProblems(t *testing.T) {
	for code, status := range codes(t) {
		p := NewProblem(code, "why")
		if p.Status != status {
			t.Errorf("%s: %d, and not %d", code, p.Status, status)
		}
		if !strings.Contains(openAPI, "\n            - "+string(code)+"\n") {
			t.Errorf("%s is not in the description", code)
		}
		var got map[string]any
		if err := json.Unmarshal(p.Append(nil), &got); err != nil {
			t.Fatal(err)
		}
		title := http.StatusText(status)
		switch status {
		case 413:
			title = "Content Too Large" // RFC 9110
		case 422:
			title = "Unprocessable Content"
		}
		want := map[string]any{"type": "about:blank", "title": title, "status": float64(status), "code": string(code), "detail": "why"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	if s := Code("new").Status(); s != 500 {
		t.Errorf("an unknown code is %d", s)
	}
	p := NewProblem(CodeMalformed, "")
	p.Errors = []FieldError{{"ro\"w", "is\nodd"}, {"col", "too"}}
	if got, want := string(p.Append(nil)), `{"type":"about:blank","title":"Bad Request","status":400,"code":"malformed","errors":[{"field":"ro\"w","detail":"is\nodd"},{"field":"col","detail":"too"}]}`; got != want {
		t.Error(got)
	}
	var err error = NewProblem(CodePaused, "for now")
	var as *Problem
	if !errors.As(fmt.Errorf("x: %w", err), &as) || as.Error() != "gridarena: paused: for now" || NewProblem(CodePaused, "").Error() != "gridarena: paused" {
		t.Error(err)
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]int64{0: 0, -time.Second: 0, 1: 1, time.Second: 1, time.Second + 1: 2, 90 * time.Minute: 5400, 24*time.Hour - 1: 86400} {
		if got := (&Problem{RetryAfter: d}).Seconds(); got != want {
			t.Errorf("%v: %d", d, got)
		}
	}
}

// TestTexts: what users must see is in the description of the API too, and in the answers.
func TestTexts(t *testing.T) {
	flat := strings.Join(strings.Fields(openAPI), " ")
	for _, text := range Notices() {
		if !strings.Contains(flat, text) {
			t.Errorf("the description lacks %q", text)
		}
		for _, doc := range []string{string((&Replay{}).Append(nil)), string((&Recent{}).Append(nil))} {
			if !strings.Contains(doc, text) {
				t.Errorf("%q is not in %s", text, doc)
			}
		}
	}
	if got := Notices(); !slices.Equal(got, []string{TextLabels, TextAttestation, TextSandbox}) {
		t.Errorf("%q", got)
	}
}

func TestOpenAPI(t *testing.T) {
	own, root, other := OpenAPI("/api/benchmarks"), OpenAPI(""), OpenAPI(`/x"y`)
	for text, server := range map[string]string{own: `"/api/benchmarks"`, root: `"/"`, other: `"/x\"y"`} {
		if n := strings.Count(text, "\n  - url: "+server+"\n"); n != 1 || strings.Count(text, "\n  - url: ") != 1 {
			t.Errorf("%s: %d times", server, n)
		}
	}
	if len(own) != len(openAPI)+2 {
		t.Error("more than the path has changed")
	}
}
