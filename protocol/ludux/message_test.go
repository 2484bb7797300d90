package ludux

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"pgregory.net/rapid"
)

var (
	texts = rapid.OneOf(rapid.String(), rapid.StringN(0, 20, 60), rapid.SampledFrom([]string{"", `"\`, "<&>\u2028\x00\t\x7f", "é😀"}))
	ids   = rapid.StringMatching(`[A-Za-z0-9_:-][A-Za-z0-9_.:-]{0,20}`)
	slugs = rapid.StringMatching(`[a-z0-9_.-]{0,12}`)
	seats = rapid.Map(rapid.IntRange(0, 63), func(n int) game.Seat { return game.Seat(n) })
	seqs  = rapid.Int64Range(1, math.MaxInt32)
	spans = rapid.Map(rapid.Int64Range(0, 1<<40), func(n int64) time.Duration { return time.Duration(n) * time.Millisecond })
	times = rapid.Map(rapid.Int64Range(0, 1<<36), func(n int64) time.Time { return time.Unix(n, 0).UTC() })
	jsons = rapid.SampledFrom([]string{`{}`, `{"a":[1,{"b":null}],"c":"\u00e9\n"}`, `{"move_time_ms":15000}`})
	moves = rapid.Map(rapid.SampledFrom([]string{`3`, `"e2e4"`, `{"target":null,"type":"vote"}`, `[1,2]`, `true`}), func(s string) game.Action { return game.Action(s) })
)

func raw(t *rapid.T, name string) json.RawMessage { return json.RawMessage(jsons.Draw(t, name)) }

func identities(t *rapid.T) Identity {
	return Identity{slugs.Draw(t, "slug"), rapid.OneOf(texts, rapid.SampledFrom([]string{"0", "3", "007", "1.5", "-1", "999999999999999", "9999999999999999"})).Draw(t, "version")}
}

func opponentLists(t *rapid.T) []Opponent {
	list := make([]Opponent, rapid.IntRange(0, 4).Draw(t, "opponents"))
	for i := range list {
		list[i] = Opponent{Slug: slugs.Draw(t, "slug"), Name: texts.Draw(t, "name"), Seat: seats.Draw(t, "seat"), House: rapid.Bool().Draw(t, "house")}
		if rapid.Bool().Draw(t, "rated") {
			x := rapid.Float64Range(-1e9, 1e9).Draw(t, "rating")
			list[i].Rating = &x
		}
	}
	return list
}

// drawn gives a message of some kind, as one that was decoded would be.
func drawn(t *rapid.T) Message {
	switch rapid.IntRange(0, 8).Draw(t, "kind") {
	case 0:
		m := &ActionRequest{
			MatchID: ids.Draw(t, "match"), Game: texts.Draw(t, "game"), GameVersion: texts.Draw(t, "version"), Ruleset: raw(t, "ruleset"), Agent: identities(t),
			Seat: seats.Draw(t, "seat"), Seq: seqs.Draw(t, "seq"), Phase: texts.Draw(t, "phase"), Deadline: spans.Draw(t, "deadline"),
			DeadlineAt: times.Draw(t, "at"), IssuedAt: times.Draw(t, "issued"), State: raw(t, "state"),
			LegalActions: rapid.SliceOfN(moves, 0, 5).Draw(t, "legal"), Opponents: opponentLists(t),
		}
		if rapid.Bool().Draw(t, "open") {
			m.ActionSchema = raw(t, "schema")
		}
		if rapid.Bool().Draw(t, "cut") {
			m.Truncated = &Truncation{texts.Draw(t, "member"), rapid.IntRange(1, 1<<20).Draw(t, "omitted")}
		}
		return m
	case 1:
		m := &ActionResponse{MatchID: ids.Draw(t, "match"), Seq: seqs.Draw(t, "seq"), Action: moves.Draw(t, "action"), Commentary: clean(texts.Draw(t, "commentary"), MaxCommentary)}
		if rapid.Bool().Draw(t, "seated") {
			m.Seat = new(seats.Draw(t, "seat"))
		}
		return m
	case 2:
		return &Hello{Key: rapid.StringN(1, 100, MaxKey).Draw(t, "key")}
	case 3:
		return &Welcome{Agent: identities(t), MaxFrame: rapid.IntRange(1, MaxFrame).Draw(t, "frame"), Ping: spans.Draw(t, "ping"), Replaced: rapid.Bool().Draw(t, "replaced")}
	case 4:
		return &MatchStart{
			MatchID: ids.Draw(t, "match"), Game: texts.Draw(t, "game"), GameVersion: texts.Draw(t, "version"), Ruleset: raw(t, "ruleset"), Agent: identities(t),
			Seat: seats.Draw(t, "seat"), Opponents: opponentLists(t),
		}
	case 5:
		return &MatchEnd{
			MatchID: ids.Draw(t, "match"), Seat: seats.Draw(t, "seat"), Cause: referee.Cause(rapid.IntRange(0, 5).Draw(t, "cause")), Reason: texts.Draw(t, "reason"),
			Outcome: rapid.SampledFrom(outcomes[:]).Draw(t, "outcome"), Rated: rapid.Bool().Draw(t, "rated"),
			Returns: rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 0, 4).Draw(t, "returns"),
			Scores:  rapid.SliceOfN(rapid.Int64Range(-1<<53, 1<<53), 0, 4).Draw(t, "scores"), Places: rapid.SliceOfN(rapid.IntRange(1, 64), 0, 4).Draw(t, "places"),
		}
	case 6:
		return &TimeoutWarning{MatchID: ids.Draw(t, "match"), Seat: seats.Draw(t, "seat"), Seq: seqs.Draw(t, "seq"), Left: spans.Draw(t, "left"), DeadlineAt: times.Draw(t, "at")}
	}
	if rapid.Bool().Draw(t, "public") {
		return publicDrawn(t)
	}
	return &Error{
		Code: rapid.SampledFrom(codes[:]).Draw(t, "code"), Message: clean(texts.Draw(t, "message"), MaxMessage), MatchID: clean(texts.Draw(t, "match"), 128),
		Seq: rapid.Int64Range(0, 1<<40).Draw(t, "seq"), RetryAfter: spans.Draw(t, "retry"),
	}
}

// decode reads a message of either direction.
func decode(m Message, frame []byte) (Message, error) {
	if m.Kind() == KindHello || m.Kind() == KindActionResponse {
		return DecodeFromAgent(frame)
	}
	return DecodeFromArena(frame)
}

// naive is the frame as encoding/json reads it.
func naive(t tester, frame []byte) map[string]any {
	t.Helper()
	var members map[string]any
	d := json.NewDecoder(bytes.NewReader(frame))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		t.Fatalf("%v\n%s", err, frame)
	}
	return members
}

// TestRoundTrip: every message is JSON, reads back as itself, and is written in the same bytes again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawn(t)
		frame := m.Append([]byte("x"))
		if frame[0] != 'x' {
			t.Fatal("what was there is gone")
		}
		frame = frame[1:]
		members := naive(t, frame)
		if members["protocol"] != "ludux/1" || members["type"] != string(m.Kind()) {
			t.Fatalf("%s", frame)
		}
		back, err := decode(m, frame)
		if err != nil {
			t.Fatalf("%v\n%s", err, frame)
		}
		if diff := cmp.Diff(m, back, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%s\n%s", diff, frame)
		}
		if again := back.Append(nil); !bytes.Equal(frame, again) {
			t.Fatalf("%s\nbecame\n%s", frame, again)
		}
		// What encoding/json makes of the members is read as the same message, whatever their order and escapes.
		other, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		if back, err = decode(m, other); err != nil {
			t.Fatalf("%v\n%s", err, other)
		}
		opts := []cmp.Option{cmpopts.EquateEmpty(), cmp.FilterValues(func(a, b json.RawMessage) bool { return len(a)+len(b) > 0 }, cmp.Comparer(func(a, b json.RawMessage) bool { return sameJSON(string(a), string(b)) })),
			cmp.Comparer(func(a, b game.Action) bool { return sameJSON(string(a), string(b)) })}
		if diff := cmp.Diff(m, back, opts...); diff != "" {
			t.Fatalf("%s\n%s", diff, other)
		}
	})
}

func sameJSON(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && cmp.Equal(x, y)
}

// TestNaiveMembers: encoding/json finds the values of a request under the names of the document.
func TestNaiveMembers(t *testing.T) {
	var v struct {
		MatchID string `json:"match_id"`
		Agent   struct {
			Slug    string `json:"slug"`
			Version any    `json:"version"`
		} `json:"agent"`
		Seat       int       `json:"seat"`
		Seq        int       `json:"seq"`
		Phase      *string   `json:"phase"`
		DeadlineMS int       `json:"deadline_ms"`
		DeadlineAt time.Time `json:"deadline_at"`
		IssuedAt   time.Time `json:"issued_at"`
		Legal      []any     `json:"legal_actions"`
		Opponents  []struct {
			Slug, Name string
			Seat       int
			Rating     *float64
			House      bool
		} `json:"opponents"`
	}
	m := connectFour(t)
	play(t, m, began, first(t, m), "3")
	if err := json.Unmarshal([]byte(write(t, first(t, m))), &v); err != nil {
		t.Fatal(err)
	}
	if v.MatchID != "m-1a2b3c4d5e" || v.Agent.Slug != "gremlin-9" || v.Agent.Version != "1.4.0-beta" || v.Seat != 1 || v.Seq != 1 || v.Phase != nil ||
		v.DeadlineMS != 15000 || v.DeadlineAt.Sub(v.IssuedAt) != 15*time.Second || len(v.Legal) != 7 || len(v.Opponents) != 1 || *v.Opponents[0].Rating != 1500 {
		t.Errorf("%+v", v)
	}
}

// TestFromArena: what is no message, and why.
func TestFromArena(t *testing.T) {
	request := write(t, first(t, connectFour(t)))
	swap := func(old, new string) string {
		if !strings.Contains(request, old) {
			t.Fatalf("no %s", old)
		}
		return strings.Replace(request, old, new, 1)
	}
	for _, tt := range []struct{ name, frame, want string }{
		{"good", request, ""},
		{"unknown members", swap(`"seat":0`, `"seat":0,"more":{"seat":1}`), ""},
		{"what can be done without", `{"protocol":"ludux/1","type":"action_request","match_id":"m","seat":0,"seq":1,"deadline_ms":5,"legal_actions":[0]}`, ""},
		{"nulls", `{"protocol":"ludux/1","type":"action_request","match_id":"m","seat":0,"seq":1,"deadline_ms":5,"legal_actions":[],"agent":null,"state":null,"opponents":null,"truncated":null}`, ""},
		{"nothing", "", "not one JSON object"},
		{"too large", pad(request, MaxFrame+1), "over 32768 bytes"},
		{"another protocol", swap("ludux/1", "ludux/3"), `protocol is "ludux/3"`},
		{"an unknown type", swap("action_request", "match_pause"), `unknown type "match_pause"`},
		{"what agents send", `{"protocol":"ludux/1","type":"hello","key":"k"}`, "hello is what agents send"},
		{"no ids", `{"protocol":"ludux/1","type":"action_request"}`, "there is no match_id"},
		{"a seat beyond all", swap(`"seat":0`, `"seat":64`), "not 0 to 63"},
		{"a seat with a fraction", swap(`"seat":0`, `"seat":0.5`), "no integer"},
		{"a bad time", swap("2026-08-28T20:00:00+00:00", "tomorrow"), `deadline_at: "tomorrow" is no time`},
		{"a state of its own", swap(`"ruleset":{`, `"ruleset":[{`), ""},
		{"a bad ruleset", swap(`"ruleset":{"columns":7,"connect":4,"rows":6,"move_time_ms":15000}`, `"ruleset":3`), "ruleset is a number, not an object"},
		{"legal actions of no list", swap(`[0,1,2,3,4,5,6]`, `{}`), "legal_actions is an object, not an array"},
		{"a legal action beyond all", swap(`[0,1,2,3,4,5,6]`, `[1e999]`), "legal_actions"},
		{"an agent of no kind", swap(`{"slug":"ann","version":3}`, `"ann"`), "agent is not one JSON object"},
		{"a version of no kind", swap(`"version":3`, `"version":[]`), "agent.version is an array"},
		{"a bad opponent", swap(`"house":true`, `"house":1`), "opponents[0].house is a number, not a boolean"},
		{"a bad rating", swap(`1612.5`, `"high"`), "opponents[0].rating is a string"},
		{"a rating beyond all", swap(`1612.5`, `1e999`), ""},
		{"an unknown code", `{"protocol":"ludux/1","type":"error","code":"teapot"}`, `code is "teapot", which is unknown`},
		{"no code", `{"protocol":"ludux/1","type":"error"}`, `there is no code`},
		{"an unknown cause", `{"protocol":"ludux/1","type":"match_end","match_id":"m","seat":0,"cause":"boredom","outcome":"win"}`, `cause is "boredom", which is unknown`},
		{"an unknown outcome", `{"protocol":"ludux/1","type":"match_end","match_id":"m","seat":0,"cause":"play","outcome":"glory"}`, `outcome is "glory", which is unknown`},
		{"a place with a fraction", `{"protocol":"ludux/1","type":"match_end","match_id":"m","seat":0,"cause":"play","outcome":"win","places":[1.5]}`, `places: item 0`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := DecodeFromArena([]byte(tt.frame))
			if tt.name == "a state of its own" || tt.name == "a rating beyond all" {
				if err == nil {
					t.Errorf("read: %+v", m)
				}
				return
			}
			if (err == nil) != (tt.want == "") || err != nil && (!strings.Contains(err.Error(), tt.want) || !errors.Is(err, ErrMessage) || m != nil) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if errors.Is(err, ErrUnknownKind) != (tt.name == "an unknown type") {
				t.Errorf("unknown kind: %v", err)
			}
		})
	}
}

// TestHelloSecret: printing a hello does not tell the key.
func TestHelloSecret(t *testing.T) {
	m, err := DecodeFromAgent([]byte(`{"protocol":"ludux/1","type":"hello","key":"s3cret","seq":4}`))
	if err != nil {
		t.Fatal(err)
	}
	if m.(*Hello).Key != "s3cret" {
		t.Errorf("%q", m.(*Hello).Key)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
		if got := fmt.Sprintf(verb, m); strings.Contains(got, "s3cret") || got == "" {
			t.Errorf("%s: %s", verb, got)
		}
	}
}

// TestSchemas: each kind has a schema of its own, in which the kind is the type; the validator's tests hold messages against them.
func TestSchemas(t *testing.T) {
	for _, k := range []Kind{
		KindActionRequest, KindActionResponse, KindHello, KindWelcome, KindMatchStart, KindMatchEnd, KindTimeoutWarning, KindError,
	} {
		var s struct {
			ID         string `json:"$id"`
			Properties struct {
				Type struct{ Const Kind }
			}
		}
		if err := json.Unmarshal([]byte(Schema(k)), &s); err != nil || s.Properties.Type.Const != k || s.ID != "urn:ludux:1:"+string(k) {
			t.Errorf("%s: %+v, %v", k, s, err)
		}
	}
	if s := Schema("resign"); s != "" {
		t.Errorf("a schema of an unknown kind: %s", s)
	}
}
