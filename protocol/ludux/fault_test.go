package ludux

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

func TestErrorOf(t *testing.T) {
	for _, tt := range []struct {
		code  referee.Code
		fault referee.Fault
		want  Code
	}{
		{referee.OK, referee.NoFault, ""},
		{referee.Duplicate, referee.NoFault, ""},
		{referee.WasStale, referee.Stale, CodeStaleResponse},
		{referee.KeyReused, referee.NoFault, CodeStaleResponse},
		{referee.Over, referee.NoFault, CodeMatchOver},
		{referee.Refused, referee.Illegal, CodeIllegalAction},
		{referee.Refused, referee.Malformed, CodeMalformed},
		{referee.Refused, referee.BadProtocol, CodeMalformed},
		{referee.Refused, referee.Oversized, CodeFrameTooLarge},
		{referee.Refused, referee.Late, CodeStaleResponse},
		{referee.Refused, referee.Internal, CodeMatchOver},
	} {
		e, bad := ErrorOf(referee.Verdict{Code: tt.code, Fault: tt.fault, Detail: "why"}, "m-1", 7)
		if tt.want == "" {
			if bad || e != nil {
				t.Errorf("%v: %+v", tt.code, e)
			}
			continue
		}
		if diff := cmp.Diff(&Error{Code: tt.want, Message: "why", MatchID: "m-1", Seq: 7}, e); diff != "" || !bad {
			t.Errorf("%v, %v: %s", tt.code, tt.fault, diff)
		}
	}
}

// TestEchoedIDs: an error holds the ids as they came, cut so that it fits a frame.
func TestEchoedIDs(t *testing.T) {
	_, err := DecodeFromAgent([]byte(`{"protocol":"ludux/1","type":"x","match_id":"a\tb` + string(make16K('é')) + `","seq":123456789012}`))
	frame := err.(*FrameError).Reply().Append(nil)
	m, err := DecodeFromArena(frame)
	if err != nil {
		t.Fatal(err)
	}
	e := m.(*Error)
	if n := len([]rune(e.MatchID)); n != 128 || e.MatchID[:3] != "a b" || e.Seq != 123456789012 || len(frame) > 600 {
		t.Errorf("%d bytes, %d code points: %s", len(frame), n, frame)
	}
}

func make16K(c rune) []rune {
	list := make([]rune, 14_000)
	for i := range list {
		list[i] = c
	}
	return list
}

func TestEndOf(t *testing.T) {
	for _, tt := range []struct {
		name   string
		result referee.Result
		want   []Outcome
	}{
		{"won", referee.Result{Returns: []float64{-1, 1}, Places: []int{2, 1}}, []Outcome{Loss, Win}},
		{"drawn", referee.Result{Returns: []float64{0, 0}, Places: []int{1, 1}}, []Outcome{Draw, Draw}},
		{"a team", referee.Result{Returns: []float64{1, -1, 1}, Places: []int{1, 3, 1}}, []Outcome{Win, Loss, Win}},
		{"one seat", referee.Result{Returns: []float64{3}, Places: []int{1}}, []Outcome{Draw}},
		{"expired", referee.Result{Cause: referee.CauseExpiry}, []Outcome{None, None}},
		{"void", referee.Result{Cause: referee.CauseVoid, Reason: "internal"}, []Outcome{None, None}},
	} {
		for s, want := range tt.want {
			m := EndOf("m-1", game.Seat(s), &tt.result)
			if m.Outcome != want || m.Rated != (want != None) || m.Seat != game.Seat(s) {
				t.Errorf("%s, seat %d: %+v", tt.name, s, m)
			}
			back, err := DecodeFromArena(m.Append(nil))
			if err != nil || back.(*MatchEnd).Outcome != want {
				t.Errorf("%s: %v, %v", tt.name, back, err)
			}
		}
	}
	r := referee.Result{Returns: []float64{1}, Places: []int{1}, Scores: []int64{5}}
	m := EndOf("m-1", 0, &r)
	m.Returns[0], m.Places[0], m.Scores[0] = 9, 9, 9
	if r.Returns[0] != 1 || r.Places[0] != 1 || r.Scores[0] != 5 {
		t.Error("the message shares memory with the result")
	}
}

func TestWarning(t *testing.T) {
	r := first(t, connectFour(t))
	got := string(WarningOf(r, began+10_001).Append(nil))
	want := `{"protocol":"ludux/1","type":"timeout_warning","match_id":"m-1a2b3c4d5e","seat":0,"seq":1,"deadline_ms":4999,"deadline_at":"2026-08-28T20:00:00+00:00"}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if left := WarningOf(r, began+99_000).Left; left != 0 {
		t.Errorf("%v left", left)
	}
	limited := &Error{Code: CodeRateLimited, Message: "slow\ndown", RetryAfter: 1500 * time.Millisecond}
	want = `{"protocol":"ludux/1","type":"error","code":"rate_limited","message":"slow down","match_id":null,"seq":null,"retry_after_ms":1500}`
	if diff := cmp.Diff(want, string(limited.Append(nil))); diff != "" {
		t.Error(diff)
	}
}
