package reports

import (
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	const good = `{"id":"B1","source":"a/b#1","area":"ssrf","input":{"n":1},"must":"Refused."}` + "\n"
	tests := []struct{ name, data, want string }{
		{"good", good + strings.Replace(good, "B1", "B2", 1), ""},
		{"twice", good + good, "stands twice"},
		{"misnamed", strings.Replace(good, "B1", "C1", 1), `id "C1"`},
		{"no outcome", strings.Replace(good, "Refused.", "", 1), "lacks a member"},
		{"no input", strings.Replace(good, `"input":{"n":1},`, "", 1), "lacks a member"},
		{"unknown member", strings.Replace(good, "must", "expected", 1), "unknown field"},
		{"torn", good[:20], "line 1"},
		{"blank line", good + "\n", "line 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read([]byte(tt.data))
			if tt.want == "" {
				if err != nil || len(got) != 2 {
					t.Errorf("%v, %v", got, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v; want one with %q", err, tt.want)
			}
		})
	}
}
