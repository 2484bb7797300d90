package replay_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// TestSetup goes on with a match from nothing but its record, its rules and the
// host's key.
func TestSetup(t *testing.T) {
	s := setup(t, connectfour.New(), "resumed")
	s.Start.Names = []string{"Ann (first)", "Bob (second)"}
	s.MaxSteps = 10
	whole := played(t, s, false)
	all := lines(whole)
	events, _ := read(t, []byte(strings.Join(all[:5], "")))

	first := events[0].X.Start
	resumed := first.Setup(table(t, connectfour.New()))
	resumed.Secret, resumed.Salt = referee.Secrets([]byte("a key of the tests"), first.ID)
	m, err := referee.Resume(resumed, func(yield func(referee.Event, error) bool) {
		for _, e := range events {
			if !yield(e, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	x := &script{t: t, m: m, now: events[4].Time, events: events}
	x.did(m.Resumed(x.now))
	for i := range 6 {
		req, _ := m.Open(game.Seat(i % 2))
		legal := req.Legal(nil)
		x.move(10, req.Seat, legal[3*i%len(legal)])
	}
	x.must(m.Rule(x.now+1, referee.Ruling{What: referee.RuleWin, By: "the jury", Reason: "style", Win: game.Seats(1)}))
	record := x.record(true)
	if !bytes.HasPrefix(record, []byte(strings.Join(all[:5], ""))) {
		t.Fatalf("the lines before the resume changed:\n%s", record)
	}
	r := verify(t, record)
	if r.Status != replay.Valid || r.Result.By != "the jury" || r.Result.Returns[1] != 1 || r.Counts.Resumes != 1 || r.Counts.Rulings != 1 || r.Counts.Moves != 10 {
		t.Fatalf("%v\n%+v", r, r.Result)
	}
	if r := verify(t, whole); r.Status != replay.Valid || r.Counts.Rulings != 1 || r.End.Reason != "max_steps" {
		t.Fatal(r)
	}
	resumed.Secret[0] ^= 1
	if _, err := referee.Resume(resumed, func(yield func(referee.Event, error) bool) { yield(events[0], nil) }); !errors.Is(err, referee.ErrRecord) {
		t.Fatal("another secret:", err)
	}
}

// boom is a game that panics, at the start or with the first move.
type boom struct{ atStart bool }

func (boom) Info() game.Info {
	return game.Info{Name: "boom", Version: "1.0.0", MinSeats: 2, MaxSeats: 2, MaxSteps: 9}
}

func (b boom) Start(game.Setup) (int, error) {
	if b.atStart {
		panic("at the start")
	}
	return 0, nil
}

func (boom) Turn(*int) game.Turn                        { return game.Turn{Seats: 1} }
func (boom) Legal(dst []int, _ *int, _ game.Seat) []int { return append(dst, 3) }
func (boom) Apply(*int, []game.Move[int])               { panic("with a move") }
func (boom) View(*int, game.Seat) any                   { return nil }
func (boom) Outcome(*int) game.Outcome                  { return game.Outcome{} }

// TestRulesPanic: rules that panic are a fault of a line, not of the program.
func TestRulesPanic(t *testing.T) {
	x := begin(t, setup(t, game.New(boom{}), "boom"))
	x.events = append(x.events, referee.Event{Kind: referee.KindMove, Ask: 1, Time: start, Action: "3"})
	record := x.record(false)
	for line, b := range map[int64]boom{1: {atStart: true}, 2: {}} {
		events, _ := read(t, record)
		events[0].X.Start.Ruleset = table(t, game.New(b)).Ruleset()
		r := verifyBy(t, write(t, events, false), replay.Rules(game.New(b)))
		if r.Status != replay.Invalid || r.Fault.Line != line || !strings.Contains(r.Err().Error(), "panicked") {
			t.Errorf("%+v: %v", b, r)
		}
	}
}

func TestStatus(t *testing.T) {
	var none replay.Report
	if none.Status != replay.Invalid || none.Err() == nil || none.String() != "invalid, 0 events" {
		t.Errorf("the zero report: %v, %v", &none, none.Err())
	}
	for s, want := range map[replay.Status]string{replay.Invalid: "invalid", replay.Unfinished: "unfinished", replay.NotRerun: "not re-run", replay.Valid: "valid", 9: "invalid"} {
		if s.String() != want {
			t.Errorf("%d: %q", s, s)
		}
	}
	r := verify(t, nil)
	if r.Status != replay.Unfinished || !errors.Is(r.Err(), replay.ErrUnfinished) || r.Start != nil || r.Torn || r.Rerun {
		t.Errorf("an empty record: %+v", r)
	}
}
