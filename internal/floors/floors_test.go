package floors

import (
	"slices"
	"strings"
	"testing"

	"github.com/matchreferee/arena/internal/repo"
)

func TestRepository(t *testing.T) {
	root, err := repo.Root()
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := repo.Dirs(root)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(dirs, func(d *repo.Dir) bool { return d.Name == "internal/floors" }) {
		t.Fatalf("the walk over %d folders did not find this one", len(dirs))
	}
	for _, e := range Exceptions {
		if len(e.Why) < 20 {
			t.Errorf("exception %s, %s, %s needs a reason", e.File, e.Func, e.Name)
		}
	}
	for _, breach := range Check(dirs, Exceptions) {
		t.Error(breach)
	}
}

func TestCheck(t *testing.T) {
	const ours = `"github.com/matchreferee/arena/`
	now := Exception{File: "referee/clock.go", Func: "wall", Name: "time.Now", Why: "test"}
	tests := []struct {
		name       string
		file, body string
		exceptions []Exception
		want       string // part of the one breach; "" for none
	}{
		{"lower floor", "referee/a.go", `import _ ` + ours + `game"`, nil, ""},
		{"same floor", "referee/a.go", `import _ ` + ours + `games/connectfour"`, nil, "floor 1 may not import floor 1"},
		{"higher floor", "game/a.go", `import _ ` + ours + `referee"`, nil, "floor 0a may not import floor 1"},
		{"the ground", "game/a.go", `import _ ` + ours + `internal/jsontext"`, nil, ""},
		{"nothing below the ground", "internal/jsontext/a.go", `import _ ` + ours + `game"`, nil, "floor ground may not import floor 0a"},
		{"rules may draw", "games/chess/a.go", `import _ ` + ours + `game/draw"`, nil, ""},
		{"rules stand on game", "games/chess/a.go", `import _ ` + ours + `internal/jsontext"`, nil, "of ours it may import these alone: game"},
		{"lettered half below", "game/gametest/a.go", `import _ ` + ours + `game"`, nil, ""},
		{"lettered half above", "game/a.go", `import _ ` + ours + `game/gametest"`, nil, "floor 0a may not import floor 0b"},
		{"interface of its transport", "transport/callback/a.go", `import _ ` + ours + `transport"`, nil, ""},
		{"another transport", "transport/callback/a.go", `import _ ` + ours + `transport/local"`, nil, "floor 4b may not import floor 4b"},
		{"record in a file", "replay/filelog/a.go", `import _ "os"`, nil, ""},
		{"game imports game alone", "games/chess/a.go", `import _ ` + ours + `game/gametest"`, nil, "of ours it may import these alone: game"},
		{"root", "lobby.go", `import _ ` + ours + `referee/lobby"`, nil, ""},
		{"root from below", "referee/lobby/a.go", `import _ "github.com/matchreferee/arena"`, nil, "floor 5 may not import floor 6a"},
		{"an example takes its own", "examples/quickstart/a.go", `import _ ` + ours + `examples/quickstart/pig"`, nil, ""},
		{"an example takes no other", "examples/quickstart/a.go", `import _ ` + ours + `examples/verify"`, nil, "may not import"},
		{"examples take all", "examples/quickstart/a.go", `import _ "github.com/matchreferee/arena"; import _ "net/http"`, nil, ""},
		{"nothing takes examples", "arena.go", `import _ ` + ours + `examples/quickstart"`, nil, "floor 6a may not import floor examples"},
		{"unknown folder", "util/a.go", ``, nil, "util: no floor in the table"},
		{"unknown import", "referee/a.go", `import _ ` + ours + `util"`, nil, "it has no floor"},
		{"internal folder of a package", "referee/internal/wheel/a.go", `import _ "os"`, nil, "os on a pure floor"},
		{"own internal folder", "transport/callback/a.go", `import _ ` + ours + `transport/callback/internal/guard"`, nil, ""},
		{"tests are exempt", "game/a_test.go", `import _ ` + ours + `arenatest"; import _ "os"`, nil, ""},
		{"tests beside code", "game/x_test.go", `import _ "net/http"`, nil, ""},

		{"net", "game/a.go", `import _ "net"`, nil, "network"},
		{"net/http", "protocol/agentarena/a.go", `import _ "net/http"`, nil, "network"},
		{"os/exec", "rating/a.go", `import _ "os/exec"`, nil, "processes"},
		{"crypto/rand", "referee/a.go", `import _ "crypto/rand"`, nil, "random source"},
		{"crypto", "replay/a.go", `import _ "crypto/sha256"`, nil, ""},
		{"known outside package", "protocol/agentarena/a.go", `import _ "github.com/gowebpki/jcs"`, nil, ""},
		{"other outside package", "rating/a.go", `import _ "gonum.org/v1/gonum/stat"`, nil, "not among the outside packages"},
		{"outside package where I/O lives", "transport/websocket/a.go", `import _ "github.com/coder/websocket"`, nil, ""},

		{"time.Now", "referee/clock.go", `import "time"; func wall() int64 { return time.Now().Unix() }`, nil, "time.Now on a pure floor"},
		{"time.Now as a value", "referee/clock.go", `import "time"; var now = time.Now`, nil, "time.Now on a pure floor"},
		{"time.Now renamed", "referee/clock.go", `import x "time"; func wall() int64 { return x.Now().Unix() }`, nil, "time.Now on a pure floor"},
		{"time.Now excepted", "referee/clock.go", `import "time"; func wall() int64 { return time.Now().Unix() }`, []Exception{now}, ""},
		{"time.Now excepted elsewhere", "referee/clock.go", `import "time"; func wall() {}; func other() int64 { return time.Now().Unix() }`, []Exception{now}, "time.Now"},
		{"needless exception", "referee/clock.go", `func wall() {}`, []Exception{now}, "is not needed"},
		{"time.Since", "game/a.go", `import "time"; func f(t time.Time) time.Duration { return time.Since(t) }`, nil, "time.Since"},
		{"timer", "replay/a.go", `import "time"; func f() { time.AfterFunc(1, nil) }`, nil, "time.AfterFunc"},
		{"timer in a context", "replay/a.go", `import "context"; func f(c context.Context) { context.WithTimeout(c, 1) }`, nil, "context.WithTimeout"},
		{"durations", "referee/a.go", `import "time"; const d = 3 * time.Second`, nil, ""},
		{"a local named time", "referee/a.go", `type t struct{}; func (t) Now() {}; func f(time t) { time.Now() }`, nil, ""},
		{"dot import", "referee/a.go", `import . "time"; var x = Now()`, nil, "dot import"},
		{"clock where I/O lives", "transport/callback/a.go", `import "time"; var x = time.Now()`, nil, ""},
		{"global rand", "games/kuhn/a.go", `import "math/rand"; func f() int { return rand.Intn(3) }`, nil, "random source"},
		{"global rand v2", "games/kuhn/a.go", `import "math/rand/v2"; func f() int { return rand.IntN(3) }`, nil, "random source"},
		{"own source", "games/kuhn/a.go", `import "math/rand/v2"; func f(a, b uint64) *rand.Rand { return rand.New(rand.NewPCG(a, b)) }`, nil, ""},
		{"a local named rand", "games/kuhn/a.go", `import "math/rand/v2"; func f(rand *rand.Rand) int { return rand.IntN(3) }`, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dirs, err := repo.Parse(map[string][]byte{tt.file: []byte("package p; " + tt.body)})
			if err != nil {
				t.Fatal(err)
			}
			got := Check(dirs, tt.exceptions)
			if tt.want == "" {
				if len(got) > 0 {
					t.Errorf("breaches: %q", got)
				}
				return
			}
			for _, g := range got {
				if strings.Contains(g, tt.want) {
					return
				}
			}
			t.Errorf("breaches %q; want one with %q", got, tt.want)
		})
	}
}

// A table with a pattern that cannot match would let everything below it go unknown.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Table {
		if seen[r.Pattern] {
			t.Errorf("%s stands twice", r.Pattern)
		}
		seen[r.Pattern] = true
		sample := strings.ReplaceAll(r.Pattern, "*", "sample")
		if got, _, ok := room(sample); !ok || got.Pattern != r.Pattern {
			t.Errorf("%s resolves to %q; an earlier pattern hides it", sample, got.Pattern)
		}
	}
}
