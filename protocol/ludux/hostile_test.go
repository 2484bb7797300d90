package ludux

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestNumbersAnywhere: a number beyond a float64 spoils a message wherever it stands, and the ids are told all the same.
func TestNumbersAnywhere(t *testing.T) {
	r := first(t, connectFour(t))
	for rest, good := range map[string]bool{
		`"x":1e308`: true, `"x":1e309`: false, `"x":[{"y":-1E400}]`: false, `"x":{"y":1e400}`: false, `"x":"1e400"`: true, `"x":["1e400"]`: true, `"x":1e-400`: true,
		`"x":` + strings.Repeat("9", 308): true, `"x":` + strings.Repeat("9", 309): false, `"x":[` + strings.Repeat("9", 309) + `]`: false, `"commentary":1e400`: false,
	} {
		a := DecodeReply([]byte(respond(r, `"action":3,`+rest)), r)
		if a.To.N != r.Ask || good != (show(a) == `1 3 ""`) || !good && (a.Fault != referee.Malformed || !strings.HasSuffix(a.Detail, "number beyond a float64")) {
			t.Errorf("%.40s: %+v", rest, a)
		}
	}
	_, err := DecodeFromAgent([]byte(respond(r, `"action":3,"x":1e400`)))
	if bad, ok := err.(*FrameError); !ok || bad.MatchID != r.Match() || bad.Seq != 1 {
		t.Errorf("%#v", err)
	}
}

// TestGuessedSeq: what was sent before a request opened never answers it, even if that request is open by the time it is handed in; in the
// village it would have passed the host's filter by.
func TestGuessedSeq(t *testing.T) {
	m := village(t)
	r := first(t, m)
	guess := &ActionResponse{MatchID: r.Match(), Seq: int64(r.Ask) + 1, Action: `{"type":"say","text":"early"}`}
	none := &ActionResponse{MatchID: "m-other", Seq: int64(r.Ask) + 1, Action: guess.Action}
	posted := DecodeReply(guess.Append(nil), r)
	answers := []referee.Answer{guess.Answer(r), guess.Answer(nil), none.Answer(nil), none.Answer(r), posted, (&FrameError{MatchID: r.Match(), Seq: guess.Seq, Err: ErrMessage}).Answer(r)}
	for {
		now, ok := m.Open(r.Seat)
		if ok && now.Ask == r.Ask+1 {
			break
		}
		next := first(t, m)
		a, _ := next.Default()
		play(t, m, began, next, a)
	}
	for i := range answers {
		if v, _ := m.Answer(began+10, r.Seat, &answers[i]); v.Code != referee.WasStale {
			t.Errorf("%d: %+v", i, v)
		}
	}
	now, ok := m.Open(r.Seat)
	if !ok {
		t.Fatal("the request was answered")
	}
	if a := (&ActionResponse{MatchID: r.Match(), Seq: int64(r.Ask), Action: "1"}).Answer(&now); a.To != (referee.Address{By: referee.ByAsk, N: r.Ask}) {
		t.Errorf("the record does not tell of a seq that is past: %+v", a.To)
	}
}

// TestKeyUntold: neither fmt nor encoding/json tells a key, by pointer or by value.
func TestKeyUntold(t *testing.T) {
	h := Hello{Key: "canary-key"}
	j, err := json.Marshal(map[string]any{"a": h, "b": &h})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{fmt.Sprint(h, &h), fmt.Sprintf("%+v %#v %+v %#v %s", h, h, &h, &h, []any{h, &h}), string(j)} {
		if strings.Contains(s, "canary") {
			t.Error(s)
		}
	}
	if !strings.Contains(string(h.Append(nil)), h.Key) {
		t.Error("the message lacks it")
	}
}

// TestSeqIsAsk: seq counts requests and not moves, which differ once a move is asked for again; it is what has to come back.
func TestSeqIsAsk(t *testing.T) {
	r := first(t, connectFour(t))
	r.Ask, r.Turn, r.Nth = 7, 3, 2
	if got := read(t, write(t, r)).Seq; got != 7 {
		t.Errorf("the request says %d", got)
	}
	if got := WarningOf(r, began).Seq; got != 7 {
		t.Errorf("the warning says %d", got)
	}
	for seq, want := range map[int64]int32{7: 7, 6: 6, 8: 0, 0: 0, -1: 0, 7 - 1<<32: 0, 7 + 1<<32: 0, -1 << 63: 0, 1<<63 - 1: 0} {
		if a := (&ActionResponse{MatchID: r.Match(), Seq: seq, Action: "3"}).Answer(r); a.To != (referee.Address{By: referee.ByAsk, N: want}) {
			t.Errorf("%d: %+v", seq, a.To)
		}
	}
}

// bids is a chronicle whose sample is an integer and whose form has numbers.
type bids struct{ chronicle }

func (bids) Legal(dst []scrap, _ *chronicleState, _ game.Seat) []scrap {
	return append(dst, scrap{Type: "weigh", Weight: game.Some(0.0)})
}

func (bids) Form(*chronicleState, game.Seat) json.RawMessage {
	return json.RawMessage(`{"properties":{"weight":{"type":"number"}}}`)
}

// TestSchemaWithFractions: what action_schema allows is not malformed because the sample happens to be an integer.
func TestSchemaWithFractions(t *testing.T) {
	m := newMatch(t, game.New(bids{}), "", "", 2)
	play(t, m, began, first(t, m), `{"type":"weigh","weight":0.5}`)
}

// TestLongVersion: a version that some reader would round is no number.
func TestLongVersion(t *testing.T) {
	for version, want := range map[string]string{
		"0": "0", "999999999999999": "999999999999999", "9007199254740993": `"9007199254740993"`, "-1": `"-1"`, "1e3": `"1e3"`, "٣": `"٣"`, "01": `"01"`, "": "null",
	} {
		if got := string(Identity{"a", version}.append(nil)); got != `,"agent":{"slug":"a","version":`+want+"}" {
			t.Errorf("%q: %s", version, got)
		}
	}
}
