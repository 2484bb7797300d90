package websocket

import (
	"testing"
	"time"
)

// TestThin: of too many positions that wait, every second is left out, in order and none earlier than it was due, but not the last two: the
// result and the end.
func TestThin(t *testing.T) {
	began := time.Now()
	for _, n := range []int{2, 3, 100, 101} {
		var wait []delayed
		for i := range n {
			wait = append(wait, delayed{frame: []byte{byte(i)}, at: began.Add(time.Duration(i) * time.Second)})
		}
		wait[n-1].frame = nil
		kept, size := thin(wait)
		if len(kept) > n/2+2 || size != len(kept)-1 {
			t.Fatalf("%d of %d, %d bytes", len(kept), n, size)
		}
		for i, d := range kept {
			if i > 0 && !d.at.After(kept[i-1].at) || d.frame != nil && !d.at.Equal(began.Add(time.Duration(d.frame[0])*time.Second)) {
				t.Errorf("%d: %v", i, d)
			}
		}
		if last := kept[len(kept)-2]; kept[len(kept)-1].frame != nil || int(last.frame[0]) != n-2 {
			t.Errorf("%d: the result or the end is gone", n)
		}
	}
}
