package transporttest

import (
	"testing"
	"testing/synctest"
)

// check is one promise.
type check struct {
	name     string
	optional bool // there are transports that it does not apply to
	cuts     bool // it needs Harness.Cut
	f        func(*trial)
}

// checks are in the order in which they run: the first to fail is the one to mend.
var checks = []check{
	{name: "answers", f: answers},
	{name: "late", f: late},
	{name: "duplicate", f: duplicate, optional: true},
	{name: "illegal", f: illegal, optional: true},
	{name: "malformed", f: malformed, optional: true},
	{name: "oversized", f: oversized, optional: true},
	{name: "rejected", f: rejected, optional: true},
	{name: "cancel", f: cancel, optional: true},
	{name: "deaf", f: deaf},
	{name: "concurrent", f: concurrent},
	{name: "table", f: table},
	{name: "itself", f: itself, optional: true},
	{name: "stop", f: stop},
	{name: "resume", f: resume},
	{name: "reconnect", f: reconnect, optional: true, cuts: true},
	{name: "unknown", f: unknown, optional: true},
	{name: "close", f: closing},
}

// Run checks a transport, each check in a subtest and over a Harness that setup
// makes for it. See the package's comment for what is checked.
func Run(t *testing.T, setup func(t *testing.T) Harness, o Options) {
	t.Helper()
	if err := o.validate(); err != nil {
		t.Fatalf("transporttest: %v", err)
	}
	o.fill()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			if why, ok := o.Skip[c.name]; ok {
				t.Skipf("does not apply: %s", why)
			}
			if !o.Virtual {
				c.run(t, setup, &o)
				return
			}
			defer func() {
				if p := recover(); p != nil { // what stays blocked in a bubble is a panic of synctest's
					t.Errorf("%v", p)
				}
			}()
			synctest.Test(t, func(t *testing.T) { c.run(t, setup, &o) })
		})
	}
}

// run makes the check. What is cleaned up last was put down first.
func (c *check) run(t *testing.T, setup func(t *testing.T) Harness, o *Options) {
	checkLeaks(t, o.Patience)
	h := setup(t)
	if h.Transport == nil || h.Agent == nil {
		t.Fatal("transporttest: a Harness needs Transport and Agent")
	}
	if c.cuts && h.Cut == nil {
		t.Fatalf("transporttest: %s needs Harness.Cut, or else a reason in Options.Skip", c.name)
	}
	x := newTrial(t, h, o)
	c.f(x)
}
