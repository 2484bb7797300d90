package polling

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestLimits(t *testing.T) {
	bad := Limits{
		Starts: -1, Active: -1, ActiveTotal: -1, StartsTotal: -1, HeavyTotal: -1, Pace: time.Hour,
		Account: Rate{PerSecond: -1, Burst: 1}, Source: Rate{PerSecond: 1}, Tracked: -1, Proxies: []netip.Prefix{{}}, Retention: -1,
	}
	var fields []string
	for line := range strings.Lines(bad.validate().Error()) {
		field, _, _ := strings.Cut(strings.TrimPrefix(line, "polling: Limits."), ":")
		fields = append(fields, field)
	}
	want := []string{
		"Starts", "Active", "ActiveTotal", "StartsTotal", "HeavyTotal", "Pace",
		"Account.PerSecond", "Source.Burst", "Tracked", "Proxies[0]", "Retention",
	}
	if !slices.Equal(fields, want) {
		t.Errorf("%q", fields)
	}
	var l Limits
	l.fill()
	if err := l.validate(); err != nil {
		t.Error(err)
	}
	got := fmt.Sprint(l.Starts, l.Active, l.ActiveTotal, l.StartsTotal, l.HeavyTotal, l.Pace, l.Retention, l.Paused, l.Heavy, l.Gate == nil)
	if got != "2 1 4 12 2 2s 720h0m0s false false true" {
		t.Error(got)
	}
}

// TestThrottle: so many at once, then so many a second; what is refused costs nothing, and the wait that is told is true.
func TestThrottle(t *testing.T) {
	x := newThrottle(Rate{PerSecond: 4, Burst: 3}, 10)
	now := noon
	take := func(who string, want time.Duration) {
		t.Helper()
		if got := x.take(now, who); got != want {
			t.Errorf("%v: %v, not %v", now.Sub(noon), got, want)
		}
	}
	for range 3 {
		take("ann", 0)
	}
	for range 100 {
		take("ann", 250*time.Millisecond)
	}
	take("bob", 0)
	now = now.Add(100 * time.Millisecond)
	take("ann", 150*time.Millisecond)
	now = now.Add(150 * time.Millisecond)
	take("ann", 0)
	take("ann", 250*time.Millisecond)
	now = now.Add(time.Hour)
	for range 3 {
		take("ann", 0)
	}
	take("ann", 250*time.Millisecond)
	now = now.Add(-time.Minute) // a clock that is set back keeps nobody waiting for that long
	if wait := x.take(now, "ann"); wait > time.Second {
		t.Error(wait)
	}
}

// TestThrottleBounded: of many names the ones that were silent longest are forgotten, and no others.
func TestThrottleBounded(t *testing.T) {
	x := newThrottle(Rate{PerSecond: 0.001, Burst: 1}, 3)
	for i := range 1000 {
		x.take(noon, fmt.Sprint("other ", i))
		if wait := x.take(noon, "ann"); (wait == 0) != (i == 0) {
			t.Fatalf("after %d others: %v", i, wait)
		}
	}
	if len(x.buckets) != 3 || x.order.Len() != 3 {
		t.Error(len(x.buckets), x.order.Len())
	}
	if wait := x.take(noon, "other 998"); wait == 0 {
		t.Error("one of the last three was forgotten")
	}
}

func TestPaceOfLooks(t *testing.T) {
	var p pace
	for i, step := range []struct {
		at       time.Duration
		revision int32
		wait     time.Duration
	}{
		{0, 0, 0},
		{time.Millisecond, 0, 1999 * time.Millisecond},
		{1500 * time.Millisecond, 0, 500 * time.Millisecond}, // the look before did not count
		{2 * time.Second, 0, 0},
		{2100 * time.Millisecond, 2, 0}, // the agent has moved meanwhile
		{2200 * time.Millisecond, 2, 1900 * time.Millisecond},
		{time.Second, 2, 0}, // the clock was set back
		{1100 * time.Millisecond, 2, 1900 * time.Millisecond},
	} {
		if wait := p.look(noon.Add(step.at), 2*time.Second, step.revision); wait != step.wait {
			t.Errorf("step %d: %v, not %v", i, wait, step.wait)
		}
	}
}
