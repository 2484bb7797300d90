// Package readme keeps the Go code of the Markdown pages true: each ```go block names the code of this repository that it shows, and is
// the same text. That code is compiled and tested; the page cannot drift from it.
//
// A comment on the last line with text before the block says what the block is:
//
//	<!-- example: examples/host Example_host -->   the body of a function, without the output comment of an Example
//	<!-- code: examples/author rules rules.Info -->  whole declarations, in the order given, a blank line between two
//	<!-- loose -->                                 a fragment that is no code of ours
package readme

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strings"

	"github.com/matchreferee/arena/internal/repo"
)

// block is one fenced ```go block.
type block struct {
	line   int    // of the opening fence
	marker string // what stands in the comment above, without its brackets; "" where there is none
	text   string
}

var comment = regexp.MustCompile(`^<!--\s*(.*?)\s*-->$`)

func blocks(page string) []block {
	var out []block
	var in *block
	fenced, last := false, ""
	for i, line := range strings.Split(page, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case fenced && trimmed == "```":
			if in != nil {
				out = append(out, *in)
			}
			fenced, in, last = false, nil, ""
		case fenced:
			if in != nil {
				in.text += line + "\n"
			}
		case strings.HasPrefix(trimmed, "```"):
			fenced = true
			if trimmed == "```go" {
				in = &block{line: i + 1}
				if m := comment.FindStringSubmatch(last); m != nil {
					in.marker = m[1]
				}
			}
		case trimmed != "":
			last = trimmed
		}
	}
	if in != nil {
		out = append(out, *in) // never closed: compared all the same
	}
	return out
}

// Check gives one line for each Go block of a page that names no code, names code that is not there, or is not the same as it.
func Check(name, page string, dirs []*repo.Dir) []string {
	var out []string
	for _, b := range blocks(page) {
		want, err := shown(b.marker, dirs)
		switch {
		case err != nil:
			out = append(out, fmt.Sprintf("%s:%d: %v", name, b.line, err))
		case want != nil && *want != strings.TrimSpace(b.text):
			out = append(out, fmt.Sprintf("%s:%d: differs from %s; that is now:\n%s", name, b.line, b.marker, *want))
		}
	}
	return out
}

// shown gives the code that a marker names; nil where the block is loose.
func shown(marker string, dirs []*repo.Dir) (*string, error) {
	words := strings.Fields(marker)
	if len(words) == 1 && words[0] == "loose" {
		return nil, nil
	}
	if len(words) < 3 || words[0] != "example:" && words[0] != "code:" || words[0] == "example:" && len(words) > 3 {
		return nil, fmt.Errorf("no marker above the block that says whose code it is")
	}
	var parts []string
	for _, name := range words[2:] {
		f, n := find(dirs, path.Clean(words[1]), name)
		if n == nil {
			return nil, fmt.Errorf("%s has no %s", words[1], name)
		}
		d := dir(dirs, path.Clean(words[1]))
		if words[0] == "code:" {
			parts = append(parts, source(d, f, n.Pos(), n.End()))
			continue
		}
		fn, ok := n.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			return nil, fmt.Errorf("%s is no function", name)
		}
		text := source(d, f, fn.Body.Lbrace+1, fn.Body.Rbrace)
		parts = append(parts, undent(output.ReplaceAllString(text, "")))
	}
	text := strings.TrimSpace(strings.Join(parts, "\n\n"))
	return &text, nil
}

// output matches the comment that closes an Example.
var output = regexp.MustCompile(`(?is)\n[ \t]*// *(unordered )?output:.*$`)

func dir(dirs []*repo.Dir, name string) *repo.Dir {
	for _, d := range dirs {
		if d.Name == name {
			return d
		}
	}
	return nil
}

// find gives the top-level declaration of that name in a folder, with the file that it is in. A method is named Type.Method; a declaration
// in parentheses is found by any of its names.
func find(dirs []*repo.Dir, in, name string) (*repo.File, ast.Node) {
	d := dir(dirs, in)
	if d == nil {
		return nil, nil
	}
	for _, f := range d.Files {
		for _, decl := range f.Syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if repo.DeclName(decl) == name {
					return f, decl
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					for _, id := range names(spec) {
						if id.Name == name {
							return f, decl
						}
					}
				}
			}
		}
	}
	return nil, nil
}

func names(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	}
	return nil
}

func source(d *repo.Dir, f *repo.File, from, to token.Pos) string {
	file := d.Fset.File(from)
	return string(f.Source[file.Offset(from):file.Offset(to)])
}

// undent takes one tab from the front of each line.
func undent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.TrimPrefix(line, "\t"))
	}
	return b.String()
}
