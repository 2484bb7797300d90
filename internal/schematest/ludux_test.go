package schematest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var luduxKinds = []ludux.Kind{
	ludux.KindActionRequest, ludux.KindActionResponse, ludux.KindHello, ludux.KindWelcome,
	ludux.KindMatchStart, ludux.KindMatchEnd, ludux.KindTimeoutWarning, ludux.KindError, ludux.KindPublicState,
}

// luduxSchemas compiles the schemas of all kinds of messages.
func luduxSchemas(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	if s := ludux.Schema("resign"); s != "" {
		t.Fatalf("an unknown kind has a schema: %s", s)
	}
	all := map[string]*jsonschema.Schema{}
	for _, k := range luduxKinds {
		all[string(k)] = compile(t, ludux.Schema(k))
	}
	return all
}

// fits holds a message against the schema of the type that it names.
func fits(all map[string]*jsonschema.Schema, message string) error {
	var head struct{ Type string }
	if err := json.Unmarshal([]byte(message), &head); err != nil {
		return err
	}
	s, ok := all[head.Type]
	if !ok {
		return fmt.Errorf("there is no schema of %q", head.Type)
	}
	return validate(s, message)
}

// The samples of the format's own document, what it leaves out filled in.
const (
	luduxRequest = `{"protocol":"ludux/1","type":"action_request","match_id":"m-1a2b3c4d5e","game":"connect-four","game_version":"1.0.0",` +
		`"ruleset":{"columns":7,"rows":6,"connect":4,"move_time_ms":15000},"agent":{"slug":"my-agent","version":3},"seat":0,"seq":12,"phase":null,` +
		`"deadline_ms":15000,"deadline_at":"2026-08-28T20:00:00+00:00","issued_at":"2026-08-28T19:59:45+00:00",` +
		`"state":{"board":[[null,null,0,1],[null,null,null,null],[null,null,null,null],[null,null,null,null]],"you_are":0,"to_move":0,"ply":4,` +
		`"last_move":{"seat":1,"column":3,"row":0},"move_history":[3,3,0,2]},"legal_actions":[0,1,2,3],` +
		`"opponents":[{"slug":"bob","name":"Bob","seat":1,"rating":1500,"house":true}]}`
	luduxResponse = `{"protocol":"ludux/1","type":"action_response","match_id":"m-1a2b3c4d5e","seq":12,"action":3,"commentary":"Blocking column 4."}`
	luduxHello    = `{"protocol":"ludux/1","type":"hello","key":"k"}`
	luduxWelcome  = `{"protocol":"ludux/1","type":"welcome","agent":{"slug":"my-agent","version":3},"max_frame_bytes":32768,"ping_ms":15000,"replaced":false}`
	luduxEnd      = `{"protocol":"ludux/1","type":"match_end","match_id":"m-1","seat":0,"cause":"play","reason":"connect","outcome":"win","rated":true,` +
		`"returns":[1,-1],"scores":[],"places":[1,2]}`
	luduxWarning = `{"protocol":"ludux/1","type":"timeout_warning","match_id":"m-1","seat":0,"seq":12,"deadline_ms":5000,"deadline_at":"2026-08-28T20:00:00+00:00"}`
	luduxError   = `{"protocol":"ludux/1","type":"error","code":"stale_response","message":"that request is not open","match_id":"m-1","seq":11}`
)

// TestLuduxMessages: every kind of message, full and as bare as it may be, fits its schema, and so do the samples.
func TestLuduxMessages(t *testing.T) {
	all := luduxSchemas(t)
	at := time.Date(2026, 8, 28, 20, 0, 0, 0, time.UTC)
	agent := ludux.Identity{Slug: "ann", Version: "1.2-beta"}
	messages := []string{luduxRequest, luduxResponse, luduxHello, luduxWelcome, luduxEnd, luduxWarning, luduxError}
	for _, m := range []ludux.Message{
		&ludux.Hello{Key: "s3cret"},
		&ludux.Welcome{Agent: agent, MaxFrame: ludux.MaxFrame, Ping: 15 * time.Second, Replaced: true},
		&ludux.Welcome{MaxFrame: 1},
		&ludux.MatchStart{MatchID: "m", Game: "g", GameVersion: "1", Agent: agent},
		&ludux.MatchEnd{MatchID: "m", Cause: referee.CauseVoid, Outcome: ludux.None},
		&ludux.TimeoutWarning{MatchID: "m", Seq: 1, DeadlineAt: at},
		&ludux.Error{Code: ludux.CodeRateLimited, Message: strings.Repeat("é", 300), RetryAfter: time.Second},
		&ludux.Error{Code: ludux.CodeUnauthorized, MatchID: strings.Repeat("é", 300), Seq: 1 << 40},
		&ludux.ActionResponse{MatchID: "m", Seq: 1, Action: `{"type":"say","text":""}`},
		&ludux.ActionResponse{MatchID: "m", Seq: 1, Seat: new(game.Seat(63)), Action: "3"},
		&ludux.ActionRequest{MatchID: "m", Game: "g", GameVersion: "1", Seq: 1, DeadlineAt: at, IssuedAt: at, State: json.RawMessage("{}")},
	} {
		messages = append(messages, string(m.Append(nil)))
	}
	for _, m := range messages {
		if err := fits(all, m); err != nil {
			t.Errorf("%v\n%s", err, m)
		}
	}
}

// TestLuduxGolden: all messages of the golden conversations fit; of what agents send, those that were not malformed.
func TestLuduxGolden(t *testing.T) {
	all := luduxSchemas(t)
	files, err := filepath.Glob("../../testdata/ludux/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden conversations: %v", err)
	}
	seen := map[string]int{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		response := ""
		for line := range strings.Lines(string(data)) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case len(line) > 3 && line[1:3] == "> ":
				var head struct{ Type, Game, Phase string }
				if err := json.Unmarshal([]byte(line[3:]), &head); err != nil {
					t.Fatal(err)
				}
				seen[strings.TrimSpace(head.Type+" "+head.Game+" "+head.Phase)]++
				if err := fits(all, line[3:]); err != nil {
					t.Errorf("%s: %v\n%s", name, err, line)
				}
			case len(line) > 3 && line[1:3] == "< ":
				response = line[3:]
			case strings.HasPrefix(line, "= ") && response != "":
				err := fits(all, response)
				// A fraction fits, for other games may have some.
				if bad := strings.Contains(line, "malformed") && !strings.Contains(line, "integer"); bad != (err != nil) {
					t.Errorf("%s: %v\n%s\n%s", name, err, response, line)
				}
				seen[map[bool]string{true: "good response", false: "bad response"}[err == nil]]++
				response = ""
			}
		}
	}
	for what, least := range map[string]int{
		"good response": 30, "bad response": 2, "action_request connect-four": 8, "action_request chess": 5, "action_request grid": 3,
		"action_request werewolf night_action": 4, "action_request werewolf day_discussion": 16, "action_request werewolf day_vote": 8,
		"match_end": 12, "timeout_warning": 2, "error": 5, "match_start connect-four": 2, "match_start werewolf": 1,
	} {
		if seen[what] < least {
			t.Errorf("%s: only %d", what, seen[what])
		}
	}
}

// TestLuduxGames: whatever the library writes in random games fits, in each phase of each game.
func TestLuduxGames(t *testing.T) {
	all := luduxSchemas(t)
	phases := map[string]int{}
	for i, tt := range []struct {
		game    game.Game
		ruleset string
		seats   int
	}{
		{connectfour.New(), `{}`, 2}, {connectfour.New(), `{"columns":16,"rows":7}`, 2}, {connectfour.New(), `{"columns":4,"rows":4,"connect":3}`, 2},
		{chess.New(), `{}`, 2}, {chess.New(), `{}`, 2}, {grid.New(), `{}`, 2},
		{werewolf.New(), `{}`, 5}, {werewolf.New(), `{"reveal_roles":false}`, 9}, {werewolf.New(), `{}`, 15},
	} {
		table, err := tt.game.Table([]byte(tt.ruleset))
		if err != nil {
			t.Fatal(err)
		}
		policy, clock := ludux.Policy(tt.seats)
		s := referee.Setup{ID: "m1", Table: table, Secret: game.SeedFrom(uint64(i))}
		for n := range tt.seats {
			s.Seats = append(s.Seats, referee.SeatInfo{Agent: referee.Agent{Slug: fmt.Sprint("a", n), Name: fmt.Sprint("É \"<&>\" ", n), Version: fmt.Sprint(n), House: n > 0}, Policy: policy, Clock: clock})
		}
		m, err := referee.New(s)
		if err != nil {
			t.Fatal(err)
		}
		m.Start(1000)
		draw := rand.New(rand.NewPCG(uint64(i), 0))
		for now := referee.Time(1000); ; now++ {
			r, ok := openOne(m, draw)
			if !ok {
				break
			}
			sent, err := ludux.AppendRequest(nil, r, ludux.Delivery{Now: now, MoveTime: clock.Move})
			if err == nil {
				err = fits(all, string(sent))
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, sent)
			}
			got, err := ludux.DecodeFromArena(sent)
			if err != nil {
				t.Fatal(err)
			}
			asked := got.(*ludux.ActionRequest)
			phases[asked.Game+" "+asked.Phase]++
			action := asked.LegalActions[draw.IntN(len(asked.LegalActions))]
			if asked.ActionSchema != nil {
				text, _ := json.Marshal(map[string]string{"type": "say", "text": strings.Repeat("é\x01", draw.IntN(200))})
				action = game.Action(text)
				if err := validate(inner(t, asked.ActionSchema), string(text)); err != nil {
					t.Fatal(err)
				}
			}
			back := asked.Respond(action, strings.Repeat("é", draw.IntN(281))).Append(nil)
			if err := fits(all, string(back)); err != nil {
				t.Fatalf("%v\n%s", err, back)
			}
			for _, more := range []ludux.Message{ludux.StartOf(r.Card(), clock.Move), ludux.WarningOf(r, now)} {
				if err := fits(all, string(more.Append(nil))); err != nil {
					t.Fatal(err)
				}
			}
			a := ludux.DecodeReply(back, r)
			if v, _ := m.Answer(now, r.Seat, &a); v.Code != referee.OK {
				t.Fatalf("%+v\n%s", v, back)
			}
		}
		res, over := m.Result()
		if !over {
			t.Fatal("not over")
		}
		for n := range tt.seats {
			if end := ludux.EndOf("m1", game.Seat(n), res).Append(nil); fits(all, string(end)) != nil {
				t.Errorf("%v\n%s", fits(all, string(end)), end)
			}
		}
	}
	for _, p := range []string{"connect-four ", "chess ", "grid ", "werewolf night_action", "werewolf day_discussion", "werewolf day_vote"} {
		if phases[p] < 10 {
			t.Errorf("%s: only %d requests", p, phases[p])
		}
	}
}

// openOne gives one of the open requests.
func openOne(m *referee.Match, draw *rand.Rand) (*referee.Request, bool) {
	var list []referee.Request
	for s := range game.Seat(len(m.Setup().Seats)) {
		if r, ok := m.Open(s); ok {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return nil, false
	}
	return &list[draw.IntN(len(list))], true
}

// inner compiles an action_schema, which names no draft.
func inner(t *testing.T, text []byte) *jsonschema.Schema {
	t.Helper()
	return compile(t, `{"$schema":"https://json-schema.org/draft/2020-12/schema",`+string(text[1:]))
}

// TestLuduxBad: a sample with one member spoilt or taken away fits no longer.
func TestLuduxBad(t *testing.T) {
	all := luduxSchemas(t)
	head := map[string][]any{"protocol": {nil, "ludux/2", 1}, "type": {"match_pause"}}
	id, count, whole := []any{nil, "", 7}, []any{nil, 0, 1.5, "7"}, []any{nil, -1, 1.5, "7"}
	for _, tt := range []struct {
		sample string
		spoil  map[string][]any // by member; nil is a member taken away
	}{
		{luduxRequest, map[string][]any{
			"match_id": id, "game": id, "game_version": id, "ruleset": {nil, []any{}, map[string]any{"move_time_ms": 0}}, "agent": {nil, "ann", map[string]any{"slug": "ann"}},
			"seat": {nil, -1, 64, 0.5}, "seq": count, "phase": {nil, "night_action", 3}, "deadline_ms": whole, "deadline_at": {nil, "2026-08-28T20:00:00Z", 5},
			"issued_at": {nil, "2026-08-28"}, "state": {nil, map[string]any{}, []any{}}, "legal_actions": {nil, []any{"e2e4"}, []any{3, 3}, 3},
			"opponents": {nil, []any{map[string]any{"slug": "bob"}}, map[string]any{}}, "action_schema": {"say", true}, "truncated": {map[string]any{}, 3},
		}},
		{luduxResponse, map[string][]any{"match_id": id, "seq": count, "seat": {-1, 64, 0.5, "0", []any{}}, "action": {nil}, "commentary": {strings.Repeat("é", 281), 7}}},
		{luduxHello, map[string][]any{"key": {nil, "", 7, strings.Repeat("k", 513)}}},
		{luduxWelcome, map[string][]any{"agent": {nil, "ann"}, "max_frame_bytes": {nil, 0, 40000}, "ping_ms": whole, "replaced": {nil, 1}}},
		{luduxEnd, map[string][]any{
			"match_id": id, "seat": {nil, -1}, "cause": {nil, "boredom"}, "reason": {nil, 7}, "outcome": {nil, "glory"}, "rated": {nil, 1},
			"returns": {nil, 1, []any{"1"}}, "scores": {nil, []any{1.5}}, "places": {nil, []any{0}},
		}},
		{luduxWarning, map[string][]any{"match_id": id, "seat": {nil, 64}, "seq": count, "deadline_ms": whole, "deadline_at": {nil, "soon"}}},
		{luduxError, map[string][]any{"code": {nil, "teapot"}, "message": {nil, 7, strings.Repeat("é", 201)}, "match_id": {nil, 7}, "seq": count, "retry_after_ms": {0, "1 s"}}},
	} {
		var sample map[string]any
		if err := json.Unmarshal([]byte(tt.sample), &sample); err != nil {
			t.Fatal(err)
		}
		maps.Copy(tt.spoil, head)
		for name := range sample {
			if len(tt.spoil[name]) == 0 {
				t.Errorf("no bad value of %s of %v is tried", name, sample["type"])
			}
		}
		for name, values := range tt.spoil {
			for _, v := range values {
				bad := maps.Clone(sample)
				if bad[name] = v; v == nil {
					delete(bad, name)
				}
				text, err := json.Marshal(bad)
				if err != nil {
					t.Fatal(err)
				}
				if fits(all, string(text)) == nil {
					t.Errorf("fits: %s", text)
				}
			}
		}
		if fits(all, tt.sample+"{}") == nil || fits(all, "["+tt.sample+"]") == nil {
			t.Errorf("fits with more around it: %s", tt.sample)
		}
	}
}
