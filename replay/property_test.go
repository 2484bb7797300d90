package replay_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// drawMatch plays a random match of Connect Four in which faults, claims, losses
// of connection, rulings, pauses and resumes happen at random.
func drawMatch(t *testing.T, r *rapid.T) *script {
	x := begin(t, setup(t, connectfour.New(), "drawn"))
	for range rapid.IntRange(0, 60).Draw(r, "steps") {
		if _, over := x.m.Result(); over {
			break
		}
		x.now += referee.Time(rapid.IntRange(0, 12_000).Draw(r, "wait"))
		s := game.Seat(rapid.IntRange(0, 1).Draw(r, "seat"))
		switch what := rapid.IntRange(0, 19).Draw(r, "what"); what {
		case 0:
			x.did(x.m.Gone(x.now, s, "lost"))
		case 1:
			x.did(x.m.Back(x.now, s))
		case 2, 3:
			o, err := x.m.Claim(x.now, s, referee.Claim(rapid.IntRange(1, 4).Draw(r, "claim")))
			if err == nil {
				x.did(o)
			}
		case 4:
			o, err := x.m.Say(x.now, s, 0, rapid.StringN(0, 5, -1).Draw(r, "text"))
			if err == nil {
				x.did(o)
			}
		case 5:
			x.did(x.m.Resumed(x.now))
		case 6:
			x.did(x.m.Tick(x.now))
		case 7:
			if rapid.IntRange(0, 9).Draw(r, "rule") == 0 {
				x.must(x.m.Rule(x.now, referee.Ruling{What: referee.RuleDraw, By: "host", Reason: "enough"}))
			}
		default:
			a := referee.Answer{Action: game.Action([]string{"0", "1", "2", "3", "4", "5", "6", "7"}[rapid.IntRange(0, 7).Draw(r, "column")])}
			a.Note = rapid.StringN(0, 3, -1).Draw(r, "note")
			if rapid.IntRange(0, 9).Draw(r, "bad") == 0 {
				a = referee.Answer{Fault: referee.Malformed, Detail: "json"}
			}
			_, o := x.m.Answer(x.now, s, &a)
			x.did(o)
		}
	}
	return x
}

// TestDrawnMatches: whatever happens in a match, its record verifies, whole or
// cut between lines.
func TestDrawnMatches(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		x := drawMatch(t, r)
		_, over := x.m.Result()
		rep := verify(t, x.record(over))
		want := replay.Unfinished
		if over {
			want = replay.Valid
		}
		if rep.Status != want || (rep.Seal != nil) != over || rep.Events != x.m.Len() {
			r.Fatalf("%v\n%s", rep, x.record(over))
		}
		cut := rapid.IntRange(0, len(x.events)-1).Draw(r, "cut")
		if rep := verify(t, write(t, x.events[:cut], false)); rep.Status != replay.Unfinished || rep.Events != int64(cut) {
			r.Fatalf("cut at %d: %v", cut, rep)
		}
	})
}

// naiveShape checks a record's lines by the definitions alone: the chain, the
// order of start, end and seal, and the seal.
func naiveShape(record string) bool {
	if record != "" && !strings.HasSuffix(record, "\n") {
		return false
	}
	var leaves [][]byte
	state := "start"
	prev := make([]byte, 32)
	for line := range strings.Lines(record) {
		line = strings.TrimSuffix(line, "\n")
		var m map[string]any
		if json.Unmarshal([]byte(line), &m) != nil || state == "done" {
			return false
		}
		text := func(name string) string { s, _ := m[name].(string); return s }
		if text("k") == "seal" {
			if state != "seal" || m["count"] != float64(len(leaves)) || text("head") != b64(prev) || text("root") != b64(root(leaves)) {
				return false
			}
			state = "done"
			continue
		}
		if text("prev") != b64(prev) || (text("k") == "start") != (state == "start") || state == "seal" {
			return false
		}
		state = "events"
		if text("k") == "end" {
			state = "seal"
		}
		h := sha256.Sum256([]byte("\x00" + line))
		prev = h[:]
		leaves = append(leaves, h[:])
	}
	return true
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// root is RFC 6962's MTH, over leaf hashes.
func root(leaves [][]byte) []byte {
	if len(leaves) == 1 {
		return leaves[0]
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	h := sha256.Sum256(slices.Concat([]byte{1}, root(leaves[:k]), root(leaves[k:])))
	return h[:]
}

// TestEditedRecords edits bytes and lines of good records at random: the reader
// agrees with the naive checker where lines stay whole, and nothing but the
// record itself, or the record without its seal, is valid.
func TestEditedRecords(t *testing.T) {
	all := records(t)
	names := []string{"connect-four", "kuhn", "oracle", "eventful", "unsealed"}
	rapid.Check(t, func(r *rapid.T) {
		record := string(all[rapid.SampledFrom(names).Draw(r, "record")])
		edited := strings.SplitAfter(record, "\n")
		edited = edited[:len(edited)-1]
		whole := true // no line was changed inside
		for range rapid.IntRange(1, 3).Draw(r, "edits") {
			i := rapid.IntRange(0, len(edited)-1).Draw(r, "line")
			switch rapid.IntRange(0, 4).Draw(r, "edit") {
			case 0:
				if len(edited) > 1 {
					edited = slices.Delete(edited, i, i+1)
				}
			case 1:
				edited = slices.Insert(edited, i, edited[rapid.IntRange(0, len(edited)-1).Draw(r, "copy")])
			case 2:
				j := rapid.IntRange(0, len(edited)-1).Draw(r, "swap")
				edited[i], edited[j] = edited[j], edited[i]
			case 3:
				whole = false
				from := rapid.IntRange(0, len(edited[i])).Draw(r, "from")
				to := rapid.IntRange(from, len(edited[i])).Draw(r, "to")
				edited[i] = edited[i][:from] + rapid.StringN(0, 4, -1).Draw(r, "put") + edited[i][to:]
			case 4:
				edited = edited[:i+1]
			}
		}
		now := strings.Join(edited, "")
		reader := replay.NewReader(strings.NewReader(now))
		var err error
		for err == nil {
			_, err = reader.Next()
		}
		if good := err == io.EOF; whole && good != naiveShape(now) || good && !naiveShape(now) {
			r.Fatalf("the reader: %v; the naive checker: %v\n%s", err, naiveShape(now), now)
		}
		if rep := verify(t, []byte(now)); rep.Status == replay.Valid && now != record {
			sealAt := strings.LastIndex(record, `{"k":"seal"`)
			if sealAt < 0 || now != record[:sealAt] {
				r.Fatalf("%v\n%s", rep, now)
			}
		}
	})
	if !naiveShape(string(all["eventful"])) || naiveShape(string(bytes.ToUpper(all["eventful"]))) {
		t.Fatal("the naive checker is wrong")
	}
}
