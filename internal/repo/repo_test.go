package repo

import (
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestDirs(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"b.go", "a/x_test.go", "a/x.go", "a/x_windows.go", "nested/m/y.go", ".ci/z.go"} {
		write(name, "package p")
	}
	for _, name := range []string{"out/o.go", ".git/g.go", "a/testdata/broken.go", "a/_old/q.go", "web/node_modules/n.go"} {
		write(name, "not Go")
	}
	dirs, err := Dirs(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range dirs {
		for _, f := range d.Files {
			got = append(got, f.Name)
		}
	}
	if want := []string{"b.go", "a/x.go", "a/x_test.go", "a/x_windows.go", "nested/m/y.go"}; !slices.Equal(got, want) {
		t.Errorf("files %q; want %q", got, want)
	}
	if n := len(dirs[1].Production()); n != 2 {
		t.Errorf("%d production files in %s; want 2", n, dirs[1].Name)
	}

	var walked []string
	if err := Walk(root, func(name string) error { walked = append(walked, name); return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(walked, ".ci/z.go") || !slices.Contains(walked, "a/testdata/broken.go") || slices.Contains(walked, ".git/g.go") {
		t.Errorf("walked %q", walked)
	}

	write("a/broken.go", "package")
	if _, err := Dirs(root); err == nil {
		t.Error("a file that does not parse was passed over")
	}
}

func TestImported(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"plain", `import "time"; var x = time.Now`, "time.Now"},
		{"renamed", `import t "time"; var x = t.Now`, "time.Now"},
		{"version in the path", `import "math/rand/v2"; var x = rand.IntN`, "math/rand/v2.IntN"},
		{"in parentheses", `import "time"; var x = (time).Now`, "time.Now"},
		{"a field", `var time struct{ Now int }; var x = time.Now`, ""},
		{"a local", `import "time"; var x = func(time struct{ Now int }) int { return time.Now }`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dirs, err := Parse(map[string][]byte{"a/a.go": []byte("package p; " + tt.body)})
			if err != nil {
				t.Fatal(err)
			}
			info := dirs[0].Uses(dirs[0].Files)
			got := ""
			ast.Inspect(dirs[0].Files[0].Syntax, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if p, member, ok := Imported(info, e); ok {
						got = p + "." + member
					}
				}
				return true
			})
			if got != tt.want {
				t.Errorf("got %q; want %q", got, tt.want)
			}
		})
	}
}

func TestFunc(t *testing.T) {
	const src = `package p
func F() { mark() }
func (t T) V() { mark() }
func (t *T) P() { mark() }
func (t *G[A, B]) M() { mark() }
var x = mark()
`
	dirs, err := Parse(map[string][]byte{"a.go": []byte(src)})
	if err != nil {
		t.Fatal(err)
	}
	f := dirs[0].Files[0].Syntax
	var got []string
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			got = append(got, Func(f, call))
		}
		return true
	})
	if want := []string{"F", "T.V", "T.P", "G.M", ""}; !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestText(t *testing.T) {
	if !Text([]byte("a\n")) || !Text(nil) || Text([]byte{'a', 0}) {
		t.Error("text and binary data are mixed up")
	}
}
