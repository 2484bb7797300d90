package ludux

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/internal/fit"
	"github.com/matchreferee/arena/referee"
)

const envelope = `"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":1`

// TestResponse: what becomes of an answer to the first request of a Connect Four match.
func TestResponse(t *testing.T) {
	r := first(t, connectFour(t))
	tests := []struct{ name, body, want string }{
		{"good", `{` + envelope + `,"action":3}`, `1 3 ""`},
		{"with commentary", `{` + envelope + `,"action":3,"commentary":"Blocking column 4."}`, `1 3 "Blocking column 4."`},
		{"unknown members", `{"thoughts":{"a":[1e9]},` + envelope + `,"action":3,"usage":null}`, `1 3 ""`},
		{"another order, spaces, a byte-order mark", "\ufeff \n{\"action\" : 3 , " + envelope + "}\t", `1 3 ""`},
		{"commentary is no string", `{` + envelope + `,"action":3,"commentary":["x"]}`, `1 3 ""`},
		{"commentary is null", `{` + envelope + `,"action":3,"commentary":null}`, `1 3 ""`},
		{"commentary is cleaned", `{` + envelope + `,"action":3,"commentary":"a\tb\r\nc\u0000d\u2028e\u007f\ud800"}`, `1 3 "a b  c�d e��"`},
		{"commentary is no UTF-8", "{" + envelope + ",\"action\":3,\"commentary\":\"a\xffb\"}", `1 3 "a�b"`},
		{"280 code points", `{` + envelope + `,"action":3,"commentary":"` + strings.Repeat("é", 280) + `"}`, `1 3 "` + strings.Repeat("é", 280) + `"`},
		{"281 code points", `{` + envelope + `,"action":3,"commentary":"` + strings.Repeat("é", 281) + `"}`, `1 3 "` + strings.Repeat("é", 280) + `"`},
		{"illegal is the rules' to say", `{` + envelope + `,"action":9}`, `1 9 ""`},
		{"of another kind, too", `{` + envelope + `,"action":"3"}`, `1 "3" ""`},
		{"3.0 is 3", `{` + envelope + `,"action":3.0}`, `1 3.0 ""`},
		{"3e0 is 3", `{` + envelope + `,"action":3e0}`, `1 3e0 ""`},
		{"its seat", `{` + envelope + `,"seat":0,"action":3}`, `1 3 ""`},
		{"seat 0.0 is 0", `{` + envelope + `,"seat":0.0,"action":3}`, `1 3 ""`},
		{"a seat that is null is none", `{` + envelope + `,"seat":null,"action":3}`, `1 3 ""`},
		{"seq 1.0 is 1", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":1.0,"action":3}`, `1 3 ""`},

		{"another seq", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":2,"action":3}`, `0 3 ""`},
		{"seq 0", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":0,"action":3}`, `0 3 ""`},
		{"a seq beyond all", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":4294967297,"action":3}`, `0 3 ""`},
		{"another match", `{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seq":1,"action":3}`, `0 3 ""`},
		{"another seat", `{` + envelope + `,"seat":1,"action":3}`, `0 3 ""`},
		{"a seat that the match does not have", `{` + envelope + `,"seat":63,"action":3}`, `0 3 ""`},
		{"a fraction for another seat", `{` + envelope + `,"seat":1,"action":1.5}`, `0 1.5 ""`},
		{"a fraction for another seq", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":2,"action":1.5}`, `0 1.5 ""`},

		{"nothing", ``, `1 malformed: not one JSON object: byte 0: unexpected end`},
		{"prose", "Sure! ```json\n{" + envelope + `,"action":3}` + "\n```", `1 malformed: not one JSON object: byte 0: unexpected 'S'`},
		{"a list", `[3]`, `1 malformed: not one JSON object: byte 0: unexpected '['`},
		{"trailing data", `{` + envelope + `,"action":3}{}`, `1 malformed: not one JSON object`},
		{"a name twice", `{` + envelope + `,"action":3,"action":4}`, `1 malformed: not one JSON object`},
		{"a name twice inside", `{` + envelope + `,"action":{"a":1,"\u0061":2}}`, `1 malformed: not one JSON object`},
		{"too deep", `{` + envelope + `,"action":3,"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `}`, `1 malformed: not one JSON object`},
		{"no protocol", `{"type":"action_response","match_id":"m-1a2b3c4d5e","seq":1,"action":3}`, `1 malformed: there is no protocol`},
		{"another protocol", `{"protocol":"ludux/2","type":"action_response","match_id":"m-1a2b3c4d5e","seq":1,"action":3}`, `1 malformed: protocol is "ludux/2", not "ludux/1"`},
		{"no type", `{"protocol":"ludux/1","match_id":"m-1a2b3c4d5e","seq":1,"action":3}`, `1 malformed: there is no type`},
		{"an unknown type", `{"protocol":"ludux/1","type":"resign","match_id":"m-1a2b3c4d5e","seq":1}`, `1 malformed: type is "resign", neither "action_response" nor "hello"`},
		{"a hello", `{"protocol":"ludux/1","type":"hello","key":"secret"}`, `1 malformed: type is "hello", not "action_response"`},
		{"no match", `{"protocol":"ludux/1","type":"action_response","seq":1,"action":3}`, `1 malformed: there is no match_id`},
		{"no seq", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","action":3}`, `1 malformed: there is no seq`},
		{"a seq with a fraction", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":1.5,"action":3}`, `1 malformed: seq: "1.5" is no integer`},
		{"a negative seq", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":-1,"action":3}`, `1 malformed: seq: "-1" is not 0 to`},
		{"seq as text", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":"1","action":3}`, `1 malformed: seq is a string, not a number`},
		{"a seat beyond all", `{` + envelope + `,"seat":64,"action":3}`, `1 malformed: seat: "64" is not 0 to 63`},
		{"a negative seat", `{` + envelope + `,"seat":-1,"action":3}`, `1 malformed: seat: "-1" is not 0 to 63`},
		{"a seat that a byte would take for 0", `{` + envelope + `,"seat":256,"action":3}`, `1 malformed: seat: "256" is not 0 to 63`},
		{"a seat with a fraction", `{` + envelope + `,"seat":0.5,"action":3}`, `1 malformed: seat: "0.5" is no integer`},
		{"seat as text", `{` + envelope + `,"seat":"0","action":3}`, `1 malformed: seat is a string, not a number`},
		{"seats", `{` + envelope + `,"seat":[0],"action":3}`, `1 malformed: seat is an array, not a number`},
		{"a seat twice", `{` + envelope + `,"seat":0,"seat":0,"action":3}`, `1 malformed: not one JSON object`},
		{"malformed and of its seat", `{` + envelope + `,"seat":0}`, `1 malformed: there is no action`},
		{"malformed and of another seat", `{` + envelope + `,"seat":1}`, `0 malformed: there is no action`},
		{"no action", `{` + envelope + `}`, `1 malformed: there is no action`},
		{"null", `{` + envelope + `,"action":null}`, `1 malformed: there is no action`},
		{"a fraction", `{` + envelope + `,"action":1.5}`, `1 malformed: action: a number in it is no integer`},
		{"beyond a float64", `{` + envelope + `,"action":1e400}`, `1 malformed: "action": byte 0: number beyond a float64`},
		{"malformed and of another request", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":7}`, `0 malformed: there is no action`},
		{"malformed and of another match", `{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seq":1}`, `0 malformed: there is no action`},
		{"16,384 bytes", pad(`{`+envelope+`,"action":3}`, MaxReply), `1 3 ""`},
		{"16,385 bytes", pad(`{`+envelope+`,"action":3}`, MaxReply+1), `1 oversized: an answer has at most 16384 bytes`},
		{"40,000 bytes", pad(`{`+envelope+`,"action":3}`, 40_000), `1 oversized: an answer has at most 16384 bytes`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := DecodeReply([]byte(tt.body), r)
			if got := show(a); got != tt.want && (a.Fault == referee.NoFault || !strings.HasPrefix(got, tt.want)) {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
			if a.To.By != referee.ByAsk || a.Fault != referee.NoFault && (a.Action != "" || a.Note != "") {
				t.Errorf("%+v", a)
			}
		})
	}
}

// pad puts spaces behind a text.
func pad(s string, n int) string { return s + strings.Repeat(" ", n-len(s)) }

// TestStale: the referee refuses what is addressed to another match or request, and nothing happens by it.
func TestStale(t *testing.T) {
	m := connectFour(t)
	r := first(t, m)
	for _, body := range []string{
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seq":1,"action":3}`,
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":2,"action":3}`,
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":0,"action":3}`,
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":99999999999,"action":3}`,
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":2}`,
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seq":1,"action":null}`,
		`{` + envelope + `,"seat":1,"action":3}`,
		`{` + envelope + `,"seat":1}`,
	} {
		if v := hand(m, began+10, r, body); v.Code != referee.WasStale {
			t.Errorf("%s: %+v", body, v)
		}
	}
	if v := hand(m, began+20, r, `{`+envelope+`,"action":3}`); v.Code != referee.OK {
		t.Errorf("the good one: %+v", v)
	}
	if v := hand(m, began+30, r, `{`+envelope+`,"action":3}`); v.Code != referee.WasStale {
		t.Errorf("the same again: %+v", v)
	}
}

// TestSeat: the seat stands behind seq, and only where there is one; it is read back.
func TestSeat(t *testing.T) {
	for want, seat := range map[string]*game.Seat{"": nil, `,"seat":0`: new(game.Seat(0)), `,"seat":63`: new(game.Seat(63))} {
		m := &ActionResponse{MatchID: "m-1a2b3c4d5e", Seq: 1, Seat: seat, Action: "3", Commentary: "c"}
		frame := string(m.Append(nil))
		if frame != `{`+envelope+want+`,"action":3,"commentary":"c"}` {
			t.Errorf("wrote %s", frame)
		}
		back, err := DecodeFromAgent([]byte(frame))
		if diff := cmp.Diff(Message(m), back); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
	}
	for frame, want := range map[string]*game.Seat{
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seat":3}`:   new(game.Seat(3)),
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seat":"3"}`: nil,
		`{"protocol":"ludux/1","type":"action_response","match_id":"m-2"}`:            nil,
	} {
		_, err := DecodeFromAgent([]byte(frame))
		var bad *FrameError
		if !errors.As(err, &bad) || !cmp.Equal(bad.Seat, want) {
			t.Errorf("%s: %+v", frame, bad)
		}
	}
}

// TestRespondSeat: a response names its seat where the agent has others in the match.
func TestRespondSeat(t *testing.T) {
	who := agents(2)
	alone := []referee.Agent{who[0], who[0]}
	for _, tt := range []struct {
		agents []referee.Agent
		want   *game.Seat
	}{{who, nil}, {alone, new(game.Seat(1))}, {make([]referee.Agent, 2), nil}} {
		m := newMatchOf(t, game.New(pair{}), "", "", tt.agents)
		r := requests(m)[1]
		got := read(t, write(t, r)).Respond("1", "c")
		if diff := cmp.Diff(&ActionResponse{MatchID: r.Match(), Seq: 1, Seat: tt.want, Action: "1", Commentary: "c"}, got); diff != "" {
			t.Errorf("%v: %s", tt.agents, diff)
		}
		if v := hand(m, began, r, string(got.Append(nil))); v.Code != referee.OK {
			t.Errorf("%+v", v)
		}
	}
}

// TestFrames: a WebSocket carries more than the answer to a POST may have, and says what is wrong with the ids that came.
func TestFrames(t *testing.T) {
	r := first(t, connectFour(t))
	m, err := DecodeFromAgent([]byte(pad(`{`+envelope+`,"action":3}`, MaxFrame)))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&ActionResponse{MatchID: "m-1a2b3c4d5e", Seq: 1, Action: "3"}, m.(*ActionResponse)); diff != "" {
		t.Error(diff)
	}
	for _, tt := range []struct {
		name, frame string
		reply       Error
		fault       referee.Fault
		ask         int32
	}{
		{"too large", pad(`{`+envelope+`,"action":3}`, MaxFrame+1), Error{Code: CodeFrameTooLarge, Message: "a message has at most 32768 bytes"}, referee.Oversized, 1},
		{"no JSON", `{"match_id":"m-9",`, Error{Code: CodeMalformed, Message: "not one JSON object: byte 18: unexpected end"}, referee.Malformed, 1},
		{"ids alone", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":5}`, Error{Code: CodeMalformed, Message: "there is no action", MatchID: "m-1a2b3c4d5e", Seq: 5}, referee.Malformed, 0},
		{"a match alone", `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e"}`, Error{Code: CodeMalformed, Message: "there is no seq\nthere is no action", MatchID: "m-1a2b3c4d5e"}, referee.Malformed, 1},
		{"another match", `{"protocol":"ludux/1","type":"action_response","match_id":"m-2","seq":1}`, Error{Code: CodeMalformed, Message: "there is no action", MatchID: "m-2", Seq: 1}, referee.Malformed, 0},
		{"a hello without key", `{"protocol":"ludux/1","type":"hello"}`, Error{Code: CodeMalformed, Message: "there is no key"}, referee.Malformed, 1},
		{"an empty key", `{"protocol":"ludux/1","type":"hello","key":""}`, Error{Code: CodeMalformed, Message: "key has 0 bytes, not 1 to 512"}, referee.Malformed, 1},
		{"a long key", `{"protocol":"ludux/1","type":"hello","key":"` + strings.Repeat("k", 513) + `"}`, Error{Code: CodeMalformed, Message: "key has 513 bytes, not 1 to 512"}, referee.Malformed, 1},
		{"what an arena sends", `{"protocol":"ludux/1","type":"match_end"}`, Error{Code: CodeMalformed, Message: `type is "match_end", neither "action_response" nor "hello"`}, referee.Malformed, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := DecodeFromAgent([]byte(tt.frame))
			var bad *FrameError
			if m != nil || !errors.As(err, &bad) {
				t.Fatalf("%v, %v", m, err)
			}
			if diff := cmp.Diff(&tt.reply, bad.Reply()); diff != "" {
				t.Error(diff)
			}
			if a := bad.Answer(r); a.Fault != tt.fault || a.To != (referee.Address{By: referee.ByAsk, N: tt.ask}) || a.Detail != tt.reply.Message {
				t.Errorf("%+v", a)
			}
			if !strings.Contains(err.Error(), string(tt.reply.Code)) || !errors.Is(err, bad.Err) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestNoRequest: without an open request everything is stale, and nothing breaks.
func TestNoRequest(t *testing.T) {
	a := (&ActionResponse{MatchID: "m-1", Seq: 3, Action: "1.5"}).Answer(nil)
	if show(a) != `0 1.5 ""` {
		t.Errorf("%+v", a)
	}
	a = (&FrameError{Code: CodeMalformed, Err: errors.New("bad")}).Answer(nil)
	if show(a) != "0 malformed: bad" {
		t.Errorf("%+v", a)
	}
}

// TestListedVerbatim: every action of every list is accepted as it stands, and so is its JSON in another order.
func TestListedVerbatim(t *testing.T) {
	for _, start := range []func(tester) *referee.Match{connectFour, chessMatch, village} {
		m := start(t)
		for turn := range 12 {
			r := first(t, m)
			asked := read(t, write(t, r))
			if len(asked.LegalActions) == 0 {
				t.Fatalf("%s, turn %d: nothing is listed", asked.Game, turn)
			}
			for _, a := range asked.LegalActions {
				got := DecodeReply(asked.Respond(a, "").Append(nil), r)
				if got.Fault != referee.NoFault || got.Action != a || got.To.N != r.Ask {
					t.Fatalf("%s became %+v", a, got)
				}
			}
			play(t, m, began, r, asked.LegalActions[turn%len(asked.LegalActions)])
		}
	}
}

// TestActionText: what is no Unicode in an action is U+FFFD, as in all text, and costs nobody a match.
func TestActionText(t *testing.T) {
	r := first(t, discussion(t))
	for said, want := range map[string]game.Action{
		`"plain"`:                 `{"type":"say","text":"plain"}`,
		"\"bad \xff byte\"":       `{"type":"say","text":"bad � byte"}`,
		`"half \ud83d of it"`:     `{"text":"half � of it","type":"say"}`,
		`"whole \ud83d\ude00"`:    `{"text":"whole 😀","type":"say"}`,
		`"a \u0000 and \u001f"`:   `{"text":"a \u0000 and \u001f","type":"say"}`,
		`"line\nbreak \" and \\"`: `{"type":"say","text":"line\nbreak \" and \\"}`,
	} {
		a := DecodeReply([]byte(respond(r, `"action":{"type":"say","text":`+said+`}`)), r)
		if a.Fault != referee.NoFault || a.Action != want {
			t.Errorf("%q: %+v, want %s", said, a, want)
		}
		again := discussion(t)
		if v, _ := again.Answer(began, r.Seat, &a); v.Code != referee.OK {
			t.Errorf("%q: %+v", said, v)
		}
	}
}

// discussion gives a match of Werewolf in which somebody is to speak.
func discussion(t tester) *referee.Match {
	m := village(t)
	for r := first(t, m); r.Phase != "day_discussion"; r = first(t, m) {
		a, _ := r.Default()
		play(t, m, began, r, a)
	}
	return m
}

// TestFractions: a fraction is malformed where listed actions have integers, and else what the rules make of it.
func TestFractions(t *testing.T) {
	written := func(list string) *referee.Match {
		return newMatch(t, game.New(chronicle{}), `{"list":"`+list+`"}`, "", 2)
	}
	for _, tt := range []struct {
		name   string
		match  *referee.Match
		action string
		want   referee.Fault
	}{
		{"a listed one has a fraction there", written("all"), `{"type":"weigh","weight":0.25}`, referee.NoFault},
		{"no listed one has a number there", written("none"), `{"type":"weigh","weight":2.5e0}`, referee.NoFault},
		{"an integer", written("none"), `{"type":"weigh","weight":2.0}`, referee.NoFault},
		{"a column", connectFour(t), `1.5`, referee.Malformed},
		{"a column, with an exponent", connectFour(t), `15e-1`, referee.Malformed},
		{"the least", connectFour(t), `5e-324`, referee.Malformed},
		{"a seat", village(t), `{"type":"peek","target":2.5}`, referee.Malformed},
		{"beside the seat", village(t), `{"type":"peek","target":2,"confidence":0.8}`, referee.NoFault},
		{"a cell", newMatch(t, grid.New(), "", "", 2), `{"row":4,"col":4.5}`, referee.Malformed},
		{"beside a cell", newMatch(t, grid.New(), "", "", 2), `{"row":4,"col":4,"score":4.5}`, referee.NoFault},
		{"no number is a move", chessMatch(t), `[1,{"x":0.5}]`, referee.NoFault},
	} {
		r := first(t, tt.match)
		if a := DecodeReply([]byte(respond(r, `"action":`+tt.action)), r); a.Fault != tt.want {
			t.Errorf("%s, %s: %+v", tt.name, tt.action, a)
		}
	}
	for _, tt := range []struct {
		action string
		listed []string
		want   bool
	}{
		{`0.5`, []string{`null`, `1`}, true}, {`0.5`, []string{`1`, `1.5`}, false}, {`0.5`, []string{`"1"`, `[1]`}, false}, {`0.5`, nil, false},
		{`[1,0.5]`, []string{`[0.5,1]`}, true}, {`[1,0.5]`, []string{`[1]`}, false}, {`{"a":[0.5]}`, []string{`{"b":[1]}`, `{"a":1}`, `{"a":[2,0.5]}`}, true},
	} {
		if got := fit.Misplaced(parsed(t, tt.action), parsedAll(t, tt.listed)); got != tt.want {
			t.Errorf("%s among %q: %v", tt.action, tt.listed, got)
		}
	}
}

// TestRoles: a match of nine has the seats that the tests of Werewolf go by.
func TestRoles(t *testing.T) {
	roles := map[werewolf.Role]int{}
	for _, r := range requests(village(t)) {
		role, _ := r.View().(werewolf.View).YourRole.Get()
		roles[role]++
	}
	if diff := cmp.Diff(map[werewolf.Role]int{werewolf.Seer: 1, werewolf.Werewolf: 2}, roles); diff != "" {
		t.Error(diff)
	}
}
