package need

import (
	"runtime"
	"strings"
	"testing"
)

// fake takes down how a test ends.
type fake struct {
	testing.TB
	fatal, skipped bool
	why            []any
}

func (f *fake) Helper() {}

func (f *fake) Fatal(why ...any) { f.fatal, f.why = true, why; runtime.Goexit() }

func (f *fake) Skip(why ...any) { f.skipped, f.why = true, why; runtime.Goexit() }

func during(t *testing.T, ci string, test func(*fake)) *fake {
	t.Setenv("CI", ci)
	f, done := new(fake), make(chan struct{})
	go func() {
		defer close(done)
		test(f)
	}()
	<-done
	return f
}

func TestProgram(t *testing.T) {
	if f := during(t, "true", func(f *fake) {
		if path := Program(f, "no-such-program", "go"); !strings.Contains(path, "go") {
			t.Errorf("%q", path)
		}
	}); f.fatal || f.skipped {
		t.Errorf("%+v", f)
	}
	for ci, fatal := range map[string]bool{"true": true, "": false, "1": false} {
		f := during(t, ci, func(f *fake) {
			Program(f, "no-such-program", "nor-this")
			t.Error("it goes on")
		})
		if f.fatal != fatal || f.skipped == fatal || len(f.why) != 2 {
			t.Errorf("CI=%q: %+v", ci, f)
		}
	}
}
