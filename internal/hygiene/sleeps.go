package hygiene

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/matchreferee/arena/internal/repo"
)

// Sleeps gives one line for each time.Sleep in a test that is not seen to run inside a synctest.Test bubble, where time is virtual. Inside is
// what is written in the arguments of synctest.Test, or of a function of the same folder that hands a function to it, whatever is used from
// such places alone, and functions in the table of a test that opens a bubble.
func Sleeps(dirs []*repo.Dir, exceptions []Exception) []string {
	var out []string
	used := make([]bool, len(exceptions))
	for _, d := range dirs {
		b := newBubbles(d)
		for _, n := range b.sleeps {
			f := b.file(n)
			if !b.inside(n) && !excepted(exceptions, used, f.Name, repo.Func(f.Syntax, n)) {
				out = append(out, d.Pos(n)+": time.Sleep in a test; use testing/synctest or wait for what should happen")
			}
		}
	}
	return append(out, needless(exceptions, used)...)
}

// bubbles knows which parts of the tests of a folder run in bubbles.
type bubbles struct {
	files    []*repo.File
	info     *types.Info
	openers  map[types.Object]bool         // functions that take a function into a bubble
	spans    []ast.Node                    // what is written inside one
	decls    map[types.Object]ast.Node     // functions and variables of the tests, where they are declared
	uses     map[types.Object][]*ast.Ident // of those
	outside  map[types.Object]bool         // of those, what is used outside, or by nobody
	sleeps   []ast.Expr
	enclosed []types.Object // in the order of decls
}

func newBubbles(d *repo.Dir) *bubbles {
	b := &bubbles{
		info: d.Uses(d.Files), openers: map[types.Object]bool{}, decls: map[types.Object]ast.Node{},
		uses: map[types.Object][]*ast.Ident{}, outside: map[types.Object]bool{},
	}
	for _, f := range d.Files {
		if f.Test {
			b.files = append(b.files, f)
		}
	}
	b.collect()
	for b.open() {
	}
	b.tables()
	b.settle()
	return b
}

// tables adds the function literals inside composite literals of functions that open bubbles: rows of a table, for the bubble to call.
func (b *bubbles) tables() {
	for _, f := range b.files {
		for _, decl := range f.Syntax.Decls {
			opens := false
			for _, s := range b.spans {
				opens = opens || within(s, decl)
			}
			if !opens {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				table, ok := n.(*ast.CompositeLit)
				if !ok {
					return true
				}
				ast.Inspect(table, func(n ast.Node) bool {
					if row, ok := n.(*ast.FuncLit); ok {
						b.spans = append(b.spans, row)
						return false
					}
					return true
				})
				return false
			})
		}
	}
}

// each calls f for every node of the tests.
func (b *bubbles) each(f func(ast.Node)) {
	for _, file := range b.files {
		ast.Inspect(file.Syntax, func(n ast.Node) bool { f(n); return true })
	}
}

// collect finds what the tests declare and use, and where they sleep.
func (b *bubbles) collect() {
	declare := func(id *ast.Ident, n ast.Node) {
		if o := b.info.Defs[id]; o != nil {
			b.decls[o] = n
			b.enclosed = append(b.enclosed, o)
		}
	}
	b.each(func(n ast.Node) {
		switch n := n.(type) {
		case *ast.FuncDecl:
			declare(n.Name, n)
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if id, ok := left.(*ast.Ident); ok && n.Tok == token.DEFINE && len(n.Rhs) == len(n.Lhs) {
					declare(id, n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for i, id := range n.Names {
				if len(n.Values) == len(n.Names) {
					declare(id, n.Values[i])
				}
			}
		case *ast.SelectorExpr:
			if pkg, member, _ := repo.Imported(b.info, n); pkg == "time" && member == "Sleep" {
				b.sleeps = append(b.sleeps, n)
			}
		}
	})
	b.each(func(n ast.Node) {
		if id, ok := n.(*ast.Ident); ok {
			if o := b.info.Uses[id]; o != nil && b.decls[o] != nil {
				b.uses[o] = append(b.uses[o], id)
			}
		}
	})
}

// open looks for calls that open a bubble, and reports whether there is a new function that makes such calls for others.
func (b *bubbles) open() (more bool) {
	b.spans = b.spans[:0]
	b.each(func(n ast.Node) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return
		}
		if pkg, member, _ := repo.Imported(b.info, call.Fun); !b.openers[b.callee(call)] && (pkg != "testing/synctest" || member != "Test") {
			return
		}
		for _, a := range call.Args {
			b.spans = append(b.spans, a)
		}
		for o, decl := range b.decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && within(call, fn) && takesFunc(fn) && !b.openers[o] {
				b.openers[o], more = true, true
			}
		}
	})
	return more
}

func (b *bubbles) callee(call *ast.CallExpr) types.Object {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return b.info.Uses[f]
	case *ast.SelectorExpr:
		return b.info.Uses[f.Sel]
	}
	return nil
}

// settle finds what is used outside of bubbles: the rest runs inside.
func (b *bubbles) settle() {
	for more := true; more; {
		more = false
		for _, o := range b.enclosed {
			if b.outside[o] {
				continue
			}
			inside := len(b.uses[o]) > 0
			for _, id := range b.uses[o] {
				inside = inside && (within(id, b.decls[o]) || b.inside(id))
			}
			if !inside {
				b.outside[o], more = true, true
			}
		}
	}
}

// inside reports whether a node stands inside a bubble, or in something that is used inside alone.
func (b *bubbles) inside(n ast.Node) bool {
	for _, s := range b.spans {
		if within(n, s) {
			return true
		}
	}
	for o, decl := range b.decls {
		if !b.outside[o] && within(n, decl) {
			return true
		}
	}
	return false
}

func (b *bubbles) file(n ast.Node) *repo.File {
	for _, f := range b.files {
		if within(n, f.Syntax) {
			return f
		}
	}
	return nil
}

func within(n, outer ast.Node) bool { return outer.Pos() <= n.Pos() && n.End() <= outer.End() }

// takesFunc reports whether a function has a parameter that is a function.
func takesFunc(fn *ast.FuncDecl) bool {
	for _, p := range fn.Type.Params.List {
		if _, ok := p.Type.(*ast.FuncType); ok {
			return true
		}
	}
	return false
}
