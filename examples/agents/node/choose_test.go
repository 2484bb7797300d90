package node_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
)

// TestChoose asks about positions where one thing, or one kind of thing, is to be chosen.
func TestChoose(t *testing.T) {
	const empty = `[null,null,null,null,null,null,null]`
	four := func(rows ...string) string {
		for len(rows) < 6 {
			rows = append(rows, empty)
		}
		board := rows[0]
		for _, r := range rows[1:] {
			board += "," + r
		}
		return `{"board":[` + board + `],"you_are":0,"to_move":0,"ply":6,"last_move":null,"move_history":[]}`
	}
	village := func(role, phase, private string) string {
		return fmt.Sprintf(`{"your_role":%q,"day":2,"phase":%q,"players":[{"seat":0,"name":"me","alive":true},{"seat":1,"name":"a","alive":true},{"seat":2,"name":"b","alive":false},`+
			`{"seat":3,"name":"c","alive":true}],"you_are":0,"public_log":[],"private":%s}`, role, phase, private)
	}
	columns := []game.Action{"0", "1", "2", "3", "4", "5", "6"}
	votes := []game.Action{`{"target":1,"type":"vote"}`, `{"target":3,"type":"vote"}`, `{"target":null,"type":"vote"}`}
	say := []game.Action{`{"text":"","type":"say"}`}
	tests := []struct {
		name, game, state string
		legal             []game.Action
		want              []game.Action // any of them
	}{
		{"a win", "connect-four", four(`[0,0,0,null,1,1,1]`), columns, columns[3:4]},
		{"a win upward", "connect-four", four(`[0,1,null,null,null,null,1]`, `[0,1,null,null,null,null,null]`, `[0,1,null,null,null,null,null]`), columns, columns[:1]},
		{"a win on a diagonal", "connect-four", four(`[0,1,1,1,null,null,null]`, `[null,0,1,0,null,null,null]`, `[null,null,0,1,null,null,null]`), columns, columns[3:4]},
		{"a block", "connect-four", four(`[1,1,1,null,null,0,0]`), columns, columns[3:4]},
		{"the middle", "connect-four", four(), columns, columns[2:5]},
		{"the queen", "chess", `{"fen":"4k3/8/8/3q4/4P3/8/8/3RK3 w - - 0 1","you_are":"white","move_history_uci":[],"halfmove_clock":0}`,
			[]game.Action{`"e4e5"`, `"e1e2"`, `"d1d2"`, `"e4d5"`, `"d1d5"`}, []game.Action{`"e4d5"`, `"d1d5"`}},
		{"a queen", "chess", `{"fen":"4k3/P7/8/8/8/8/8/4K3 w - - 0 1","you_are":"white","move_history_uci":[],"halfmove_clock":0}`,
			[]game.Action{`"a7a8n"`, `"a7a8q"`, `"e1e2"`}, []game.Action{`"a7a8q"`}},
		{"who was seen", "werewolf", village("seer", "day_vote", `{"peeks":[{"day":1,"target":3,"is_werewolf":true}]}`), votes, votes[1:2]},
		{"not who was cleared", "werewolf", village("seer", "day_vote", `{"peeks":[{"day":1,"target":3,"is_werewolf":false}]}`), votes, votes[:1]},
		{"not the pack", "werewolf", village("werewolf", "day_vote", `{"packmates":[1],"kills":[]}`), votes, votes[1:2]},
		{"not again", "werewolf", village("seer", "night_action", `{"peeks":[{"day":1,"target":3,"is_werewolf":false}]}`),
			[]game.Action{`{"target":1,"type":"peek"}`, `{"target":3,"type":"peek"}`, `{"target":null,"type":"peek"}`}, []game.Action{`{"target":1,"type":"peek"}`}},
		{"words", "werewolf", village("seer", "day_discussion", `{"peeks":[{"day":1,"target":3,"is_werewolf":true}]}`), say,
			[]game.Action{`{"type":"say","text":"I do not trust seat 3."}`, `{"type":"say","text":"Seat 3 has been quiet."}`, `{"type":"say","text":"What does seat 3 say to that?"}`}},
		{"another game", "pig", `{}`, []game.Action{`"hold"`, `{"roll":[1,2]}`}, []game.Action{`"hold"`, `{"roll":[1,2]}`}},
	}
	a := scripted(t, func(c *end) {
		c.welcome()
		for i, tt := range tests {
			c.send(&ludux.ActionRequest{
				MatchID: fmt.Sprint("m-", i), Game: tt.game, GameVersion: "1.0.0", Ruleset: json.RawMessage(`{"connect":4}`), Seq: 1, Deadline: time.Minute,
				Agent: ludux.Identity{Slug: "ann"}, State: json.RawMessage(tt.state), LegalActions: tt.legal,
			})
			if r := c.response(fmt.Sprint("m-", i), 1); !slices.Contains(tt.want, r.Action) {
				t.Errorf("%s: %s, none of %s", tt.name, r.Action, tt.want)
			}
		}
		c.over("m-0")
	})
	p := start(t, install(t), "secret-key", "--url", a.url, "--matches", "1")
	p.ends(0)
	if words := p.err.String(); words != "" {
		t.Errorf("the agent complained:\n%s", words)
	}
}
