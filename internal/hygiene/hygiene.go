// Package hygiene checks rules of the house that no linter knows: no init functions, no package-level state, no sleeping tests, no fuzz
// target without a corpus, no paths of the machine that a file was written on, and every module in the workspace.
package hygiene

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/matchreferee/arena/internal/repo"
)

// Exception lets one function of one file break one rule.
type Exception struct {
	File string // from the root
	Func string // "TestKilled", "Live.Run"; for a package-level variable its name
	Why  string
}

// Code gives one line for each init function and each piece of package-level state in production code: variables that some function
// changes, and those of types that exist to be changed (registries, counters, random sources).
func Code(dirs []*repo.Dir, exceptions []Exception) []string {
	var out []string
	used := make([]bool, len(exceptions))
	for _, d := range dirs {
		files := d.Production()
		if len(files) == 0 {
			continue
		}
		info := d.Uses(files)
		for _, f := range files {
			for _, decl := range f.Syntax.Decls {
				switch decl := decl.(type) {
				case *ast.FuncDecl:
					if decl.Recv == nil && decl.Name.Name == "init" && !excepted(exceptions, used, f.Name, "init") {
						out = append(out, d.Pos(decl)+": an init function; whatever it does, a caller could")
					}
				case *ast.GenDecl:
					for _, v := range stateful(info, decl) {
						if !excepted(exceptions, used, f.Name, v.Name) {
							out = append(out, fmt.Sprintf("%s: package-level %s is of a type that exists to be changed", d.Pos(v), v.Name))
						}
					}
				}
			}
			for _, id := range changed(info, f.Syntax) {
				if !excepted(exceptions, used, f.Name, id.Name) {
					out = append(out, fmt.Sprintf("%s: package-level %s is changed at run time", d.Pos(id), id.Name))
				}
			}
		}
	}
	return append(out, needless(exceptions, used)...)
}

// stateful gives the package-level variables of a declaration whose type or value names sync.Map, something of sync/atomic, or a source
// of math/rand.
func stateful(info *types.Info, decl *ast.GenDecl) []*ast.Ident {
	if decl.Tok != token.VAR {
		return nil
	}
	var out []*ast.Ident
	for _, spec := range decl.Specs {
		spec := spec.(*ast.ValueSpec)
		found := false
		look := func(n ast.Node) bool {
			if _, ok := n.(*ast.FuncLit); ok {
				return false // runs later, with variables of its own
			}
			if e, ok := n.(ast.Expr); ok {
				pkg, member, _ := repo.Imported(info, e)
				found = found || pkg == "sync" && member == "Map" || pkg == "sync/atomic" || strings.HasPrefix(pkg, "math/rand")
			}
			return true
		}
		if spec.Type != nil {
			ast.Inspect(spec.Type, look)
		}
		for _, v := range spec.Values {
			ast.Inspect(v, look)
		}
		if found {
			out = append(out, spec.Names...)
		}
	}
	return out
}

// changed gives the identifiers of package-level variables that a function of the file assigns to, wholly or in part, or deletes from.
func changed(info *types.Info, f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	add := func(e ast.Expr) {
		id := base(e)
		if id == nil {
			return
		}
		if v, ok := info.Uses[id].(*types.Var); ok && !v.IsField() && v.Parent() != nil && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			out = append(out, id)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, l := range n.Lhs {
					add(l)
				}
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.CallExpr:
			if fn, ok := n.Fun.(*ast.Ident); ok && (fn.Name == "delete" || fn.Name == "clear") && len(n.Args) > 0 {
				add(n.Args[0])
			}
		}
		return true
	})
	return out
}

// base gives the variable at the bottom of x, x.f, x[i], *x and combinations; nil where there is none.
func base(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// Fuzzed gives one line for each fuzz target that neither adds a seed itself nor has a file in testdata/fuzz, which has tells.
func Fuzzed(dirs []*repo.Dir, has func(dir string) bool) []string {
	var out []string
	for _, d := range dirs {
		for _, f := range d.Files {
			if !f.Test {
				continue
			}
			for _, decl := range f.Syntax.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") || fn.Type.Params.NumFields() != 1 {
					continue
				}
				if !adds(fn) && !has(d.Name+"/testdata/fuzz/"+fn.Name.Name) {
					out = append(out, fmt.Sprintf("%s: %s has no seeds", d.Pos(fn), fn.Name.Name))
				}
			}
		}
	}
	return out
}

// adds tells whether a fuzz target calls Add on its *testing.F, or hands it to a helper that may.
func adds(fn *ast.FuncDecl) bool {
	names := fn.Type.Params.List[0].Names
	if len(names) == 0 || fn.Body == nil {
		return false
	}
	f, found := names[0].Name, false
	isF := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == f
	}
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			sel, isSel := call.Fun.(*ast.SelectorExpr)
			found = found || isSel && sel.Sel.Name == "Add" && isF(sel.X) || slices.ContainsFunc(call.Args, isF)
		}
		return true
	})
	return found
}

func excepted(exceptions []Exception, used []bool, file, fn string) bool {
	for i, e := range exceptions {
		if e.File == file && e.Func == fn {
			used[i] = true
			return true
		}
	}
	return false
}

func needless(exceptions []Exception, used []bool) []string {
	var out []string
	for i, e := range exceptions {
		if !used[i] {
			out = append(out, fmt.Sprintf("exception %s, %s is not needed; take it out", e.File, e.Func))
		}
	}
	return out
}
