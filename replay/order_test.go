package replay_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// chained writes lines of these kinds, well chained and each seal a true one,
// in an order that no Writer would allow.
func chained(t *testing.T, kinds string) string {
	t.Helper()
	var b strings.Builder
	var leaves [][32]byte
	var prev [32]byte
	for kind := range strings.FieldsSeq(kinds) {
		var line []byte
		switch kind {
		case "seal":
			line = replay.AppendSeal(nil, &replay.Seal{Count: int64(len(leaves)), Head: prev, Root: [32]byte(root(slicesOf(leaves)))})
		case "start":
			e := referee.Event{Kind: referee.KindStart, Time: start, X: &referee.Extra{Start: &referee.Start{ID: "m", Game: "pig", Version: "1", Seats: make([]referee.SeatInfo, 1)}}}
			line = referee.AppendLine(nil, &e, start, &prev)
		case "move":
			line = referee.AppendLine(nil, &referee.Event{Kind: referee.KindMove, Time: start, Action: "1"}, start, &prev)
		case "end":
			e := referee.Event{Kind: referee.KindEnd, Time: start, X: &referee.Extra{End: &referee.End{Reason: "over"}}}
			line = referee.AppendLine(nil, &e, start, &prev)
		default:
			t.Fatal(kind)
		}
		if kind != "seal" {
			prev = referee.LeafHash(line)
			leaves = append(leaves, prev)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.String()
}

func slicesOf(leaves [][32]byte) [][]byte {
	var out [][]byte
	for i := range leaves {
		out = append(out, leaves[i][:])
	}
	return out
}

// TestOrder: start, events, end, seal, and nothing else, whatever the hashes say.
func TestOrder(t *testing.T) {
	for _, c := range []struct {
		kinds string
		line  int64 // the wrong one; 0: none
		want  string
	}{
		{"start", 0, ""},
		{"start move", 0, ""},
		{"start end", 0, ""},
		{"start move move end seal", 0, ""},
		{"move", 1, "start event"},
		{"end", 1, "start event"},
		{"start move start", 3, "start event"},
		{"start seal", 2, "seal follows the end"},
		{"start move seal", 3, "seal follows the end"},
		{"start end move", 3, "but a seal"},
		{"start end end", 3, "but a seal"},
		{"start end start", 3, "but a seal"},
		{"start move end seal seal", 5, "follows the seal"},
		{"start move end seal move", 5, "follows the seal"},
		{"start end seal start", 4, "follows the seal"},
	} {
		r := replay.NewReader(strings.NewReader(chained(t, c.kinds)))
		var err error
		for err == nil {
			_, err = r.Next()
		}
		if c.line == 0 {
			if err != io.EOF {
				t.Errorf("%s: %v", c.kinds, err)
			}
			continue
		}
		var fault *replay.LineError
		if !errors.As(err, &fault) || fault.Line != c.line || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.kinds, err)
		}
	}
}
