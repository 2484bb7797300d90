// Package floors checks who may import whom in this repository, and that the pure floors stay pure: rules, referee, formats and numbers do
// no I/O, read no clock and draw from no global random source. The table is the one of docs/design/floors.md.
package floors

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/matchreferee/arena/internal/repo"
)

// Room is what the table says about one package, or about each that a pattern names.
type Room struct {
	Pattern string // as path.Match takes it, from the root; "." is the root package
	Floor   int    // a package imports only floors of a lower number; the halves of a floor have numbers of their own
	Label   string // the floor's name in docs/design/floors.md
	Pure    bool   // no I/O, clock, timers or global randomness, and no packages outside the standard library but those listed
	Only    string // where set: the packages of ours that it may import, a blank between two
}

// Table holds every place where a package of this repository may be. The first pattern that fits counts.
var Table = [...]Room{
	{Pattern: "internal/jsontext", Floor: -10, Label: "ground", Pure: true},
	{Pattern: "game", Floor: 0, Label: "0a", Pure: true},
	{Pattern: "game/draw", Floor: 4, Label: "0b", Pure: true},
	{Pattern: "game/gametest", Floor: 5, Label: "0b", Pure: true},
	{Pattern: "referee", Floor: 10, Label: "1", Pure: true},
	{Pattern: "games/*", Floor: 10, Label: "1", Pure: true, Only: "game game/draw"},
	{Pattern: "games/chess/pgn", Floor: 15, Label: "1", Pure: true},
	{Pattern: "games/chess/eco", Floor: 15, Label: "1", Pure: true},
	{Pattern: "games/chess/uci", Floor: 20, Label: "2"},
	{Pattern: "games/*/house", Floor: 20, Label: "2", Pure: true},
	{Pattern: "replay", Floor: 20, Label: "2", Pure: true},
	{Pattern: "rating", Floor: 20, Label: "2", Pure: true},
	{Pattern: "internal/fit", Floor: 25, Label: "2", Pure: true},
	{Pattern: "protocol/*", Floor: 30, Label: "3", Pure: true},
	{Pattern: "transport", Floor: 40, Label: "4a"},
	{Pattern: "transport/transporttest", Floor: 41, Label: "4a"},
	{Pattern: "transport/keys", Floor: 43, Label: "4a"},
	{Pattern: "transport/lease", Floor: 43, Label: "4a"},
	{Pattern: "transport/*", Floor: 45, Label: "4b"},
	{Pattern: "internal/proc", Floor: 12, Label: "2"},
	{Pattern: "internal/web", Floor: 42, Label: "4a"},
	{Pattern: "internal/flock", Floor: 42, Label: "4a"},
	{Pattern: "replay/export", Floor: 25, Label: "2", Pure: true},
	{Pattern: "replay/filelog", Floor: 45, Label: "4b"},
	{Pattern: "replay/translog", Floor: 45, Label: "4b"},
	{Pattern: "replay/viewer", Floor: 45, Label: "4b"},
	{Pattern: "referee/lobby", Floor: 50, Label: "5"},
	{Pattern: "referee/tournament", Floor: 50, Label: "5"},
	{Pattern: ".", Floor: 60, Label: "6a"},
	{Pattern: "arenatest", Floor: 65, Label: "6b"},
	{Pattern: "examples/*", Floor: 70, Label: "examples"},
	{Pattern: "examples/*/*", Floor: 70, Label: "examples"},
	{Pattern: "internal/need", Floor: 80, Label: "checks"},
	{Pattern: "internal/repo", Floor: 80, Label: "checks"},
	{Pattern: "internal/floors", Floor: 85, Label: "checks"},
	{Pattern: "internal/hygiene", Floor: 85, Label: "checks"},
	{Pattern: "internal/readme", Floor: 85, Label: "checks"},
	{Pattern: "internal/reports", Floor: 85, Label: "checks"},
}

// room finds a folder's room. A folder below some package's internal folder is part of that package, which owner names.
func room(dir string) (r Room, owner string, ok bool) {
	owner = dir
	if before, _, inside := strings.Cut(dir, "/internal"); inside {
		owner = before
	}
	for _, r := range Table {
		if fits, err := path.Match(r.Pattern, owner); err == nil && fits {
			return r, owner, true
		}
	}
	return Room{}, owner, false
}

// Check gives one line for each breach in dirs, and one for each exception that nothing needs any more.
func Check(dirs []*repo.Dir, exceptions []Exception) []string {
	var out []string
	used := make([]bool, len(exceptions))
	for _, d := range dirs {
		files := d.Production()
		if len(files) == 0 {
			continue
		}
		r, owner, ok := room(d.Name)
		if !ok {
			out = append(out, fmt.Sprintf("%s: no floor in the table of internal/floors; give it one or move it", d.Name))
			continue
		}
		for _, f := range files {
			for _, spec := range f.Syntax.Imports {
				imported := strings.Trim(spec.Path.Value, `"`)
				if why := importable(r, owner, imported); why != "" {
					out = append(out, fmt.Sprintf("%s: %s imports %s: %s", d.Pos(spec), d.Name, imported, why))
				}
			}
		}
		if r.Pure {
			out = append(out, impure(d, files, exceptions, used)...)
		}
	}
	for i, e := range exceptions {
		if !used[i] {
			out = append(out, fmt.Sprintf("exception %s, %s, %s is not needed; take it out", e.File, e.Func, e.Name))
		}
	}
	return out
}

// importable says why a package in room r may not import another of ours; "" where it may, or where the other is not ours.
func importable(r Room, owner, imported string) string {
	dir, ours := strings.CutPrefix(imported, repo.Module)
	if !ours || dir != "" && dir[0] != '/' {
		return ""
	}
	dir = strings.TrimPrefix(dir, "/")
	if dir == "" {
		dir = "."
	}
	other, otherOwner, ok := room(dir)
	switch {
	case !ok:
		return "it has no floor"
	case owner == otherOwner:
		return ""
	case r.Label == "examples" && strings.HasPrefix(dir, owner+"/"):
		return "" // a package of the example's own
	case other.Floor >= r.Floor:
		return fmt.Sprintf("floor %s may not import floor %s", r.Label, other.Label)
	case r.Only != "" && !slices.Contains(strings.Fields(r.Only), dir):
		return fmt.Sprintf("of ours it may import these alone: %s", r.Only)
	}
	return ""
}
