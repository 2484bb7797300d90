package reports

import (
	"strings"
	"testing"

	"github.com/matchreferee/arena/internal/repo"
)

const (
	first   = `t.Run("B1", func(t *testing.T) { t.Error() });`
	second  = `t.Run("B2", testB2);`
	helpers = "\nfunc testB2(t *testing.T) { t.Fatal() }\n" +
		"func must(t testing.TB, ok bool) { if !ok { t.FailNow() } }\n" +
		"func trust(t *testing.T) { t.Log() }\n" +
		"func away(t *testing.T) { t.Skip() }\n" +
		"func round(t *testing.T) { round(t) }\n" +
		"type desk struct{}; func (desk) check(t *testing.T) { must(t, false) }\n"
)

func checkText(t *testing.T, file, source string) string {
	t.Helper()
	dirs, err := repo.Parse(map[string][]byte{file: []byte(source)})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(Check([]Report{{ID: "B1", Area: "ssrf"}, {ID: "B2", Area: "timeouts"}}, dirs), "\n")
}

// TestCheck: what stands in a test function with the first report's subtest before it.
func TestCheck(t *testing.T) {
	const alone = "B2 is not a statement of a Test function by itself"
	fn := func(body string) string { return `t.Run("B2", func(t *testing.T) {` + body + `});` }
	tests := []struct{ name, body, want string }{
		{"all", second, ""},
		{"raw strings", "t.Run(`B2`, testB2)", ""},
		{"other names", second + `t.Run("late", f); t.Run("B", f); t.Run(name, f)`, ""},
		{"missing", "", "report B2 (timeouts) has no subtest"},
		{"longer name", `t.Run("B20", testB2)`, "B20 is no report"},
		{"longer name, too", `t.Run("B2 late", testB2)`, "report B2"},
		{"unknown", second + `t.Run("B3", testB2)`, "B3 is no report"},
		{"no subtest", `t.Log("B2", testB2)`, "report B2"},
		{"in a comment", "// " + second + "\n", "report B2"},

		{"in a subtest", `t.Run("late", func(t *testing.T) {` + second + `})`, ""},
		{"in a subtest's subtest", `t.Run("late", func(t *testing.T) { t.Run("more", func(t *testing.T) {` + second + `}) })`, ""},
		{"under a condition", `if false {` + second + `}`, alone},
		{"in a loop", `for range n {` + second + `}`, alone},
		{"deferred", `defer ` + second, alone},
		{"in a function that nobody calls", `f := func(t *testing.T) {` + second + `}; _ = f`, alone},
		{"of something else", `suite.Run("B2", testB2)`, alone},
		{"of the T outside", `t.Run("late", func(s *testing.T) {` + second + `})`, alone},
		{"after a return", `return;` + second, "B2 comes after a return"},
		{"after a return that may be", `if n > 1 { for { return } };` + second, "B2 comes after a return"},
		{"after a jump", `goto end;` + second + "end:", "B2 comes after a jump"},
		{"after a skip", `t.Skip("flaky");` + second, "B2 comes after something that may skip it"},
		{"after a skip that may be", `if testing.Short() { t.SkipNow() };` + second, "B2 comes after something that may skip it"},
		{"after a helper that skips", `away(t);` + second, "B2 comes after something that may skip it"},
		{"after a function that skips", `func() { t.Skipf("x") }();` + second, "B2 comes after something that may skip it"},
		{"in a subtest after a return", `t.Run("late", func(t *testing.T) { if n > 1 { return };` + second + `})`, "B2 comes after a return"},
		{"in a subtest after another that is left", `t.Run("late", func(t *testing.T) { return }); t.Run("later", func(t *testing.T) { ` + second + `})`, ""},
		{"before a return", second + `return`, ""},
		{"after functions with returns", `f := func() int { return 1 };` + second + `_ = f`, ""},
		{"after another that skips", `t.Run("late", func(t *testing.T) { t.Skip() });` + second, ""},

		{"empty", fn(""), "B2 is empty"},
		{"skips itself", fn(`t.Error(); t.Skip()`), "B2 may skip itself"},
		{"skips by a helper", fn(`t.Error(); away(t)`), "B2 may skip itself"},
		{"only logs", fn(`t.Log("x")`), "B2 cannot fail"},
		{"fails another T", fn(`other.Error()`), "B2 cannot fail"},
		{"no T of its own", `t.Run("B2", func(*testing.T) { t.Error() })`, "B2 cannot fail"},
		{"trusts a helper that cannot fail", fn(`trust(t)`), "B2 cannot fail"},
		{"goes round in helpers", fn(`round(t)`), "B2 cannot fail"},
		{"a helper without the T", fn(`must(nil, false)`), "B2 cannot fail"},
		{"a named function that cannot fail", `t.Run("B2", trust)`, "B2 cannot fail"},
		{"a function from elsewhere", `t.Run("B2", suite.late)`, "B2 has a body that is neither"},
		{"a function unknown", `t.Run("B2", late)`, "B2 has a body that is neither"},
		{"fails by a helper", fn(`must(t, false)`), ""},
		{"fails by a method and its helper", fn(`desk{}.check(t)`), ""},
		{"fails in a bubble", fn(`synctest.Test(t, func(t *testing.T) { if x { t.Errorf("x") } })`), ""},
		{"fails in a property", fn(`rapid.Check(t, func(r *rapid.T) { r.Fatalf("x") })`), ""},
		{"T of another name", `t.Run("B2", func(tt *testing.T) { tt.Error() })`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := checkText(t, "a/a_test.go", "package p; func TestX(t *testing.T) {"+first+tt.body+"}"+helpers)
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q; want %q", got, tt.want)
			}
			if strings.Contains(got, "B1") {
				t.Errorf("the first report is tested: %q", got)
			}
		})
	}
}

// TestCheckPlaces: files and functions of which the go command may run no tests.
func TestCheckPlaces(t *testing.T) {
	const body, alone, tagged = "{" + first + second + "}", "B1 is not a statement of a Test function by itself", "B1 is in a file with a build constraint"
	tests := []struct{ name, file, source, want string }{
		{"a test", "a/a_test.go", "package p; func TestX(t *testing.T) " + body, ""},
		{"Test alone", "a/a_test.go", "package p; func Test(t *testing.T) " + body, ""},
		{"after a comment", "a/a_test.go", "// Copyright.\n\n// Package p is it.\npackage p\n//go:build later\nfunc Test(t *testing.T) " + body, ""},
		{"production code", "a/a.go", "package p; func TestX(t *testing.T) " + body, "report B1"},
		{"tag", "a/a_test.go", "//go:build never\n\npackage p; func TestX(t *testing.T) " + body, tagged},
		{"tag after a comment", "a/a_test.go", "// Copyright.\n\n//go:build !race\n\npackage p; func TestX(t *testing.T) " + body, tagged},
		{"old tag", "a/a_test.go", "// +build never\n\npackage p; func TestX(t *testing.T) " + body, tagged},
		{"system", "a/a_windows_test.go", "package p; func TestX(t *testing.T) " + body, "B1 is in a file whose name is a build constraint"},
		{"processor", "a/a_arm64_test.go", "package p; func TestX(t *testing.T) " + body, "B1 is in a file whose name is a build constraint"},
		{"left out", "a/_a_test.go", "package p; func TestX(t *testing.T) " + body, "B1 is in a file whose name is a build constraint"},
		{"no test", "a/a_test.go", "package p; func testX(t *testing.T) " + body, alone},
		{"lower case", "a/a_test.go", "package p; func Testing(t *testing.T) " + body, alone},
		{"method", "a/a_test.go", "package p; func (x) TestX(t *testing.T) " + body, alone},
		{"benchmark", "a/a_test.go", "package p; func BenchmarkX(t *testing.B) " + body, alone},
		{"another T", "a/a_test.go", "package p; func TestX(t *suite.T) " + body, alone},
		{"two parameters", "a/a_test.go", "package p; func TestX(t *testing.T, n int) " + body, alone},
		{"result", "a/a_test.go", "package p; func TestX(t *testing.T) error " + body, alone},
		{"type parameter", "a/a_test.go", "package p; func TestX[X any](t *testing.T) " + body, alone},
		{"variable", "a/a_test.go", "package p; var f = func(t *testing.T) " + body, alone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := checkText(t, tt.file, tt.source+helpers)
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q; want %q", got, tt.want)
			}
		})
	}
}
