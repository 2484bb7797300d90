package agentarena

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// TestDecode judges replies to one request; columns a to g are open.
func TestDecode(t *testing.T) {
	pad := func(n int) string { // a good reply of n bytes
		return withNonce(`{"move":"d","nonce":"NONCE"}`) + strings.Repeat(" ", n-len(reply("d")))
	}
	deep := func(n int) string { // arrays in an object, n deep in all
		return `{"move":"d","nonce":"NONCE","x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}"
	}
	const (
		noJSON = "malformed: the body is not one JSON object: "
		legal  = ` is not in legal: a, b, c, d, e, f, g`
		wrong  = "bad_nonce: the nonce is not that of this request"
	)
	tests := []struct {
		name   string
		status int
		body   string
		want   string
	}{
		{"move and nonce", 200, `{"move":"d","nonce":"NONCE"}`, `3 ""`},
		{"white space and order", 200, " \r\n\t{ \"nonce\" : \"NONCE\" , \"move\" : \"d\" } \n", `3 ""`},
		{"byte-order mark", 200, "\ufeff" + `{"move":"d","nonce":"NONCE"}`, `3 ""`},
		{"escapes in a name and a value", 200, `{"m\u006fve":"\u0064","nonce":"NONCE"}`, `3 ""`},
		{"reason", 200, `{"move":"d","nonce":"NONCE","reason":"centre"}`, `3 "centre"`},
		{"reason null", 200, `{"move":"d","nonce":"NONCE","reason":null}`, `3 ""`},
		{"reason no string", 200, `{"move":"d","nonce":"NONCE","reason":{"why":1}}`, `3 ""`},
		{"reason with controls", 200, `{"move":"d","nonce":"NONCE","reason":"a\u0000\u001b[1m\n\t\u0085b"}`, "3 \"a\ufffd\ufffd[1m  \ufffdb\""},
		{"reason of several lines", 200, `{"move":"d","nonce":"NONCE","reason":"a\nb\u2028c\u2029d"}`, `3 "a b c d"`},
		{"reason cut in a character", 200, `{"move":"d","nonce":"NONCE","reason":"ab` + "\xe2\x82" + `"}`, "3 \"ab\ufffd\""},
		{"reason cut in a pair", 200, `{"move":"d","nonce":"NONCE","reason":"ab\ud83d"}`, "3 \"ab\ufffd\""},
		{"reason with a pair", 200, `{"move":"d","nonce":"NONCE","reason":"\ud83d\ude00"}`, `3 "😀"`},
		{"unknown members", 200, `{"move":"d","nonce":"NONCE","thoughts":[1,{"a":[]}],"x":1e400,"y":-0.5E-3,"z":true,"":null}`, `3 ""`},
		{"other case is another name", 200, `{"move":"d","nonce":"NONCE","Move":"a","NONCE":1}`, `3 ""`},
		{"the most bytes", 200, pad(MaxReply), `3 ""`},
		{"nested 32 deep", 200, deep(32), `3 ""`},
		{"objects 32 deep", 200, `{"move":"d","nonce":"NONCE","x":` + strings.Repeat(`{"x":`, 31) + "0" + strings.Repeat("}", 32), `3 ""`},

		{"created", 201, `{"move":"d","nonce":"NONCE"}`, "bad_protocol: status 201"},
		{"no content", 204, "", "bad_protocol: status 204"},
		{"not modified", 304, "", "bad_protocol: status 304"},
		{"no such page", 404, `{"move":"d","nonce":"NONCE"}`, "bad_protocol: status 404"},
		{"unavailable", 503, "", "bad_protocol: status 503"},
		{"no status", 0, `{"move":"d","nonce":"NONCE"}`, "bad_protocol: status 0"},
		{"moved", 301, "", "bad_protocol: redirect 301"},
		{"found", 302, `{"move":"d","nonce":"NONCE"}`, "bad_protocol: redirect 302"},
		{"see other", 303, "", "bad_protocol: redirect 303"},
		{"temporary", 307, "", "bad_protocol: redirect 307"},
		{"permanent", 308, "", "bad_protocol: redirect 308"},
		{"one byte too many", 200, pad(MaxReply + 1), "oversized: a reply has at most 16384 bytes"},

		{"empty", 200, "", noJSON + "byte 0: unexpected end"},
		{"text", 200, "d", noJSON + "byte 0: unexpected 'd'"},
		{"string", 200, `"d"`, noJSON + `byte 0: unexpected '"'`},
		{"compressed", 200, "\x1f\x8b\x08\x00", noJSON + `byte 0: unexpected '\x1f'`},
		{"no UTF-8 outside strings", 200, "\xff{}", noJSON + "byte 0: unexpected '�'"},
		{"two byte-order marks", 200, "\ufeff\ufeff" + `{"move":"d","nonce":"NONCE"}`, noJSON + `byte 3: unexpected '\ufeff'`},
		{"torn", 200, `{"move":"d","nonce":"NON`, noJSON + "byte 24: unexpected end"},
		{"trailing object", 200, `{"move":"d","nonce":"NONCE"}{}`, noJSON + "byte 55: something after the object"},
		{"trailing comma", 200, `{"move":"d","nonce":"NONCE",}`, noJSON + "byte 55: unexpected '}'"},
		{"single quotes", 200, `{'move':'d'}`, noJSON + `byte 1: unexpected '\''`},
		{"duplicate move", 200, `{"move":"d","nonce":"NONCE","move":"d"}`, noJSON + `byte 55: duplicate name "move"`},
		{"duplicate in disguise", 200, `{"move":"d","nonce":"NONCE","m\u006fve":"a"}`, noJSON + `byte 55: duplicate name "move"`},
		{"duplicate deep down", 200, `{"move":"d","nonce":"NONCE","x":[{"a":1,"a":1}]}`, noJSON + `byte 67: duplicate name "a"`},
		{"nested 33 deep", 200, deep(33), noJSON + "byte 90: nested over 32 deep"},
		{"objects 33 deep", 200, `{"move":"d","nonce":"NONCE","x":` + strings.Repeat(`{"x":`, 32) + "0" + strings.Repeat("}", 33), noJSON + "byte 214: nested over 32 deep"},
		{"new line in a string", 200, "{\"move\":\"d\",\"nonce\":\"NONCE\",\"reason\":\"a\nb\"}", noJSON + "byte 66: control character in a string"},
		{"bad escape", 200, `{"move":"\x64","nonce":"NONCE"}`, noJSON + "byte 11: bad escape in a string"},
		{"leading zero", 200, `{"move":"d","nonce":"NONCE","x":01}`, noJSON + "byte 60: unexpected '1'"},
		{"no number", 200, `{"move":"d","nonce":"NONCE","x":-}`, noJSON + "byte 60: bad number"},
		{"NaN", 200, `{"move":"d","nonce":"NONCE","x":NaN}`, noJSON + "byte 59: unexpected 'N'"},

		{"no move", 200, `{"nonce":"NONCE"}`, "malformed: there is no move"},
		{"move null", 200, `{"move":null,"nonce":"NONCE"}`, "malformed: there is no move"},
		{"move a number", 200, `{"move":3,"nonce":"NONCE"}`, "malformed: move is a number, not a string"},
		{"move a list", 200, `{"move":["d"],"nonce":"NONCE"}`, "malformed: move is an array, not a string"},
		{"neither move nor nonce", 200, `{}`, "malformed: there is no move"},

		{"no nonce", 200, `{"move":"d"}`, "bad_nonce: there is no nonce"},
		{"nonce null", 200, `{"move":"d","nonce":null}`, "bad_nonce: there is no nonce"},
		{"nonce a number", 200, `{"move":"d","nonce":7}`, "bad_nonce: nonce is a number, not a string"},
		{"nonce empty", 200, `{"move":"d","nonce":""}`, wrong},
		{"nonce of another request", 200, `{"move":"d","nonce":"7f3a0000000000000000000000000002"}`, wrong},
		{"nonce with more", 200, `{"move":"d","nonce":"NONCE0"}`, wrong},
		{"nonce with less", 200, `{"move":"d","nonce":"7f3a"}`, wrong},
		{"nonce wrong and move illegal", 200, `{"move":"z","nonce":"no"}`, wrong},

		{"no column", 200, `{"move":"z","nonce":"NONCE"}`, `illegal: "z"` + legal},
		{"upper case", 200, `{"move":"D","nonce":"NONCE"}`, `illegal: "D"` + legal},
		{"with a space", 200, `{"move":" d","nonce":"NONCE"}`, `illegal: " d"` + legal},
		{"the action instead of its text", 200, `{"move":"3","nonce":"NONCE"}`, `illegal: "3"` + legal},
		{"empty move", 200, `{"move":"","nonce":"NONCE"}`, `illegal: ""` + legal},
		{"a sentence", 200, `{"move":"` + strings.Repeat("é", 41) + `","nonce":"NONCE"}`, `illegal: "` + strings.Repeat("é", 40) + `"...` + legal},
	}
	r := connectFour(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Decode(tt.status, []byte(withNonce(tt.body)), nonce, r)
			if diff := cmp.Diff(tt.want, show(got)); diff != "" {
				t.Error(diff)
			}
			if want := (referee.Address{By: referee.ByAsk, N: r.Ask}); got.To != want {
				t.Errorf("addressed to %+v, want %+v", got.To, want)
			}
			if got.Fault != referee.NoFault && (got.Action != "" || got.Note != "") {
				t.Errorf("a fault with action %q and note %q", got.Action, got.Note)
			}
			if n := utf8.RuneCountInString(got.Detail); n > referee.MaxDetail {
				t.Errorf("a detail of %d code points", n)
			}
		})
	}
}

// TestFirstFault: each reply has all the faults that come later in the order; the earliest counts.
func TestFirstFault(t *testing.T) {
	big := strings.Repeat("x", MaxReply+1)
	tests := []struct {
		status int
		body   string
		want   referee.Fault
	}{
		{500, big, referee.BadProtocol},
		{200, big, referee.Oversized},
		{200, `{"nonce":"no","nonce":"no"}`, referee.Malformed},
		{200, `{"move":1,"nonce":"no"}`, referee.Malformed},
		{200, `{"move":"z","nonce":"no"}`, referee.BadNonce},
		{200, reply("z"), referee.Illegal},
		{200, reply("d"), referee.NoFault},
	}
	r := connectFour(t)
	for _, tt := range tests {
		if got := Decode(tt.status, []byte(tt.body), nonce, r); got.Fault != tt.want {
			t.Errorf("%d %.40s: %v, want %v", tt.status, tt.body, got.Fault, tt.want)
		}
	}
}

// TestNoNonceExpected: a caller without a nonce gets no move accepted by chance.
func TestNoNonceExpected(t *testing.T) {
	r := connectFour(t)
	if got := Decode(200, []byte(`{"move":"d","nonce":""}`), "", r); got.Fault != referee.BadNonce {
		t.Errorf("%+v", got)
	}
}

func TestReasonIsCut(t *testing.T) {
	r := connectFour(t)
	for _, tt := range []struct {
		in, want int
	}{{279, 279}, {280, 280}, {281, 280}, {4000, 280}} {
		body := AppendReply(nil, Reply{Move: "d", Nonce: nonce, Reason: strings.Repeat("é", tt.in)})
		got := Decode(200, body, nonce, r)
		if want := strings.Repeat("é", tt.want); got.Note != want || got.Action != "3" {
			t.Errorf("%d code points: %d are left, action %s, want %d", tt.in, utf8.RuneCountInString(got.Note), got.Action, tt.want)
		}
	}
}

// TestFullColumn: what was legal a move ago is not any more.
func TestFullColumn(t *testing.T) {
	r := connectFour(t, "b", "b", "b", "b", "b", "b")
	if got, want := show(Decode(200, []byte(reply("b")), nonce, r)), `illegal: "b" is not in legal: a, c, d, e, f, g`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHintIsBounded: a long list of legal moves is not written out.
func TestHintIsBounded(t *testing.T) {
	table, err := connectfour.New().Table([]byte(`{"columns":16,"rows":7}`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := referee.New(referee.Setup{ID: "wide", Table: table, Seats: make([]referee.SeatInfo, 2)})
	if err != nil {
		t.Fatal(err)
	}
	m.Start(began)
	move := strings.Repeat("\x01", 200) // each is four characters in quotes
	got := Decode(200, AppendReply(nil, Reply{Move: move, Nonce: nonce}), nonce, openRequest(t, m))
	if n := utf8.RuneCountInString(got.Detail); got.Fault != referee.Illegal || n > referee.MaxDetail || !strings.HasSuffix(got.Detail, " ...") {
		t.Errorf("%d code points: %s", n, got.Detail)
	}
}

// twins: a game that breaks the promise that listed moves have different texts.
type twins struct{ parley }

func (twins) Text(*parleyState, parleyMove) string { return "same" }

func TestAmbiguousMove(t *testing.T) {
	r := requestAfter(t, game.New(twins{}), []string{"Ann"})
	if got, want := show(Decode(200, []byte(reply("same")), nonce, r)), `illegal: "same" names two legal moves`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
