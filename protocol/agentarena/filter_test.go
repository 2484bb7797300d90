package agentarena

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestFilter has a host that filters what agents write: words that are a move,
// the notes beside a move, and what a fault quotes. Nothing of it is recorded or
// shown to another seat unfiltered.
func TestFilter(t *testing.T) {
	table, err := game.New(parley{}).Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	policy, clock := Policy(2)
	policy.Pause, policy.PauseMax = 0, 0
	s := referee.Setup{ID: "m1", Table: table, Secret: game.SeedFrom(1), Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Name: "Ann"}, Policy: policy, Clock: clock}, {Agent: referee.Agent{Name: "Bob"}},
	}}
	replies := []string{
		`{"move":"say","reason":"a HECK of a day","nonce":"` + nonce + `"}`,
		`{"move":"HECK","nonce":"` + nonce + `"}`,
		`{"move":"pass","reason":"HECK, I pass","nonce":"` + nonce + `"}`,
		`{"move":"say","reason":"` + strings.Repeat("HECK", 70) + `","nonce":"` + nonce + `"}`,
	}
	n := 0
	ann := referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
		n++
		return Decode(200, []byte(replies[n-1]), nonce, r), nil
	})
	var said []string
	bob := referee.Inline(func(r *referee.Request) referee.Answer {
		said = r.View().(parleyView).Said
		return referee.Answer{Action: r.Legal(nil)[1]}
	})
	log := new(referee.Memory)
	filter := func(text string) string { return strings.ReplaceAll(text, "HECK", "****\x00*") }
	l := &referee.Local{Config: referee.Config{Log: log, Filter: filter}}
	if _, err := l.Play(t.Context(), s, ann, bob); err != nil {
		t.Fatal(err)
	}
	if n != len(replies) {
		t.Errorf("asked %d times", n)
	}
	if b := log.Bytes(); bytes.Contains(b, []byte("HECK")) || bytes.Count(b, []byte("****")) < 4 {
		t.Errorf("the record:\n%s", b)
	}
	if len(said) != 2 || said[0] != "a ****\ufffd* of a day" || len([]rune(said[1])) != MaxReason || !strings.HasPrefix(said[1], "****\ufffd*****") {
		t.Errorf("Bob was shown %q", said)
	}
}
