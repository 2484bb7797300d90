package hygiene

import (
	"os"
	"path"
	"path/filepath"
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
	report := func(t *testing.T, lines []string) {
		for _, line := range lines {
			t.Error(line)
		}
	}
	t.Run("code", func(t *testing.T) { report(t, Code(dirs, Stateful)) })
	t.Run("sleeps", func(t *testing.T) { report(t, Sleeps(dirs, Asleep)) })
	t.Run("fuzz seeds", func(t *testing.T) {
		report(t, Fuzzed(dirs, func(dir string) bool {
			entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(dir)))
			return err == nil && len(entries) > 0
		}))
	})
	t.Run("files", func(t *testing.T) {
		mods := map[string]string{}
		read := 0
		err := repo.Walk(root, func(name string) error {
			data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			if path.Base(name) == "go.mod" && !strings.Contains(name, "testdata/") {
				mods[path.Dir(name)] = string(data)
			}
			if repo.Text(data) {
				report(t, Paths(name, data))
				read++
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		work, err := os.ReadFile(filepath.Join(root, "go.work"))
		if err != nil {
			t.Fatal(err)
		}
		report(t, Modules(repo.Module, string(work), mods))
		if read < 10 || mods["."] == "" {
			t.Errorf("read %d files and %d go.mod; the walk is broken", read, len(mods))
		}
	})
}

func TestCode(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"init", `func init() {}`, "an init function"},
		{"init method", `type t int; func (t) init() {}`, ""},
		{"table", `var m = map[string]int{"a": 1}; func f() int { return m["a"] }`, ""},
		{"registry map", `var m = map[string]int{}; func Register(s string) { m[s] = 1 }`, "m is changed"},
		{"registry slice", `var l []int; func Register(i int) { l = append(l, i) }`, "l is changed"},
		{"unregister", `var m = map[string]int{}; func f() { delete(m, "a") }`, "m is changed"},
		{"counter", `var n int; func f() { n++ }`, "n is changed"},
		{"field", `var c struct{ n int }; func f() { c.n = 1 }`, "c is changed"},
		{"through a pointer", `var p *int; func f() { *p = 1 }`, "p is changed"},
		{"shadowed", `var n int; func f() { n := 0; n = 1; _ = n }`, ""},
		{"field of the same name", `var n int; type t struct{ n int }; func (x *t) f() { x.n = 1 }`, ""},
		{"sync.Map", `import "sync"; var m sync.Map`, "m is of a type"},
		{"atomic", `import "sync/atomic"; var n atomic.Int64`, "n is of a type"},
		{"random source", `import "math/rand/v2"; var r = rand.New(rand.NewPCG(1, 2))`, "r is of a type"},
		{"pool", `import "sync"; var p = sync.Pool{New: func() any { return nil }}`, ""},
		{"sentinel", `import "errors"; var ErrX = errors.New("x")`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect(t, Code(parse(t, "a/a.go", tt.body), nil), tt.want)
			expect(t, Code(parse(t, "a/a_test.go", tt.body), nil), "")
		})
	}
	t.Run("exceptions", func(t *testing.T) {
		body := `var n int; func f() { n++ }`
		expect(t, Code(parse(t, "a/a.go", body), []Exception{{File: "a/a.go", Func: "n"}}), "")
		expect(t, Code(parse(t, "a/a.go", ``), []Exception{{File: "a/a.go", Func: "n"}}), "not needed")
	})
}

func TestSleeps(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"sleep", `import "time"; func TestX() { time.Sleep(1) }`, "time.Sleep"},
		{"as a value", `import "time"; var nap = time.Sleep`, "time.Sleep"},
		{"in a bubble", `import ("testing/synctest"; "time"); func TestX() { synctest.Test(nil, func() { time.Sleep(1) }) }`, ""},
		{"after a bubble", `import ("testing/synctest"; "time"); func TestX() { synctest.Test(nil, nil); time.Sleep(1) }`, "time.Sleep"},
		{"in a helper of bubbles", `import ("testing/synctest"; "time"); func nap() { time.Sleep(1) }; func TestX() { synctest.Test(nil, func() { nap() }) }`, ""},
		{"in a helper that is called outside too", `import ("testing/synctest"; "time"); func nap() { time.Sleep(1) }; func TestX() { nap(); synctest.Test(nil, func() { nap() }) }`, "time.Sleep"},
		{"in a helper of a helper", `import ("testing/synctest"; "time"); func nap() { time.Sleep(1) }; func rest() { nap() }; func TestX() { synctest.Test(nil, func() { rest() }) }`, ""},
		{"in a helper that nobody calls", `import "time"; func nap() { time.Sleep(1) }`, "time.Sleep"},
		{"behind an opener", `import ("testing/synctest"; "time"); func virtual(f func()) { synctest.Test(nil, func() { f() }) }; func TestX() { virtual(func() { time.Sleep(1) }) }`, ""},
		{"behind what only looks like one", `import "time"; func virtual(f func()) { f() }; func TestX() { virtual(func() { time.Sleep(1) }) }`, "time.Sleep"},
		{"in a local function", `import ("testing/synctest"; "time"); func TestX() { nap := func() { time.Sleep(1) }; synctest.Test(nil, func() { nap() }) }`, ""},
		{"in a local function called outside", `import ("testing/synctest"; "time"); func TestX() { nap := func() { time.Sleep(1) }; nap(); synctest.Test(nil, func() { nap() }) }`, "time.Sleep"},
		{"in a table", `import ("testing/synctest"; "time"); func TestX() { for _, f := range []func(){func() { time.Sleep(1) }} { synctest.Test(nil, func() { f() }) } }`, ""},
		{"in a table without a bubble", `import "time"; func TestX() { for _, f := range []func(){func() { time.Sleep(1) }} { f() } }`, "time.Sleep"},
		{"other sleeps", `type t int; func (t) Sleep() {}; func TestX() { var time t; time.Sleep() }`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, Sleeps(parse(t, "a/a_test.go", tt.body), nil), tt.want) })
	}
	t.Run("in a package of tests beside another", func(t *testing.T) {
		dirs, err := repo.Parse(map[string][]byte{
			"a/a.go": []byte("package a"), "a/a_test.go": []byte("package a"),
			"a/b_test.go": []byte(`package a_test; import "time"; func TestX() { time.Sleep(1) }`),
		})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, Sleeps(dirs, nil), "time.Sleep")
	})
	t.Run("exceptions", func(t *testing.T) {
		dirs := parse(t, "a/a_test.go", `import "time"; func TestX() { time.Sleep(1) }`)
		expect(t, Sleeps(dirs, []Exception{{File: "a/a_test.go", Func: "TestX"}}), "")
		expect(t, Sleeps(dirs, []Exception{{File: "a/a_test.go", Func: "TestX"}, {File: "b", Func: "TestY"}}), "not needed")
	})
}

func TestFuzzed(t *testing.T) {
	tests := []struct {
		name, body string
		corpus     bool
		want       string
	}{
		{"none", `func FuzzX(f *testing.F) { f.Fuzz(nil) }`, false, "FuzzX has no seeds"},
		{"added", `func FuzzX(f *testing.F) { f.Add(1); f.Fuzz(nil) }`, false, ""},
		{"by a helper", `func FuzzX(f *testing.F) { seeds(f); f.Fuzz(nil) }`, false, ""},
		{"something else added", `func FuzzX(f *testing.F) { g.Add(1); f.Fuzz(nil) }`, false, "FuzzX has no seeds"},
		{"in files", `func FuzzX(f *testing.F) { f.Fuzz(nil) }`, true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			has := func(dir string) bool { return tt.corpus && dir == "a/testdata/fuzz/FuzzX" }
			expect(t, Fuzzed(parse(t, "a/a_test.go", tt.body), has), tt.want)
		})
	}
}

func TestPaths(t *testing.T) {
	slash := "/" // joined here, so that this file passes its own check
	tests := []struct {
		text string
		want string
	}{
		{"open " + slash + "work/main/x", "x:1"},
		{"first\n\"" + slash + "root/.cache\"", "x:2"},
		{slash + "home/someone/x", "x:1"},
		{"cd " + slash + "tmp/arena1/x", "x:1"},
		{"https://example.com/work/item", ""},
		{"./work/x, ../root/y, net/work/z", ""},
		{"go test work", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) { expect(t, Paths("x", []byte(tt.text)), tt.want) })
	}
}

func TestModules(t *testing.T) {
	const top, nested = "module m.org/a\n", "module m.org/a/x/y\nrequire m.org/a v0.0.0\nreplace m.org/a => ../../\n"
	tests := []struct {
		name, work string
		mods       map[string]string
		want       string
	}{
		{"good", "go 1.26\nuse (\n\t.\n\t./x/y // nested\n)\n", map[string]string{".": top, "x/y": nested}, ""},
		{"alone", "use .\n", map[string]string{".": top}, ""},
		{"left out", "use .\n", map[string]string{".": top, "x/y": nested}, "x/y: not in go.work"},
		{"gone", "use .\nuse ./x/y\n", map[string]string{".": top}, "uses x/y"},
		{"misnamed", "use (\n.\n./x/y\n)\n", map[string]string{".": top, "x/y": strings.Replace(nested, "a/x/y", "b", 1)}, "want m.org/a/x/y"},
		{"published root", "use (\n.\n./x/y\n)\n", map[string]string{".": top, "x/y": "module m.org/a/x/y\n"}, "no replace"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { expect(t, Modules("m.org/a", tt.work, tt.mods), tt.want) })
	}
}

func parse(t *testing.T, name, body string) []*repo.Dir {
	t.Helper()
	dirs, err := repo.Parse(map[string][]byte{name: []byte("package p; " + body)})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// expect wants no lines where want is empty, else exactly one that holds it.
func expect(t *testing.T, got []string, want string) {
	t.Helper()
	switch {
	case want == "" && len(got) > 0:
		t.Errorf("unexpected: %q", got)
	case want != "" && (len(got) != 1 || !strings.Contains(got[0], want)):
		t.Errorf("got %q; want one line with %q", got, want)
	}
}
