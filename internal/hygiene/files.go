package hygiene

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// machine matches what points at one machine: its working folders, home folders and scratch files. A web address's path and a path inside
// the repository do not match, for they have a letter, a dot or an asterisk before the slash.
var machine = regexp.MustCompile(`(^|[^\w.*])/(work|root|home/\w+|tmp/arena\w*)(/|$|["'\x60\s])`)

// Paths gives one line for each line of text that holds a path of some machine.
func Paths(name string, text []byte) []string {
	var out []string
	for i, line := range strings.Split(string(text), "\n") {
		if machine.MatchString(line) {
			out = append(out, fmt.Sprintf("%s:%d: a path of one machine", name, i+1))
		}
	}
	return out
}

// Modules compares the go.mod files of a repository, folder to contents, with its go.work: each module is named by where it lies, is used
// by the workspace, and (below the root) takes the root from the tree it stands in.
func Modules(root, work string, mods map[string]string) []string {
	var out []string
	uses := map[string]bool{}
	for _, dir := range directives(work, "use") {
		uses[strings.TrimPrefix(dir, "./")] = true
	}
	for _, dir := range sorted(mods) {
		want := root
		if dir != "." {
			want += "/" + dir
		}
		if got := directives(mods[dir], "module"); len(got) != 1 || got[0] != want {
			out = append(out, fmt.Sprintf("%s/go.mod: module %v; want %s", dir, got, want))
		}
		if !uses[dir] {
			out = append(out, fmt.Sprintf("%s: not in go.work", dir))
		}
		delete(uses, dir)
		if dir == "." {
			continue
		}
		up := strings.Repeat("../", strings.Count(dir, "/")+1)
		want = root + " => " + up
		if !strings.Contains(mods[dir], want) && !strings.Contains(mods[dir], strings.TrimSuffix(want, "/")) {
			out = append(out, fmt.Sprintf("%s/go.mod: no replace %s, without which a clean clone does not build alone", dir, want))
		}
	}
	for _, dir := range sorted(uses) {
		out = append(out, fmt.Sprintf("go.work: uses %s, which has no go.mod", dir))
	}
	return out
}

// directives gives the first argument of each directive of that name in a go.mod or go.work, alone or in a block.
func directives(text, name string) []string {
	var out []string
	block := false
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case block && words[0] == ")":
			block = false
		case block:
			out = append(out, words[0])
		case words[0] == name && len(words) > 1 && words[1] == "(":
			block = true
		case words[0] == name && len(words) > 1:
			out = append(out, words[1])
		}
	}
	return out
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
