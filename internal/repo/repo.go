// Package repo reads this repository's own source for the checks that live beside it in internal: which Go files there are, and what
// their syntax says. It goes by files and not by `go list`, so that files for other systems and every nested module are seen too.
package repo

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// Module is the import path of the repository's root; a nested module's path is this one and its folder.
const Module = "github.com/matchreferee/arena"

// Root gives the repository's folder, found upwards from the working folder (a test runs in its package's).
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", fmt.Errorf("repo: no go.work above the working folder")
		}
		dir = up
	}
}

// Walk calls visit with the slash-separated path of each regular file under root, in lexical order. Hidden folders (but .ci), node_modules and
// the output folder out are left out.
func Walk(root string, visit func(name string) error) error {
	return filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			base := d.Name()
			if rel != "." && (rel == "out" || base == "node_modules" || (strings.HasPrefix(base, ".") && base != ".ci")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		return visit(rel)
	})
}

// File is one Go source file. Test is true for _test.go files.
type File struct {
	Name   string // slash-separated, from the root
	Test   bool
	Syntax *ast.File
	Source []byte
}

// Dir is one folder with Go files; Name is "." at the root. Its files may belong to a package and to its external tests.
type Dir struct {
	Name  string
	Fset  *token.FileSet
	Files []*File
}

// Dirs parses every Go file below root, but those in testdata folders and in folders that the go command skips, and gives the folders by name.
func Dirs(root string) ([]*Dir, error) {
	files := map[string][]byte{}
	err := Walk(root, func(name string) error {
		if !strings.HasSuffix(name, ".go") || skipped(name) {
			return nil
		}
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		files[name] = src
		return err
	})
	if err != nil {
		return nil, err
	}
	return Parse(files)
}

func skipped(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == "testdata" || part == "vendor" || strings.HasPrefix(part, "_") || strings.HasPrefix(part, ".") {
			return true
		}
	}
	return false
}

// Parse does what [Dirs] does for files given by name and source, for checks that are tried on small synthetic trees.
func Parse(files map[string][]byte) ([]*Dir, error) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	dirs := map[string]*Dir{}
	var order []*Dir
	for _, name := range names {
		d := dirs[path.Dir(name)]
		if d == nil {
			d = &Dir{Name: path.Dir(name), Fset: token.NewFileSet()}
			dirs[d.Name] = d
			order = append(order, d)
		}
		syntax, err := parser.ParseFile(d.Fset, name, files[name], parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("repo: %w", err)
		}
		d.Files = append(d.Files, &File{Name: name, Test: strings.HasSuffix(name, "_test.go"), Syntax: syntax, Source: files[name]})
	}
	sort.Slice(order, func(i, j int) bool { return order[i].Name < order[j].Name })
	return order, nil
}

// Production gives the files that are no tests.
func (d *Dir) Production() []*File {
	var out []*File
	for _, f := range d.Files {
		if !f.Test {
			out = append(out, f)
		}
	}
	return out
}

// Pos gives where a node stands as file:line.
func (d *Dir) Pos(n ast.Node) string {
	p := d.Fset.Position(n.Pos())
	return fmt.Sprintf("%s:%d", p.Filename, p.Line)
}

// Uses resolves the identifiers of files without loading what they import: enough to tell a package's name or a package's own variable
// from a local one that shadows it. What only an imported package could resolve is missing from the result.
func (d *Dir) Uses(files []*File) *types.Info {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	packages := map[string][]*ast.File{} // a folder may have x and x_test, and the checker takes one at a time
	for _, f := range files {
		packages[f.Syntax.Name.Name] = append(packages[f.Syntax.Name.Name], f.Syntax)
	}
	config := types.Config{Importer: nothing{}, Error: func(error) {}, FakeImportC: true}
	for _, syntax := range packages {
		config.Check(d.Name, d.Fset, syntax, info) // the errors are those of packages left out
	}
	return info
}

// Imported gives path and member where e is a member of an imported package, such as time.Now.
func Imported(info *types.Info, e ast.Expr) (pkg, member string, ok bool) {
	sel, isSel := ast.Unparen(e).(*ast.SelectorExpr)
	if !isSel {
		return "", "", false
	}
	id, isIdent := ast.Unparen(sel.X).(*ast.Ident)
	if !isIdent {
		return "", "", false
	}
	name, isPkg := info.Uses[id].(*types.PkgName)
	if !isPkg {
		return "", "", false
	}
	return name.Imported().Path(), sel.Sel.Name, true
}

// Func gives the name of the top-level function or method in f that holds n, such as "Run" or "Live.Run"; "" outside of all.
func Func(f *ast.File, n ast.Node) string {
	for _, decl := range f.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || n.Pos() < fn.Pos() || n.Pos() >= fn.End() {
			continue
		}
		return DeclName(fn)
	}
	return ""
}

// DeclName gives a function's name, with its receiver's type before a dot where it is a method.
func DeclName(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}

// Text tells text from binary data, as git does: no zero byte in the beginning.
func Text(data []byte) bool { return !bytes.Contains(data[:min(len(data), 8000)], []byte{0}) }

// nothing stands for every imported package by an empty one of the right name: members stay unresolved, the package's name does not.
type nothing struct{}

func (nothing) Import(p string) (*types.Package, error) {
	name := path.Base(p)
	if len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = path.Base(path.Dir(p))
	}
	pkg := types.NewPackage(p, name)
	pkg.MarkComplete()
	return pkg, nil
}
