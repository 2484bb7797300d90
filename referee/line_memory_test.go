package referee_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/matchreferee/arena/referee"
)

// hostileLines are of the greatest length, made of what might take more memory than it has bytes.
func hostileLines() map[string]string {
	const prev = `,"prev":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`
	fill := func(head, item, tail string) string {
		n := (referee.MaxLine - len(head) - len(tail) - len(prev)) / (len(item) + 1)
		return head + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + tail + prev
	}
	keys := func(head, tail string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := 0; b.Len() < 800_000; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%x":0`, i)
		}
		return b.String() + tail + prev
	}
	start := `{"k":"start","v":1,"at":1,"id":"m","game":"g","version":"1",`
	lists := map[string]string{
		"seats":    fill(start+`"seats":[`, `{}`, `]`),
		"64 seats": fill(start, `"seats":[`+strings.TrimSuffix(strings.Repeat(`{},`, 64), ",")+`]`, ``),
		"names":    fill(start+`"names":[`, `""`, `]`),
		"labels":   fill(start+`"seats":[{"agent":{"labels":{`, `"a":""`, `}}}]`),
		"nested":   start + `"ruleset":` + strings.Repeat("[", 500_000) + strings.Repeat("]", 500_000) + prev,
		"action":   fill(`{"k":"move","s":0,"a":[`, `0`, `]`),
		"objects":  fill(`{"k":"move","s":0,"a":[`, `{}`, `]`),
		"meta":     fill(`{"k":"fault","s":0,"fault":"late","do":"strike","meta":[`, `0`, `]`),
		"got":      keys(`{"k":"fault","s":0,"fault":"late","do":"strike","got":{`, `}`),
		"labelled": strings.ReplaceAll(keys(start+`"seats":[{"agent":{"labels":{`, `}}}]`), ":0", `:""`),
		"faults":   keys(`{"k":"end","cause":"void","faults":[{`, `}]`),
		"members":  keys(`{"k":"end","cause":"void",`, ``),
		"keys":     keys(`{"k":"move","s":0,"a":{`, `}`),
		"detail":   `{"k":"gone","s":0,"detail":"` + strings.Repeat(`\u0001`, 174_000) + `"` + prev,
	}
	for _, name := range []string{"win", "ret", "to", "scores", "places", "strikes"} {
		lists[name] = fill(`{"k":"end","cause":"void","`+name+`":[`, `0`, `]`)
	}
	lists["faults of nobody"] = fill(`{"k":"end","cause":"void","faults":[`, `{}`, `]`)
	return lists
}

// TestLineMemory: all that is allocated for a line, whatever is freed meanwhile, is a small multiple of its length; canonical JSON takes the most.
func TestLineMemory(t *testing.T) {
	for name, line := range hostileLines() {
		if n := len(line); n > referee.MaxLine || n < referee.MaxLine/2 {
			t.Fatalf("%s: %d bytes", name, n)
		}
		b := []byte(line)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := referee.ParseLine(b, 0)
		runtime.ReadMemStats(&after)
		times := float64(after.TotalAlloc-before.TotalAlloc) / float64(len(b))
		t.Logf("%s: %.1f times %d bytes, %.60v", name, times, len(b), err)
		if times > 64 {
			t.Errorf("%s: %.1f times its length (%v)", name, times, err)
		}
	}
}
