package referee_test

import (
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestTextIsOneLine: whatever an agent, a transport or the host says is one line in the record, and without control characters.
func TestTextIsOneLine(t *testing.T) {
	const given, want = "a\tb\nc\u2028d\u2029e\x00f\x1bg\x85h\u0085i", "a b c d e\ufffdf\ufffdg\ufffdh\ufffdi"
	s := parlourSetup(t, "safe", "o", 2, referee.Policy{Malformed: referee.DoReject}, referee.Clock{})
	m, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	m.Start(epoch)
	var events []referee.Event
	keep := func(o referee.Output) {
		for _, e := range o.Events {
			x := *e.X // a step uses the memory of the one before again
			e.X = &x
			events = append(events, e)
		}
	}
	o, err := m.Say(epoch, 1, game.Seats(0), given)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Effects) != 1 || o.Effects[0].Text != want {
		t.Errorf("said %+v", o.Effects)
	}
	keep(o)
	keep(m.Gone(epoch, 1, given))
	v, o := m.Answer(epoch, 0, &referee.Answer{Fault: referee.Malformed, Detail: given, Note: given})
	if v.Detail != want {
		t.Errorf("the agent is told %q", v.Detail)
	}
	keep(o)
	_, o = m.Answer(epoch, 0, &referee.Answer{Action: "1", Note: given, Key: given})
	keep(o)
	var got []string
	for _, e := range events {
		for _, text := range []string{e.X.Text, e.X.Detail, e.X.Note, e.X.Key} {
			if text != "" {
				got = append(got, text)
			}
		}
	}
	if len(got) < 6 {
		t.Errorf("only %d texts: %q", len(got), got)
	}
	for _, text := range got {
		if text != want {
			t.Errorf("recorded %q, not %q", text, want)
		}
	}
}
