package game_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/matchreferee/arena/game"
)

type vote struct {
	Target game.Opt[int]    `json:"target,omitzero"`
	Note   game.Opt[string] `json:"note"`
}

func TestOpt(t *testing.T) {
	tests := []struct {
		v    vote
		json string
	}{
		{vote{}, `{"note":null}`},
		{vote{game.Some(0), game.Some("")}, `{"target":0,"note":""}`},
		{vote{game.Null[int](), game.Null[string]()}, `{"target":null,"note":null}`},
		{vote{game.Some(-3), game.Some("a\"b")}, `{"target":-3,"note":"a\"b"}`},
	}
	for _, tt := range tests {
		got, err := json.Marshal(tt.v)
		if err != nil || string(got) != tt.json {
			t.Errorf("%+v: %s, %v; want %s", tt.v, got, err, tt.json)
		}
		var back vote
		if err := json.Unmarshal(got, &back); err != nil {
			t.Errorf("%s: %v", got, err)
		}
		if back.Target != tt.v.Target {
			t.Errorf("%s: target %+v came back as %+v", got, tt.v.Target, back.Target)
		}
	}
	absent, null, some := game.Opt[int]{}, game.Null[int](), game.Some(0)
	if absent == null || null == some || absent == some || some != game.Some(0) {
		t.Error("absent, null and 0 must differ, and 0 be equal to itself")
	}
	for _, tt := range []struct {
		o                game.Opt[int]
		ok, null, absent bool
	}{{absent, false, false, true}, {null, false, true, false}, {some, true, false, false}} {
		if _, ok := tt.o.Get(); ok != tt.ok || tt.o.IsNull() != tt.null || tt.o.IsZero() != tt.absent {
			t.Errorf("%+v: Get %v, IsNull %v, IsZero %v", tt.o, ok, tt.o.IsNull(), tt.o.IsZero())
		}
	}
	o := game.Some(7)
	if err := o.UnmarshalJSON([]byte(`"x"`)); err == nil || o != game.Some(7) {
		t.Errorf("a wrong type: %v, and %+v", err, o)
	}
	if err := o.UnmarshalJSON([]byte(" null ")); err != nil || !o.IsNull() {
		t.Errorf("null: %v, and %+v", err, o)
	}
}

// TestPlainText: an encoder that leaves HTML alone finds it alone in an Opt and a Log as well.
func TestPlainText(t *testing.T) {
	v := struct {
		Plain string
		Opt   game.Opt[string]
		Log   game.Log[string]
		Both  game.Log[game.Opt[string]]
	}{"<é&>", game.Some("<é&>"), game.Log[string]{}.Append("<é&>"), game.Log[game.Opt[string]]{}.Append(game.Some("<é&>"))}
	const want = `{"Plain":"<é&>","Opt":"<é&>","Log":["<é&>"],"Both":["<é&>"]}` + "\n"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil || b.String() != want {
		t.Errorf("%s, %v; want %s", &b, err, want)
	}
	if got, err := v.Opt.MarshalJSON(); err != nil || string(got) != `"<é&>"` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := game.Some(math.Inf(1)).MarshalJSON(); err == nil {
		t.Error("infinity is no JSON")
	}
}
