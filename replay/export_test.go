package replay_test

import (
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/replay"
)

// TestExport looks at the document of an eventful match.
func TestExport(t *testing.T) {
	x, err := open(t, eventful(t, "e").record(true), replay.PlaybackOptions{}).Export()
	if err != nil {
		t.Fatal(err)
	}
	got := marshal(t, x)
	for _, want := range []string{
		`"match":"e"`, `"game":"connect-four"`, `"started":"`, `"label":"X"`, `"step":1,"after_ms":1200,"moves":[{"seat":"0","action":3,"text":"d","used_ms":1200,"note":"the middle`,
		`"faults":[{"seat":"1","fault":"illegal","do":"strike"},{"seat":"1","fault":"stale","do":"reject"}]`, `"result":{"cause":"play","reason":"connect","returns":[1,-1],`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if len(x.Steps) != 7 || x.Steps[6].Step != 7 {
		t.Errorf("%d steps", len(x.Steps))
	}
	void := begin(t, setup(t, connectfour.New(), "v"))
	void.did(void.m.Crash(start+1, "disk"))
	if x, err = open(t, void.record(false), replay.PlaybackOptions{}).Export(); err != nil || !strings.Contains(marshal(t, x), `"steps":[],"result":{"cause":"void","reason":"internal","returns":[],"places":[]`) {
		t.Errorf("%v %s", err, marshal(t, x))
	}
}
