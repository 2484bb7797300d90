package floors

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/internal/repo"
)

// Exception lets one function of one file use one thing that the pure floors otherwise do without.
type Exception struct {
	File string // from the root
	Func string // "Local.Play", "now"; "" for an import
	Name string // "time.Now", or an import path
	Why  string
}

// Exceptions are all there are. An entry that nothing needs is a failure.
var Exceptions = []Exception{
	{"game/gametest/transcript.go", "", "os", "golden transcripts are files under the testdata folder of an author's package, and the kit reads and rewrites them"},
	{"referee/live.go", "Live.begin", "time.Now", "the driver's default clock: the wall is read once, when the match starts to run; Config.Now replaces it"},
	{"referee/live.go", "Live.since", "time.Since", "the driver's default clock: what has passed since then, which never runs back"},
	{"referee/drive.go", "Live.handOver", "time.Now", "how long somebody who brought an answer has been at it; nothing that is recorded depends on it"},
	{"referee/drive.go", "Live.handOver", "time.Since", "how long that is by now"},
	{"referee/drive.go", "Live.wait", "time.NewTimer", "the driver wakes the machine when the machine asked to be woken"},
}

// outside are the modules that pure packages may use besides the standard library; none of them does I/O, reads a clock or keeps a
// random source of the process.
var outside = [...]string{
	"github.com/google/go-cmp/",
	"github.com/gowebpki/jcs",
	"github.com/notnil/chess",
	"golang.org/x/mod/semver",
	"golang.org/x/mod/sumdb/tlog",
	"pgregory.net/rapid",
}

// forbidden are the standard packages that a pure package does not import, with all below them.
var forbidden = [...]struct{ path, why string }{
	{"net", "network"},
	{"os", "files and processes"},
	{"io/ioutil", "files"},
	{"syscall", "files and processes"},
	{"plugin", "files"},
	{"log", "output of the process; slog included"},
	{"crypto/rand", "global random source"},
	{"unsafe", "unsafe"},
}

// clocks are the members of time and context that read a clock or start a timer.
var clocks = map[string][]string{
	"time":    {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick"},
	"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
}

// sources are the members of math/rand and its v2 that make a source of their own or name a type; the others draw from the process's.
var sources = [...]string{"New", "NewSource", "NewZipf", "NewPCG", "NewChaCha8", "Rand", "Source", "Source64", "Zipf", "PCG", "ChaCha8"}

func impure(d *repo.Dir, files []*repo.File, exceptions []Exception, used []bool) []string {
	var out []string
	breach := func(f *repo.File, n ast.Node, fn, name, why string) {
		for i, e := range exceptions {
			if e.File == f.Name && e.Func == fn && e.Name == name {
				used[i] = true
				return
			}
		}
		out = append(out, fmt.Sprintf("%s: %s on a pure floor: %s", d.Pos(n), name, why))
	}
	info := d.Uses(files)
	for _, f := range files {
		for _, spec := range f.Syntax.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				out = append(out, fmt.Sprintf("%s: %v", d.Pos(spec), err))
				continue
			}
			dot := spec.Name != nil && spec.Name.Name == "."
			if why := unimportable(p, dot); why != "" {
				breach(f, spec, "", p, why)
			}
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			if p, member, ok := repo.Imported(info, e); ok {
				if why := uncallable(p, member); why != "" {
					breach(f, n, repo.Func(f.Syntax, n), p+"."+member, why)
				}
			}
			return true
		})
	}
	return out
}

// unimportable says why a pure package may not import p; "" where it may.
func unimportable(p string, dot bool) string {
	for _, x := range forbidden {
		if p == x.path || strings.HasPrefix(p, x.path+"/") {
			return x.why
		}
	}
	if dot && (clocks[p] != nil || isRand(p)) {
		return "a dot import hides what is used of it"
	}
	if first, _, _ := strings.Cut(p, "/"); !strings.Contains(first, ".") {
		return ""
	}
	if p == repo.Module || strings.HasPrefix(p, repo.Module+"/") {
		return "" // the table's business
	}
	for _, x := range outside {
		if p == strings.TrimSuffix(x, "/") || strings.HasPrefix(p, x) {
			return ""
		}
	}
	return "not among the outside packages known to be pure"
}

// uncallable says why a pure package may not use member of package p; "" where it may.
func uncallable(p, member string) string {
	for _, c := range clocks[p] {
		if member == c {
			return "clock or timer"
		}
	}
	if !isRand(p) {
		return ""
	}
	for _, s := range sources {
		if member == s {
			return ""
		}
	}
	return "draws from the process's random source"
}

func isRand(p string) bool { return p == "math/rand" || p == "math/rand/v2" }
