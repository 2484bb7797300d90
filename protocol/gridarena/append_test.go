package gridarena

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
)

// TestCalendar compares with package time, over the years that can be written and beyond.
func TestCalendar(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var c calendar
	check := func(at referee.Time) {
		t.Helper()
		want := time.UnixMilli(int64(at)).UTC().Format(`"2006-01-02T15:04:05.000+00:00"`)
		if got := string(c.append(nil, at)); got != want {
			t.Errorf("%d: %s, want %s", at, got, want)
		}
	}
	for _, at := range []referee.Time{0, -1, 1, -day, day - 1, day, firstMoment, lastMoment, 951_782_399_999, 951_782_400_000, 1_709_251_199_999} {
		check(at)
		check(at)
	}
	for range 2000 {
		at := firstMoment + referee.Time(r.Int64N(int64(lastMoment-firstMoment)))
		for range 3 {
			check(min(at, lastMoment))
			at += referee.Time(r.Int64N(day))
		}
	}
	for at, want := range map[referee.Time]string{math.MaxInt64: "9999-12-31T23:59:59.999", math.MinInt64: "0000-01-01T00:00:00.000"} {
		if got := string(c.append(nil, at)); got != `"`+want+`+00:00"` {
			t.Errorf("%d: %s", at, got)
		}
	}
}

// TestOddTexts: whatever the texts of an observation are, it is JSON that says the same.
func TestOddTexts(t *testing.T) {
	odd := "a\"\\\n\x00é\u2028😀<&>"
	o := Observation{MatchID: odd, BenchmarkVersion: odd, RulesVersion: odd, View: json.RawMessage(`{"x":1}`), Seat: 63, Turn: game.Spectator, Notices: []string{odd}, Status: StatusAI, TimeControl: TimeControl{Control: Untimed}}
	var got struct {
		MatchID, BenchmarkVersion, RulesVersion string
		Turn                                    *int
		Notices                                 []string
		LegalMoves, History                     []any
		Scores, AIPolicy                        any
		TimeControl                             map[string]any
	}
	if err := json.Unmarshal(o.Append(nil), &got); err != nil {
		t.Fatal(err)
	}
	if got.MatchID != odd || got.BenchmarkVersion != odd || got.RulesVersion != odd || got.Notices[0] != odd || got.Turn != nil || got.Scores != nil || got.AIPolicy != nil || got.LegalMoves == nil || got.History == nil {
		t.Errorf("%+v", got)
	}
	if diff := cmp.Diff(map[string]any{"control": "untimed", "turnMs": nil, "matchMs": 0.0}, got.TimeControl); diff != "" {
		t.Error(diff)
	}
	before := []byte("before")
	if s := string(o.Append(before)); !strings.HasPrefix(s, "before{") {
		t.Error(s)
	}
}

// TestCells: actions of the grid are shown as cells, and all others as they are.
func TestCells(t *testing.T) {
	for action, want := range map[game.Action]string{
		`{"col":4,"row":7}`: `{"row":7,"col":4}`, `{"col":0,"row":0}`: `{"row":0,"col":0}`, `{"col":12,"row":3}`: `{"col":12,"row":3}`, `{"row":1,"col":2}`: `{"row":1,"col":2}`,
		`3`: `3`, `{"col":4,"row":"`: `{"col":4,"row":"`, `"abcdefghijklmno"`: `"abcdefghijklmno"`,
	} {
		if got := string(appendMove(nil, action, true)); got != want {
			t.Errorf("%s: %s", action, got)
		}
		if got := string(appendMove(nil, action, false)); got != string(action) {
			t.Errorf("%s elsewhere: %s", action, got)
		}
	}
}

// TestHistoryIsTheCallers: what moves have earned is filled in without a change of what came in.
func TestHistoryIsTheCallers(t *testing.T) {
	during(t, setup{game: grid.New()}, func(s *scene) {
		s.first(func() bool { return len(s.history) == 5 })
		before := append([]Played(nil), s.history...)
		o := s.observe()
		if diff := cmp.Diff(before, s.history); diff != "" {
			t.Error(diff)
		}
		for i := range o.History {
			if o.History[i].Scoring == nil {
				t.Errorf("move %d has no scoring", i)
			}
		}
		again := s.history
		s.history = o.History
		if p := s.observe(); &p.History[0] != &o.History[0] {
			t.Error("what is filled in is filled in again")
		}
		s.history = again[:3] // fewer than there are on the board: none is invented
		if o := s.observe(); len(o.History) != 3 {
			t.Errorf("%+v", o.History)
		}
	})
}

// TestViewFails: a view that does not marshal is an error, and no broken document.
func TestViewFails(t *testing.T) {
	m := Match{Info: game.Info{Name: "odd"}}
	if o, err := m.Observe(Position{View: make(chan int)}, 0, nil); o != nil || err == nil || !strings.Contains(err.Error(), "view of seat 0") {
		t.Error(o, err)
	}
	if o, err := m.Observe(Position{Open: true, Form: json.RawMessage(`{`)}, 0, nil); o != nil || err == nil {
		t.Error(o, err)
	}
	o, err := m.Observe(Position{View: map[string]json.RawMessage{"x": json.RawMessage("\"\xff\"")}}, 0, nil)
	if err != nil || string(o.View) != "{\"x\":\"\uFFFD\"}" {
		t.Error(o, err)
	}
}
