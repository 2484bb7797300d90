package transporttest

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// checkLeaks makes t fail if there are goroutines after its cleanup that are not
// there now. It gives them time to end.
func checkLeaks(t *testing.T, patience time.Duration) {
	t.Helper()
	base := goroutines()
	t.Cleanup(func() {
		var left []string
		end := time.Now().Add(patience / 4)
		for pause := time.Millisecond; ; pause *= 2 {
			left = left[:0]
			for id, stack := range goroutines() {
				if _, ok := base[id]; !ok {
					left = append(left, stack)
				}
			}
			if len(left) == 0 {
				return
			}
			if time.Now().After(end) {
				break
			}
			time.Sleep(pause)
		}
		t.Errorf("%d goroutines are left running, the first:\n%s", len(left), left[0])
	})
}

// goroutines gives the stack of each goroutine by its number.
func goroutines() map[string]string {
	b := make([]byte, 1<<16)
	for {
		n := runtime.Stack(b, true)
		if n < len(b) {
			b = b[:n]
			break
		}
		b = make([]byte, 2*len(b))
	}
	m := map[string]string{}
	for stack := range strings.SplitSeq(string(b), "\n\n") {
		id, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		m[id] = stack
	}
	return m
}
