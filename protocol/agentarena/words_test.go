package agentarena

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestOpenMoves: the words of a move travel in the reason.
func TestOpenMoves(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"words", `{"move":"say","nonce":"NONCE","reason":"hello"}`, `{"text":"hello","type":"say"} ""`},
		{"words in need of escapes", `{"move":"say","nonce":"NONCE","reason":"\"a\"\\\n<é>"}`, `{"text":"\"a\"\\ <é>","type":"say"} ""`},
		{"no words", `{"move":"say","nonce":"NONCE"}`, `{"text":"","type":"say"} ""`},
		{"empty words", `{"move":"say","nonce":"NONCE","reason":""}`, `{"text":"","type":"say"} ""`},
		{"words that are none", `{"move":"say","nonce":"NONCE","reason":7}`, `{"text":"","type":"say"} ""`},
		{"too many words", `{"move":"say","nonce":"NONCE","reason":"` + strings.Repeat("é", 300) + `"}`, `{"text":"` + strings.Repeat("é", 280) + `","type":"say"} ""`},
		{"a move without words, and a reason", `{"move":"pass","nonce":"NONCE","reason":"tired"}`, `{"type":"pass"} "tired"`},
		{"a listed move, and a reason", `{"move":"vote 1","nonce":"NONCE","reason":"loud"}`, `{"target":1,"type":"vote"} "loud"`},
		{"words in the place of the move", `{"move":"hello","nonce":"NONCE"}`, `illegal: "hello" is not in legal: say, pass, vote 0, vote 1`},
		{"kind and words in one", `{"move":"say hello","nonce":"NONCE"}`, `illegal: "say hello" is not in legal: say, pass, vote 0, vote 1`},
	}
	r := requestAfter(t, game.New(parley{}), []string{"Ann", "Bob"})
	if diff := cmp.Diff([]string{"say", "pass", "vote 0", "vote 1"}, mustRequest(t, r).Legal); diff != "" {
		t.Fatal(diff)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, show(Decode(200, []byte(withNonce(tt.body)), nonce, r))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestRulesJudgeWords: what the rules do not let be said is an illegal move like any other.
func TestRulesJudgeWords(t *testing.T) {
	m := newMatch(t, game.New(parley{}), "Ann", "Bob")
	v := answer(t, m, withNonce(`{"move":"say","nonce":"NONCE","reason":"damn"}`))
	if v.Fault != referee.Illegal || v.Do != referee.DoStrike || !strings.Contains(v.Detail, "mind your words") {
		t.Errorf("%+v", v)
	}
}

func TestSay(t *testing.T) {
	const none = "(a note)"
	tests := []struct{ name, listed, form, want string }{
		{"properties alone", `{"text":""}`, `{"properties":{"text":{"type":"string"}}}`, `{"text":"hi"}`},
		{"no type is any type", `{"text":""}`, `{"properties":{"text":{}}}`, `{"text":"hi"}`},
		{"one of several types", `{"text":""}`, `{"properties":{"text":{"type":["null","string"]}}}`, `{"text":"hi"}`},
		{"const agrees", `{"a":"","do":"say","z":1}`, `{"properties":{"do":{"const":"say"},"a":{"type":"string","maxLength":9}}}`, `{"a":"hi","do":"say","z":1}`},
		{"const of a number agrees", `{"n":1,"text":""}`, `{"properties":{"n":{"const":1.0},"text":{}}}`, `{"n":1,"text":"hi"}`},
		{"enum agrees", `{"do":"say","text":""}`, `{"properties":{"do":{"enum":["say","ask"]},"text":{}}}`, `{"do":"say","text":"hi"}`},
		{"later branch", `{"do":"ask","text":""}`, `{"oneOf":[{"properties":{"do":{"const":"say"},"text":{}}},{"properties":{"do":{"const":"ask"},"text":{}}}]}`, `{"do":"ask","text":"hi"}`},
		{"branch of a branch", `{"do":"ask","text":""}`, `{"anyOf":[{"oneOf":[{"properties":{"do":{"const":"ask"},"text":{}}}]}]}`, `{"do":"ask","text":"hi"}`},
		{"text beside branches", `{"do":"say","text":""}`, `{"properties":{"text":{}},"oneOf":[{"properties":{"do":{"const":"say"}}}]}`, `{"do":"say","text":"hi"}`},
		{"an action that is text", `""`, `{"type":"string"}`, `"hi"`},
		{"an action that is text, in a branch", `""`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, `"hi"`},

		{"const differs", `{"do":"pass","text":""}`, `{"properties":{"do":{"const":"say"},"text":{"type":"string"}}}`, none},
		{"enum differs", `{"do":"pass","text":""}`, `{"properties":{"do":{"enum":["say"]},"text":{}}}`, none},
		{"no branch agrees", `{"do":"pass","text":""}`, `{"properties":{"text":{}},"oneOf":[{"properties":{"do":{"const":"say"}}}]}`, none},
		{"const of the whole differs", `{"do":"pass","text":""}`, `{"properties":{"do":{"const":"say"}},"oneOf":[{"properties":{"text":{}}}]}`, none},
		{"no such member", `{"do":"say"}`, `{"properties":{"text":{}}}`, none},
		{"member that the schema does not know", `{"words":""}`, `{"properties":{"text":{}}}`, none},
		{"member that says something", `{"text":"x"}`, `{"properties":{"text":{}}}`, none},
		{"member of another type", `{"text":""}`, `{"properties":{"text":{"type":"integer"}}}`, none},
		{"member that may say one thing", `{"text":""}`, `{"properties":{"text":{"const":""}}}`, none},
		{"member that may say few things", `{"text":""}`, `{"properties":{"text":{"enum":["","x"]}}}`, none},
		{"two such members", `{"a":"","b":""}`, `{"properties":{"a":{},"b":{}}}`, none},
		{"an action that is text, where objects are wanted", `""`, `{"type":"object"}`, none},
		{"an action that is a number", `3`, `{"type":"string"}`, none},
		{"an action that is a list", `[""]`, `{"properties":{"0":{}}}`, none},
		{"no schema", `{"text":""}`, `7`, none},
		{"branches that are no schemas", `{"text":""}`, `{"anyOf":[7,"x"],"properties":{"text":{}}}`, none},
		{"branches without an end", `{"text":""}`, strings.Repeat(`{"anyOf":[`, 40) + `{"properties":{"text":{}}}` + strings.Repeat(`]}`, 40), none},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := say(game.Action(tt.listed), json.RawMessage(tt.form), "hi")
			if !ok {
				got = none
			}
			if string(got) != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if !ok {
				return
			}
			if c, err := game.Canonical([]byte(got)); err != nil || c != got {
				t.Errorf("%s is not canonical: %s, %v", got, c, err)
			}
		})
	}
}
