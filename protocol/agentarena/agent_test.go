package agentarena

import (
	"errors"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/referee"
	"pgregory.net/rapid"
)

func TestDecodeRequest(t *testing.T) {
	got := mustRequest(t, connectFour(t, "c", "d", "d", "d", "e"))
	want := MoveRequest{
		MatchID: "m1", Game: "connect4", You: "O", Opponent: "Ann", MoveNumber: 6,
		Board: "```\n .......\n .......\n .......\n ...O...\n ...X...\n ..XOX..\n abcdefg\n```",
		Legal: []string{"a", "b", "c", "d", "e", "f", "g"}, Deadline: 10 * time.Second, Nonce: nonce, ReplayURL: replayURL,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeRequestTable(t *testing.T) {
	const (
		head = `{"protocol":"agentarena/1","type":"move_request","match_id":"m","move_number":1,"legal":["a"],"nonce":"n"`
		bad  = "agentarena: not a move request: "
	)
	with := func(old, new string) string { return strings.Replace(head, old, new, 1) + "}" }
	tests := []struct{ name, body, want string }{
		{"least", head + "}", ""},
		{"byte-order mark", "\ufeff" + head + "}", ""},
		{"optional members null", head + `,"board":null,"deadline_ms":null}`, ""},
		{"unknown members", head + `,"tip":{"a":[1]}}`, ""},
		{"integer with a point", with(`"move_number":1`, `"move_number":1.0`), ""},
		{"integer with an exponent", head + `,"deadline_ms":1e4}`, ""},

		{"empty", "", bad + "byte 0: unexpected end"},
		{"null", "null", bad + "byte 0: unexpected 'n'"},
		{"trailing data", head + "}x", bad + "byte 106: something after the object"},
		{"duplicate name", head + `,"nonce":"n"}`, bad + `byte 106: duplicate name "nonce"`},
		{"another protocol", with("agentarena/1", "agentarena/2"), bad + `protocol is "agentarena/2", not "agentarena/1"`},
		{"no protocol", with(`"protocol"`, `"x"`), bad + "there is no protocol"},
		{"another type", with("move_request", "match_end"), bad + `type is "match_end", not "move_request"`},
		{"no match", with(`"match_id"`, `"x"`), bad + "there is no match_id"},
		{"match no string", with(`"m"`, `7`), bad + "match_id is a number, not a string"},
		{"no nonce", with(`"nonce"`, `"x"`), bad + "there is no nonce"},
		{"no move number", with(`"move_number"`, `"x"`), bad + "there is no move_number"},
		{"fraction", with(`"move_number":1`, `"move_number":1.5`), bad + `move_number: "1.5" is no integer`},
		{"beyond a float", with(`"move_number":1`, `"move_number":1e400`), bad + `move_number: "1e400" is no integer`},
		{"large", with(`"move_number":1`, `"move_number":2147483648`), bad + `move_number: "2147483648" is not 0 to 2147483647`},
		{"larger than an int64", with(`"move_number":1`, `"move_number":99999999999999999999`), bad + `move_number: "99999999999999999999" is no integer`},
		{"negative", head + `,"strikes":-1}`, bad + `strikes: "-1" is not 0 to 2147483647`},
		{"text for a number", head + `,"strikes":"0"}`, bad + "strikes is a string, not a number"},
		{"a deadline of centuries", head + `,"deadline_ms":9223372036855}`, bad + `deadline_ms: "9223372036855" is not 0 to 9223372036854`},
		{"board no string", head + `,"board":[]}`, bad + "board is an array, not a string"},
		{"no legal", with(`"legal"`, `"x"`), bad + "there is no legal"},
		{"legal empty", with(`["a"]`, `[]`), bad + "legal is empty"},
		{"legal no array", with(`["a"]`, `"a"`), bad + "legal: a string, not an array"},
		{"legal of numbers", with(`["a"]`, `["a",3]`), bad + "legal: item 1 is a number, not a string"},
		{"all at once", `{"protocol":"agentarena/1","type":"move_request","strikes":0.5}`,
			bad + "there is no match_id\nthere is no nonce\nthere is no move_number\nstrikes: \"0.5\" is no integer\nthere is no legal"},
		{"too long", head + "}" + strings.Repeat(" ", MaxRequest), bad + "over 1048576 bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := DecodeRequest([]byte(tt.body))
			got := ""
			if err != nil {
				got = err.Error()
				if !errors.Is(err, ErrRequest) {
					t.Error("the error does not wrap ErrRequest")
				}
				if diff := cmp.Diff(MoveRequest{}, m); diff != "" {
					t.Errorf("with an error: %s", diff)
				}
			} else if m.MatchID != "m" || m.MoveNumber != 1 || m.Nonce != "n" || !cmp.Equal(m.Legal, []string{"a"}) {
				t.Errorf("%+v", m)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReplyRoundTrip: whatever an agent says arrives, cleaned; the bytes are exact.
func TestReplyRoundTrip(t *testing.T) {
	const want = `{"move":"d","nonce":"7f3a0000000000000000000000000001","reason":"\"hm\"\n<é>"}`
	if got := AppendReply(nil, Reply{Move: "d", Nonce: nonce, Reason: "\"hm\"\n<é>"}); string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := string(AppendReply([]byte("x"), Reply{Move: "d", Nonce: "n"})), `x{"move":"d","nonce":"n"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r := connectFour(t)
	rapid.Check(t, func(t *rapid.T) {
		reason := rapid.StringN(0, 400, -1).Draw(t, "reason")
		got := Decode(200, AppendReply(nil, Reply{Move: "d", Nonce: nonce, Reason: reason}), nonce, r)
		if got.Fault != referee.NoFault || got.Action != "3" {
			t.Fatalf("%+v", got)
		}
		in, out := []rune(reason), []rune(got.Note)
		if len(out) != min(len(in), MaxReason) {
			t.Fatalf("%d code points of %d", len(out), len(in))
		}
		for i, c := range out {
			want := in[i]
			if strings.ContainsRune("\t\n\u2028\u2029", want) {
				want = ' '
			} else if unicode.IsControl(want) {
				want = '\ufffd'
			}
			if c != want {
				t.Fatalf("code point %d is %q, want %q", i, c, want)
			}
		}
	})
}
