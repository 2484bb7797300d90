package reports

import (
	"strings"
	"testing"

	"github.com/matchreferee/arena/internal/repo"
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

func TestCheck(t *testing.T) {
	reports := []Report{{ID: "B1", Area: "ssrf"}, {ID: "B2", Area: "timeouts"}}
	const first, second = `t.Run("B1", func(t *testing.T) { t.Error() });`, `t.Run("B2", testB2);`
	tests := []struct{ name, file, body, want string }{
		{"all", "a/a_test.go", first + second, ""},
		{"raw strings", "a/a_test.go", first + "t.Run(`B2`, testB2)", ""},
		{"missing", "a/a_test.go", first, "report B2 (timeouts) has no subtest"},
		{"longer name", "a/a_test.go", first + `t.Run("B20", testB2)`, "B20 is no report"},
		{"prefix", "a/a_test.go", first + `t.Run("B2 late", testB2)`, "report B2"},
		{"unknown", "a/a_test.go", first + second + `t.Run("B3", testB3)`, "B3 is no report"},
		{"in production code", "a/a.go", first + second, "report B1"},
		{"no subtest", "a/a_test.go", first + `t.Log("B2", testB2)`, "report B2"},
		{"in a comment", "a/a_test.go", first + "// " + second + "\n", "report B2"},
		{"empty", "a/a_test.go", first + `t.Run("B2", func(t *testing.T) {})`, "B2 is empty"},
		{"skipped", "a/a_test.go", first + `t.Run("B2", func(t *testing.T) { t.Skip() })`, "B2 may skip itself"},
		{"other names", "a/a_test.go", first + second + `t.Run("late", f); t.Run("B", f); t.Run(name, f)`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dirs, err := repo.Parse(map[string][]byte{tt.file: []byte("package p; func TestX(t *testing.T) {" + tt.body + "}")})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(Check(reports, dirs), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q; want %q", got, tt.want)
			}
		})
	}
}
