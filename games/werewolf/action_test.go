package werewolf_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
)

// shapes are those that the ludux/1 document shows, and Chance's.
var shapes = []struct {
	text   string
	action werewolf.Action
}{
	{`{"type":"kill","target":2}`, werewolf.Action{Type: werewolf.Kill, Target: 2}},
	{`{"type":"kill","target":null}`, werewolf.Action{Type: werewolf.Kill, Target: werewolf.Nobody}},
	{`{"type":"peek","target":4}`, werewolf.Action{Type: werewolf.Peek, Target: 4}},
	{`{"type":"say","text":"…"}`, werewolf.Action{Type: werewolf.Say, Text: "…"}},
	{`{"type":"say","text":""}`, werewolf.Action{Type: werewolf.Say}},
	{`{"type":"vote","target":2}`, werewolf.Action{Type: werewolf.Vote, Target: 2}},
	{`{"type":"vote","target":null}`, werewolf.Action{Type: werewolf.Vote, Target: werewolf.Nobody}},
	{`{"type":"deal","roles":"vwsvv"}`, werewolf.Action{Type: werewolf.Deal, Text: "vwsvv"}},
	{`{"type":"lot","target":14}`, werewolf.Action{Type: werewolf.Lot, Target: 14}},
}

func TestActionJSON(t *testing.T) {
	for _, tt := range shapes {
		if got := asJSON(t, tt.action); got != tt.text {
			t.Errorf("%+v is %s, not %s", tt.action, got, tt.text)
		}
		var got werewolf.Action
		if err := json.Unmarshal([]byte(tt.text), &got); err != nil || got != tt.action {
			t.Errorf("%s is %+v, %v", tt.text, got, err)
		}
	}
	for _, text := range []string{`null`, `3`, `"kill"`, `[]`, `{}`, `{"type":"eat","target":1}`, `{"type":"kill"}`, `{"type":"kill","target":"1"}`,
		`{"type":"kill","target":-1}`, `{"type":"kill","target":64}`, `{"type":"kill","target":1.5}`, `{"type":"kill","target":true}`, `{"type":"say"}`,
		`{"type":"say","text":null}`, `{"type":"say","text":3}`, `{"type":"deal","roles":[]}`, `{"type":3,"target":1}`, `{"target":1}`} {
		got := werewolf.Action{Type: werewolf.Lot, Target: 9}
		if err := json.Unmarshal([]byte(text), &got); err == nil || got != (werewolf.Action{Type: werewolf.Lot, Target: 9}) {
			t.Errorf("%s is read as %+v", text, got)
		} else if strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzActionJSON(f *testing.F) {
	for _, tt := range shapes {
		f.Add([]byte(tt.text))
	}
	if len(shapes) == 0 {
		f.Fatal("no seeds")
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var a, again werewolf.Action
		if json.Unmarshal(data, &a) != nil {
			return
		}
		text := asJSON(t, a)
		if err := json.Unmarshal([]byte(text), &again); err != nil || again != a {
			t.Errorf("%s is %+v, which writes %s, which is %+v, %v", data, a, text, again, err)
		}
	})
}

// TestCheck goes through what each phase refuses, with the hint.
func TestCheck(t *testing.T) {
	night, talk, vote := dealt(t, "", "wwsvvvvv"), dealt(t, "", "wwsvvvvv"), dealt(t, "", "wwsvvvvv")
	talk.act("0:kill 3", "1:kill 3")
	vote.act("0:kill 3", "1:kill 3")
	vote.silence()
	for _, tt := range []struct {
		x    round
		seat game.Seat
		a    game.Action
		hint string // "": accepted
	}{
		{night, 0, `{"type":"kill","target":4}`, ""},
		{night, 0, `{"type":"kill","target":0}`, "that is yourself"},
		{night, 0, `{"type":"kill","target":1}`, "seat 1 is of your pack"},
		{night, 0, `{"type":"kill","target":8}`, "there is no seat 8"},
		{night, 0, `{"type":"peek","target":4}`, "now it is kill"},
		{night, 2, `{"type":"kill","target":4}`, "now it is peek"},
		{night, 2, `{"type":"peek","target":2}`, "that is yourself"},
		{night, 2, `{"type":"peek","target":null}`, ""},
		{night, 4, `{"type":"vote","target":0}`, "not your turn"},
		{night, game.Spectator, `{"type":"kill","target":4}`, "not your turn"},
		{talk, 4, `{"type":"say","text":"x"}`, ""},
		{talk, 4, `{"type":"vote","target":0}`, "now it is say"},
		{talk, 5, `{"type":"say","text":"x"}`, "not your turn"},
		{vote, 5, `{"type":"vote","target":0}`, ""},
		{vote, 0, `{"type":"vote","target":1}`, ""},
		{vote, 5, `{"type":"vote","target":5}`, "that is yourself"},
		{vote, 5, `{"type":"vote","target":3}`, "seat 3 is dead"},
		{vote, 3, `{"type":"vote","target":5}`, "not your turn"},
		{vote, 5, `{"type":"kill","target":0}`, "now it is vote"},
		{vote, 5, `{"type":"say","text":"x"}`, "now it is vote"},
		{vote, 5, `{"type":"lot","target":1}`, "now it is vote"},
	} {
		_, err := tt.x.Check(tt.seat, tt.a)
		if (err == nil) != (tt.hint == "") || err != nil && (!errors.Is(err, game.ErrIllegal) || !strings.Contains(err.Error(), tt.hint)) {
			t.Errorf("%s, seat %s: %s: %v", tt.x.Turn().Phase, tt.seat, tt.a, err)
		}
	}
}

func TestDealIsChecked(t *testing.T) {
	table, err := werewolf.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := table.Start(game.Setup{Seats: 5})
	if err != nil {
		t.Fatal(err)
	}
	for roles, ok := range map[string]bool{"wsvvv": true, "vvvsw": true, "wsvv": false, "wsvvvv": false, "wwsvv": false, "wvvvv": false, "wssvv": false, "wsvvx": false, "": false} {
		if _, err := s.Check(game.Chance, game.Action(`{"roles":"`+roles+`","type":"deal"}`)); (err == nil) != ok {
			t.Errorf("%q: %v", roles, err)
		}
	}
}

func TestClean(t *testing.T) {
	long := strings.Repeat("é", werewolf.MaxText)
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"plain <b> & \"words\"", "plain <b> & \"words\""},
		{"a\tb\nc\rd\u2028e", "a b c d e"},
		{"bell\a nul\x00 del\x7f c1\u0085", "bell\ufffd nul\ufffd del\ufffd c1\ufffd"},
		{"cut \xff\xc3", "cut \ufffd\ufffd"},
		{"👩‍🚀", "👩‍🚀"},
		{long, long},
		{long + "x", long},
		{strings.Repeat("a", 401), strings.Repeat("a", 400)},
		{strings.Repeat("\n", 1000), strings.Repeat(" ", 400)},
	} {
		if got := werewolf.Clean(tt.in, werewolf.MaxText); got != tt.want {
			t.Errorf("%q: %q, not %q", tt.in, got, tt.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		in := string(rapid.SliceOfN(rapid.Byte(), 0, 600).Draw(t, "bytes"))
		if rapid.Bool().Draw(t, "runes") {
			in = rapid.StringN(0, 600, -1).Draw(t, "text")
		}
		got := werewolf.Clean(in, werewolf.MaxText)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > werewolf.MaxText || strings.ContainsFunc(got, unicode.IsControl) || werewolf.Clean(got, werewolf.MaxText) != got {
			t.Errorf("%q: %q", in, got)
		}
		if want := min(utf8.RuneCountInString(in), werewolf.MaxText); utf8.RuneCountInString(got) != want {
			t.Errorf("%q: %d code points, not %d", in, utf8.RuneCountInString(got), want)
		}
	})
}

// TestWordsAreRecordedClean: what goes on the record is what was cut and cleaned.
func TestWordsAreRecordedClean(t *testing.T) {
	x := dealt(t, "", "wsvvv")
	x.act()
	long := strings.Repeat("a\n", 300)
	data, err := json.Marshal(map[string]string{"type": "say", "text": long})
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.Play(0, game.Action(data))
	if want := game.Action(`{"text":"` + strings.Repeat("a ", 200) + `","type":"say"}`); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}
