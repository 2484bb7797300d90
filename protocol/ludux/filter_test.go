package ludux

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/fit"
	"github.com/matchreferee/arena/referee"
)

// TestFilter has a host that filters what agents write: words in an action, the commentary beside it, and what a fault quotes. Nothing of it
// is recorded or shown to another seat unfiltered, and what an action says by being listed stays.
func TestFilter(t *testing.T) {
	table, err := game.New(chronicle{}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	policy, clock := Policy(3)
	s := referee.Setup{ID: "m1", Table: table, Secret: game.SeedFrom(1), Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Name: "Ann"}, Policy: policy, Clock: clock}, {Agent: referee.Agent{Name: "Bob"}},
	}}
	bodies := []string{
		`"action":{"type":"say","text":"a HECK of a day"},"commentary":"HECK, that is good"`,
		`"action":{"type":"HECK","text":"x"},"commentary":"oh"`,
		`"action":{"type":"say","text":"say"}`,
	}
	n := 0
	ann := referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
		n++
		return DecodeReply([]byte(respond(r, bodies[n-1])), r), nil
	})
	var said []string
	bob := referee.Inline(func(r *referee.Request) referee.Answer {
		said = r.View().(chronicleView).Said
		return referee.Answer{Action: r.Legal(nil)[0]}
	})
	log := new(referee.Memory)
	filter := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, "HECK", "****\xff"), "say", "SAY")
	}
	l := &referee.Local{Config: referee.Config{Log: log, Filter: filter}}
	if _, err := l.Play(t.Context(), s, ann, bob); err != nil {
		t.Fatal(err)
	}
	if b := log.Bytes(); bytes.Contains(b, []byte("HECK")) || bytes.Count(b, []byte("****")) < 2 {
		t.Errorf("the record:\n%s", b)
	}
	if n != 3 {
		t.Errorf("asked %d times", n)
	}
	if diff := cmp.Diff([]string{"a ****� of a day", "", "", "", "SAY"}, said); diff != "" {
		t.Error(diff)
	}
}

// TestFilterPlaces: only strings that no listed action has in the same place are filtered.
func TestFilterPlaces(t *testing.T) {
	r := first(t, newMatch(t, game.New(chronicle{}), `{"list":"all"}`, "", 2))
	for action, want := range map[string]string{
		`{"type":"say","text":"say"}`:                             "say",
		`{"type":"weigh","text":"weigh","x":["say",{"y":"say"}]}`: "weigh say say",
		`{"text":"","type":"say"}`:                                "",
		`{"type": "say", "text": ""}`:                             "",
		`"say"`:                                                   "say",
		`7`:                                                       "",
	} {
		var seen []string
		v := parsed(t, action)
		listed := []string{}
		for _, l := range r.Legal(nil) {
			listed = append(listed, string(l))
		}
		changed := fit.Filter(v, parsedAll(t, listed), func(s string) string { seen = append(seen, s); return s })
		if got := strings.Join(seen, " "); got != want || changed {
			t.Errorf("%s: %q went through, want %q; changed %v", action, got, want, changed)
		}
	}
}
