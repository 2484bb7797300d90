package readme

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/matchreferee/arena/internal/repo"
)

func TestRepository(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := repo.Dirs(root)
	if err != nil {
		t.Fatal(err)
	}
	pages := 0
	err = repo.Walk(root, func(name string) error {
		if !strings.HasSuffix(name, ".md") {
			return nil
		}
		page, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		pages++
		for _, line := range Check(name, string(page), dirs) {
			t.Error(line)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if pages == 0 {
		t.Error("found no page")
	}
}

const code = `package p

func Example_host() {
	a := 1
	if a > 0 {
		println(a) // one
	}
	// Output:
	// 1
}

// rules is documented; the page shows the declaration alone.
type rules struct {
	N int
}

func (*rules) Info() {}
`

func TestCheck(t *testing.T) {
	const body = "a := 1\nif a > 0 {\n\tprintln(a) // one\n}\n"
	const decls = "type rules struct {\n\tN int\n}\n\nfunc (*rules) Info() {}\n"
	fence := func(marker, text string) string {
		return "Text.\n\n" + marker + "\n\n```go\n" + text + "```\n\nMore.\n"
	}
	tests := []struct{ name, page, want string }{
		{"same body", fence("<!-- example: a Example_host -->", body), ""},
		{"same declarations", fence("<!-- code: a rules rules.Info -->", decls), ""},
		{"other languages", "```sh\ngo test\n```\n", ""},
		{"loose", fence("<!-- loose -->", "x := 1\n"), ""},
		{"no marker", fence("", body), "p.md:5: no marker"},
		{"marker of an earlier block", fence("<!-- example: a Example_host -->", body) + "```go\n" + body + "```\n", "no marker"},
		{"text in between", "<!-- example: a Example_host -->\nText\n```go\n" + body + "```\n", "no marker"},
		{"drift", fence("<!-- example: a Example_host -->", strings.Replace(body, "one", "two", 1)), "differs from example: a Example_host"},
		{"shorter", fence("<!-- example: a Example_host -->", "a := 1\n"), "differs"},
		{"never closed", "<!-- example: a Example_host -->\n```go\na := 2\n", "differs"},
		{"drifting declarations", fence("<!-- code: a rules -->", decls), "differs"},
		{"no such function", fence("<!-- example: a Example_author -->", body), "a has no Example_author"},
		{"no such folder", fence("<!-- example: b Example_host -->", body), "b has no Example_host"},
		{"no function", fence("<!-- example: a rules -->", body), "rules is no function"},
		{"two functions", fence("<!-- example: a Example_host rules.Info -->", body), "no marker"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dirs, err := repo.Parse(map[string][]byte{"a/x_test.go": []byte(code)})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(Check("p.md", tt.page, dirs), "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("got %q; want %q", got, tt.want)
			}
		})
	}
}
