package gridarena

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
)

// observations gives those of the golden files.
func observations(t testing.TB) (all []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(goldenDir, "*.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, `{"matchId":"0`) && !strings.Contains(line, `"players":[{"seat":0,"symbol"`) {
				all = append(all, line)
			}
		}
	}
	if len(all) < 40 {
		t.Fatalf("%d observations", len(all))
	}
	return all
}

// TestReadBack: every answer of the golden files, read and written again, has the same bytes.
func TestReadBack(t *testing.T) {
	for _, text := range append(observations(t), string(Example())) {
		o, err := DecodeObservation([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(text, string(o.Append(nil))); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDecodeObservation(t *testing.T) {
	example := string(Example())
	for _, tt := range []struct{ old, new, want string }{
		{`"matchId":"example",`, ``, "matchId is missing"}, {`"matchId":"example"`, `"matchId":7`, "matchId is a number, not a string"},
		{`"status":"agent"`, `"status":null`, "status is missing"}, {`"seat":0,"symbol"`, `"seat":64,"symbol"`, `seat "64" is not 0 to 63`},
		{`"board":[[-1,`, `"board":[[2,`, "board is not 9 rows"}, {`"board":[[-1,`, `"board":[[`, "board is not 9 rows"}, {`"board":[[-1,`, `"board":[["x",`, "board is not 9 rows"},
		{`"board":[`, `"board":[{},`, "board is not 9 rows"}, {`]],"seat"`, `],[]],"seat"`, "board is not 9 rows"}, {`"legalMoves":[`, `"legalMoves":7,"x":[`, "legalMoves is a number"}, {`"scores":[`, `"scores":[0.5,`, "scores are not all"},
		{`"scores":[`, `"scores":["1",`, "scores are not all"}, {`"revision":8`, `"revision":8.5`, `revision "8.5" is no integer`}, {`"turn":0`, `"turn":-1`, `turn "-1"`}, {`"remainingMs":`, `"remainingMs":-`, "remainingMs"},
		{`"expiresAt":"2`, `"expiresAt":"x2`, "expiresAt"}, {`"history":[{"seat":0`, `"history":[{"seat":-1`, "history[0].seat"}, {`"history":[`, `"history":[7,`, "history[0].seat is missing"},
		{`"scoring":{"offence":0`, `"scoring":{"offence":-1`, "history[0].scoring.offence"}, {`"row":0,"col":7,"timestamp"`, `"row":0,"timestamp"`, "history[0].col is missing"},
		{`{"control":"production"`, `{"control":false`, "timeControl.control"}, {`{"matchId"`, `[{"matchId"`, "unexpected"}, {`"seat":0,"symbol"`, `"seat":1e400,"symbol"`, "float64"},
	} {
		if n := strings.Count(example, tt.old); n < 1 {
			t.Fatalf("%s is not in the example", tt.old)
		}
		o, err := DecodeObservation([]byte(strings.Replace(example, tt.old, tt.new, 1)))
		if tt.want == "unexpected" && errors.Is(err, ErrObservation) {
			continue
		}
		if o != nil || !errors.Is(err, ErrObservation) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %+v, %v; want %s", tt.new, o, err, tt.want)
		}
	}
	for _, text := range []string{``, `[]`, `null`, example + "x", strings.Repeat(" ", MaxObservation) + example} {
		if _, err := DecodeObservation([]byte(text)); !errors.Is(err, ErrObservation) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	o, err := DecodeObservation([]byte(`{"matchId":"m","seat":1,"legalMoves":[],"revision":0,"status":"new","more":{}}`))
	if err != nil || o.Turn != game.Spectator || o.Scores != nil || o.Board != nil || o.Status != "new" {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestSent: what an agent sends is read as what it meant.
func TestSent(t *testing.T) {
	for _, c := range []Create{
		{Opponent: "hell_v2", Name: "My \"solver\"", AgentSeat: 1, Control: Untimed, RequestID: requestID, Game: "grid", Ruleset: []byte(`{"size":9}`)},
		{Opponent: "casual", Control: Production, RequestID: requestID},
	} {
		got, p := DecodeCreate(c.Append(nil))
		if diff := cmp.Diff(&c, got); diff != "" || p != nil {
			t.Error(diff, p)
		}
	}
	if got := string((&Create{Opponent: "a", RequestID: "b"}).Append(nil)); got != `{"opponent":"a","agentSeat":0,"requestId":"b"}` {
		t.Error(got)
	}
	for _, m := range []Move{{3, moveID, `{"col":4,"row":7}`}, {0, moveID2, `"e2e4"`}, {7, moveID, `{"text":"é","type":"say"}`}} {
		got, p := DecodeMove(m.Append(nil))
		if diff := cmp.Diff(&m, got); diff != "" || p != nil {
			t.Error(diff, p)
		}
	}
	if got := string((&Move{3, moveID, `{"col":4,"row":7}`}).Append(nil)); got != `{"revision":3,"moveId":"`+moveID+`","row":7,"col":4}` {
		t.Error(got)
	}
}

func FuzzDecodeObservation(f *testing.F) {
	for i, text := range observations(f) {
		if i%5 == 0 {
			f.Add([]byte(text))
		}
	}
	f.Add(Example())
	f.Add([]byte(`{"matchId":"m","seat":1,"legalMoves":[[{}]],"revision":0,"status":"agent","history":[{"seat":1,"action":null}],"scores":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := DecodeObservation(text)
		if err != nil {
			if o != nil || !errors.Is(err, ErrObservation) {
				t.Fatal(o, err)
			}
			return
		}
		once := o.Append(nil)
		again, err := DecodeObservation(once)
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, once, err)
		}
		if twice := again.Append(nil); string(twice) != string(once) {
			t.Fatalf("%q, then %q", once, twice)
		}
	})
}
