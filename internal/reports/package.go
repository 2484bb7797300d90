package reports

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"io"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/internal/repo"
)

// pkg knows the functions of a folder by name, methods among them: without types, a call is looked up by its name alone.
type pkg struct{ funcs map[string][]*ast.FuncDecl }

func newPackage(d *repo.Dir) *pkg {
	p := &pkg{map[string][]*ast.FuncDecl{}}
	for _, f := range d.Files {
		for _, decl := range f.Syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				p.funcs[fn.Name.Name] = append(p.funcs[fn.Name.Name], fn)
			}
		}
	}
	return p
}

// constrained says what keeps a file out of some builds; "" if nothing does.
func constrained(f *repo.File) string {
	for _, group := range f.Syntax.Comments {
		if group.Pos() > f.Syntax.Package {
			break
		}
		for _, c := range group.List {
			if constraint.IsGoBuild(c.Text) || constraint.IsPlusBuild(c.Text) {
				return "is in a file with a build constraint"
			}
		}
	}
	nowhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("package p\n")), nil
	}}
	if ok, err := nowhere.MatchFile("", path.Base(f.Name)); err != nil || !ok {
		return "is in a file whose name is a build constraint"
	}
	return ""
}

// isTest reports whether the go command runs fn as a test.
func isTest(fn *ast.FuncDecl) bool {
	rest, ok := strings.CutPrefix(fn.Name.Name, "Test")
	if r, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLower(r) {
		return false
	}
	return fn.Recv == nil && fn.Type.TypeParams == nil && fn.Type.Results == nil && fn.Type.Params.NumFields() == 1 && testParam(fn.Type) != ""
}

// testParam gives the name of the first parameter that is a *testing.T; "" if there is none.
func testParam(sig *ast.FuncType) string {
	for _, field := range sig.Params.List {
		if star, ok := field.Type.(*ast.StarExpr); ok && isName(star.X, "testing", "T") && len(field.Names) > 0 && field.Names[0].Name != "_" {
			return field.Names[0].Name
		}
	}
	return ""
}

// failing gives the names of parameters that can fail a test: *testing.T, testing.TB and *rapid.T.
func failing(sig *ast.FuncType) []string {
	var names []string
	for _, field := range sig.Params.List {
		of := field.Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if isName(of, "testing", "T") || isName(of, "testing", "TB") || isName(of, "rapid", "T") {
			for _, n := range field.Names {
				names = append(names, n.Name)
			}
		}
	}
	return names
}

func isName(e ast.Expr, pkg, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == pkg
}
