package agentarena

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
)

// TestReports holds this format to reports that users of comparable programs made; see testdata/reports.jsonl.
func TestReports(t *testing.T) {
	t.Run("B44", func(t *testing.T) {
		for _, body := range []string{
			`My move could be {"move":"e","nonce":"NONCE"} ... actually ` + "```json\n{\"move\":\"g\",\"nonce\":\"NONCE\"}\n```",
			"```json\n{\"move\":\"e\",\"nonce\":\"NONCE\"}\n```",
			`{"move":"e","nonce":"NONCE"} {"move":"g","nonce":"NONCE"}`,
			`[{"move":"e","nonce":"NONCE"}]`,
		} {
			m := newMatch(t, connectfour.New(), two...)
			v := answer(t, m, withNonce(body))
			if v.Code != referee.Refused || v.Fault != referee.Malformed || v.Do != referee.DoStrike || v.Strikes != 1 {
				t.Errorf("%s: %+v", body, v)
			}
			m.Tick(m.Wake())
			if got := openRequest(t, m); got.Turn != 0 || got.Seat != 0 {
				t.Errorf("%s: turn %d of seat %v is open", body, got.Turn, got.Seat)
			}
		}
	})
	t.Run("B46", func(t *testing.T) {
		wide := game.New(connectfour.Rules{Columns: 16, Rows: 7, Connect: 4})
		for _, tt := range []struct {
			game   game.Game
			agents []string
			listed int
		}{
			{connectfour.New(), two, 7},
			{wide, two, 16},
			{game.New(parley{}), []string{"Ann", "Bob", "Cy"}, 5},
		} {
			legal := mustRequest(t, requestAfter(t, tt.game, tt.agents)).Legal
			if len(legal) != tt.listed {
				t.Errorf("%q are listed, want %d", legal, tt.listed)
			}
			for _, move := range legal {
				m := newMatch(t, tt.game, tt.agents...)
				if v := answer(t, m, reply(move)); v.Code != referee.OK {
					t.Errorf("%q: %+v", move, v)
				}
				m = newMatch(t, tt.game, tt.agents...)
				body := AppendReply(nil, Reply{Move: move, Nonce: nonce, Reason: "because"})
				if v := answer(t, m, string(body)); v.Code != referee.OK {
					t.Errorf("%q with a reason: %+v", move, v)
				}
			}
		}
	})
	t.Run("B48", func(t *testing.T) {
		m := newMatch(t, connectfour.New(), two...)
		if v := answer(t, m, withNonce(`{"thoughts":"...","move":"e","confidence":0.9,"nonce":"NONCE","usage":{"tokens":[1,2]}}`)); v.Code != referee.OK {
			t.Fatalf("%+v", v)
		}
		want := AppendRequest(nil, connectFour(t, "e"), nonce, replayURL)
		if diff := cmp.Diff(string(want), string(AppendRequest(nil, openRequest(t, m), nonce, replayURL))); diff != "" {
			t.Error(diff)
		}
	})
	t.Run("B50", func(t *testing.T) {
		for body, want := range map[string]referee.Fault{
			`{"move":"e","nonce":"NONCE"}`: referee.NoFault,
			`{"move":"e"}`:                 referee.BadNonce, // the nonce is no optional member
			`{}`:                           referee.Malformed,
			`null`:                         referee.Malformed,
			`[]`:                           referee.Malformed,
		} {
			m := newMatch(t, connectfour.New(), two...)
			v := answer(t, m, withNonce(body))
			strikes := 1
			if want == referee.NoFault {
				strikes = 0
			}
			if v.Fault != want || v.Strikes != strikes {
				t.Errorf("%s: %+v, want %v and %d strikes", body, v, want, strikes)
			}
		}
	})
}
