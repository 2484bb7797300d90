package reports

import (
	"go/ast"
	"go/token"
	"slices"
)

// leaves says how a statement of a test may end the test without failing it; "" if it does not. t is the test's own T.
func (p *pkg) leaves(stmt ast.Stmt, t string) string {
	why := ""
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if len(failing(n.Type)) > 0 { // another test's
				return false
			}
			if p.does(n.Body, []string{t}, skips, map[*ast.FuncDecl]bool{}) {
				why = "comes after something that may skip it"
			}
			return false
		case *ast.ReturnStmt:
			why = "comes after a return"
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				why = "comes after a jump"
			}
		case *ast.CallExpr:
			if p.callDoes(n, []string{t}, skips, map[*ast.FuncDecl]bool{}) {
				why = "comes after something that may skip it"
			}
		}
		return true
	})
	return why
}

// idle says why a subtest's body cannot be a test; "" where it is one.
func (p *pkg) idle(s *subtest) string {
	var sig *ast.FuncType
	var body *ast.BlockStmt
	switch fn := s.call.Args[1].(type) {
	case *ast.FuncLit:
		sig, body = fn.Type, fn.Body
	case *ast.Ident:
		if fns := p.funcs[fn.Name]; len(fns) == 1 && fns[0].Recv == nil {
			sig, body = fns[0].Type, fns[0].Body
		}
	}
	switch {
	case body == nil:
		return "has a body that is neither a function literal nor a function of the package"
	case len(body.List) == 0:
		return "is empty"
	case p.does(body, failing(sig), skips, map[*ast.FuncDecl]bool{}):
		return "may skip itself"
	case !p.does(body, failing(sig), fails, map[*ast.FuncDecl]bool{}):
		return "cannot fail"
	}
	return ""
}

// What the methods of a T do to a test.
var (
	fails = []string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}
	skips = []string{"Skip", "Skipf", "SkipNow"}
)

// does reports whether one of the methods is called, on a T by one of these names or on that of a function inside, in body or in a function
// of the package that is handed such a T.
func (p *pkg) does(body *ast.BlockStmt, ts, methods []string, seen map[*ast.FuncDecl]bool) bool {
	ts = slices.Clone(ts)
	ast.Inspect(body, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			ts = append(ts, failing(lit.Type)...)
		}
		return true
	})
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			found = p.callDoes(call, ts, methods, seen)
		}
		return !found
	})
	return found
}

func (p *pkg) callDoes(call *ast.CallExpr, ts, methods []string, seen map[*ast.FuncDecl]bool) bool {
	var name string
	switch fn := call.Fun.(type) {
	case *ast.SelectorExpr:
		if slices.Contains(methods, fn.Sel.Name) && slices.Contains(ts, receiver(call)) {
			return true
		}
		name = fn.Sel.Name
	case *ast.Ident:
		name = fn.Name
	}
	handed := slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
		x, ok := arg.(*ast.Ident)
		return ok && slices.Contains(ts, x.Name)
	})
	if !handed {
		return false
	}
	for _, fn := range p.funcs[name] {
		if !seen[fn] {
			seen[fn] = true
			if p.does(fn.Body, failing(fn.Type), methods, seen) {
				return true
			}
		}
	}
	return false
}
