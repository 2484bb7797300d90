package polling_test

import (
	"fmt"
	"testing"
)

// TestMatch plays whole matches in both seats, and looks at all that is shown of them.
func TestMatch(t *testing.T) {
	for seat := range 2 {
		t.Run(fmt.Sprint("seat ", seat), func(t *testing.T) {
			h := newHost(t, nil, nil)
			path, o := h.begun(1, "quick", fmt.Sprintf(`,"name":"My solver","agentSeat":%d`, seat))
			if want := []string{"agent", "ai"}[seat]; o.Status != want || o.Revision != 0 || o.Seat != seat || len(o.History) != 0 || len(o.Notices) == 0 || *o.Turn != 0 {
				t.Fatalf("begins with %+v", o)
			}
			for n := 0; ; n++ {
				o = h.await(path)
				if o.Status != "agent" {
					break
				}
				if o.Revision != 2*n+seat || len(o.History) != o.Revision || len(o.LegalMoves) != 81-o.Revision || *o.Turn != seat {
					t.Fatalf("observed %+v", o)
				}
				after := h.play(path, o, 100+n).observation(t)
				last := after.History[len(after.History)-1]
				if after.Revision != o.Revision+1 || len(after.History) != after.Revision || last.Seat != seat || last.Scoring == nil {
					t.Fatalf("answered %+v", after)
				}
				if want := "ai"; after.Revision < 81 && after.Status != want {
					t.Fatalf("status %s after move %d", after.Status, n)
				}
			}
			if o.Status != "completed" || o.Revision != 81 || o.Turn != nil || o.RemainingMs != 0 || o.Scores[0]+o.Scores[1] == 0 {
				t.Fatalf("ended with %+v", o)
			}
			a := h.as("", "GET", "/replays/"+o.MatchID, "")
			if a.status != 200 {
				t.Fatal(a)
			}
			if errs := h.failed(); errs != nil {
				t.Fatal(errs)
			}
		})
	}
}
