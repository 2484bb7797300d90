package reports

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"

	"github.com/matchreferee/arena/internal/repo"
)

// Check compares reports with the subtests in dirs and gives one line for each report without a subtest, for each subtest named by an id that
// no report has, and for each that might not run or could not fail. A subtest of a report is a statement of a Test function of its own, or
// of the literal function of a subtest that is such a statement itself: under no condition, in no loop, in a file that is always built, with
// nothing before it that returns or skips. Its body uses its *testing.T to fail, or hands it to a function of the package that does.
func Check(reports []Report, dirs []*repo.Dir) []string {
	var out []string
	tested := map[string]bool{}
	for _, r := range reports {
		tested[r.ID] = false
	}
	for _, d := range dirs {
		p := newPackage(d)
		for _, f := range d.Files {
			if !f.Test {
				continue
			}
			inOrder := map[*ast.CallExpr]bool{}
			constraint := constrained(f)
			p.eachSubtest(f, func(s *subtest) {
				inOrder[s.call] = true
				if !id.MatchString(s.name) {
					return
				}
				why := constraint
				if why == "" {
					why = s.why
				}
				if why == "" {
					why = p.idle(s)
				}
				if _, known := tested[s.name]; !known {
					out = append(out, fmt.Sprintf("%s: subtest %s is no report of testdata/reports.jsonl", d.Pos(s.call), s.name))
				} else if why != "" {
					out = append(out, fmt.Sprintf("%s: subtest %s %s", d.Pos(s.call), s.name, why))
				} else {
					tested[s.name] = true
				}
			})
			ast.Inspect(f.Syntax, func(n ast.Node) bool {
				if call, name := runCall(n); call != nil && id.MatchString(name) && !inOrder[call] {
					out = append(out, fmt.Sprintf("%s: subtest %s is not a statement of a Test function by itself, or not of its T", d.Pos(call), name))
				}
				return true
			})
		}
	}
	for _, r := range reports {
		if !tested[r.ID] {
			out = append(out, fmt.Sprintf("report %s (%s) has no subtest of that name", r.ID, r.Area))
		}
	}
	return out
}

// subtest is a call t.Run("name", body) in its place.
type subtest struct {
	call *ast.CallExpr
	name string
	why  string // it may not be reached; "" if it is
}

// eachSubtest visits the subtests that are statements of test functions.
func (p *pkg) eachSubtest(f *repo.File, visit func(*subtest)) {
	for _, decl := range f.Syntax.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if !ok || fn.Body == nil || !isTest(fn) {
			continue
		}
		p.statements(fn.Type, fn.Body, "", visit)
	}
}

func (p *pkg) statements(sig *ast.FuncType, body *ast.BlockStmt, why string, visit func(*subtest)) {
	t := testParam(sig)
	for _, stmt := range body.List {
		e, ok := stmt.(*ast.ExprStmt)
		if !ok {
			why = either(why, p.leaves(stmt, t))
			continue
		}
		call, name := runCall(e.X)
		if call == nil || t == "" || receiver(call) != t {
			why = either(why, p.leaves(stmt, t))
			continue
		}
		visit(&subtest{call, name, why})
		if lit, ok := call.Args[1].(*ast.FuncLit); ok {
			p.statements(lit.Type, lit.Body, why, visit)
		}
	}
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// runCall gives a call x.Run("name", body) and the name; nil for any other node.
func runCall(n ast.Node) (*ast.CallExpr, string) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil, ""
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || sel.Sel.Name != "Run" {
		return nil, ""
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return nil, ""
	}
	name, err := strconv.Unquote(lit.Value)
	if err != nil {
		return nil, ""
	}
	return call, name
}

// receiver is the variable whose method is called; "" for anything else.
func receiver(call *ast.CallExpr) string {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		if x, ok := sel.X.(*ast.Ident); ok {
			return x.Name
		}
	}
	return ""
}
