package gametest

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// recorder is a test that is meant to fail: it keeps what it is told.
type recorder struct {
	name    string
	mu      sync.Mutex
	failed  bool
	skipped bool
	log     strings.Builder
	subs    []*recorder
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return r.name }
func (r *recorder) Log(args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintln(&r.log, args...)
}
func (r *recorder) Logf(format string, args ...any)   { r.Log(fmt.Sprintf(format, args...)) }
func (r *recorder) Error(args ...any)                 { r.Log(args...); r.Fail() }
func (r *recorder) Errorf(format string, args ...any) { r.Logf(format, args...); r.Fail() }
func (r *recorder) Fatal(args ...any)                 { r.Log(args...); r.FailNow() }
func (r *recorder) Fatalf(format string, args ...any) { r.Logf(format, args...); r.FailNow() }
func (r *recorder) FailNow()                          { r.Fail(); runtime.Goexit() }
func (r *recorder) Skip(args ...any)                  { r.Log(args...); r.SkipNow() }
func (r *recorder) Skipf(format string, args ...any)  { r.Logf(format, args...); r.SkipNow() }
func (r *recorder) SkipNow()                          { r.skipped = true; runtime.Goexit() }

func (r *recorder) Fail() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = true
}

func (r *recorder) Failed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

func (r *recorder) Run(name string, f func(tb)) {
	sub := &recorder{name: r.name + "/" + name}
	r.subs = append(r.subs, sub)
	sub.do(func() { f(sub) })
}

// do runs f as a test runs: in a goroutine that FailNow and SkipNow end.
func (r *recorder) do(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// result gives the failed subtests by name, and how many ran to their end.
func (r *recorder) result() (failed []*recorder, passed int) {
	for _, sub := range r.subs {
		switch {
		case sub.failed:
			failed = append(failed, sub)
		case !sub.skipped:
			passed++
		}
	}
	return failed, passed
}
