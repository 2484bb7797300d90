package referee_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// sampleEvents has each kind of event with all its members set, and with as few as it can have.
func sampleEvents() []referee.Event {
	at := func(k referee.Kind, s game.Seat, x *referee.Extra) referee.Event {
		return referee.Event{Kind: k, Seat: s, Time: epoch + 1234, X: x}
	}
	full := referee.Policy{
		Name: "p", Late: 1, Malformed: 2, BadNonce: 3, Illegal: 4, Oversized: 5, Unreachable: 1, Disconnected: 2, BadProtocol: 3,
		Strikes: 3, Out: referee.DoEliminate, Pause: 250 * time.Millisecond, PauseMax: 2 * time.Second, Reask: true, Notes: 5,
	}
	clock := referee.Clock{
		Move: 1e9, Base: 2e9, Increment: 3e9, Grace: 4e9, Expiry: 5e9, Starts: referee.AtSent, Warn: 6e9, WarnFrom: 7e9, Back: 8e9,
	}
	agent := referee.Agent{
		Slug: "a-b.c_1", Name: "Ann \"é\" 世", Version: "2", Owner: "o", Framework: "f", Model: "m", House: true, Rating: 1500.25,
		Labels: map[string]string{"b": "2", "a": "1"},
	}
	start := &referee.Start{
		ID: "m:1", Game: "g", Version: "1.0.0", Ruleset: []byte(`{"a":1}`), Position: "p", Names: []string{"x", ""},
		Seats: []referee.SeatInfo{{Agent: agent, Transport: "t", Policy: full, Clock: clock}, {}}, Max: 9, Commit: [32]byte{1, 2}, Lib: "arena",
	}
	faults := make([][11]int, 2)
	faults[0][referee.Late], faults[0][referee.Internal] = 2, 1
	end := &referee.End{
		Cause: referee.CauseForfeit, Reason: "late", Ret: []float64{-1, 0.5, 1e-7, 1e21, 123456.75}, Scores: []int64{-3, 4},
		Places: []int{2, 1}, Strikes: []int{0, 3}, Faults: faults, Secret: game.SeedFrom(5), Salt: [32]byte{7},
	}
	list := []referee.Event{
		{Kind: referee.KindStart, Time: epoch, X: &referee.Extra{Start: start}},
		at(referee.KindSent, 12, nil),
		at(referee.KindMove, 1, nil),
		at(referee.KindMove, game.Chance, nil),
		at(referee.KindMove, game.Host, nil),
		at(referee.KindMove, 63, &referee.Extra{Ref: true}),
		at(referee.KindMove, 0, &referee.Extra{Note: "n\n\u2028", Meta: []byte(`{"tokens":3}`), Key: "k", Raw: "r"}),
		at(referee.KindFault, 1, &referee.Extra{Fault: referee.Illegal, Do: referee.DoStrike}),
		at(referee.KindFault, 1, &referee.Extra{Fault: referee.Late, Do: referee.DoDefault, Note: "n", Meta: []byte(`{}`), Detail: "d"}),
		at(referee.KindFault, 2, &referee.Extra{Fault: referee.Stale, Do: referee.DoReject, Got: referee.Address{By: referee.ByNth, N: -4}}),
		at(referee.KindFault, game.Host, &referee.Extra{Fault: referee.Internal, Do: referee.DoVoid, Detail: "host"}),
		at(referee.KindGone, 0, &referee.Extra{Detail: "why"}),
		at(referee.KindGone, 3, &referee.Extra{}),
		at(referee.KindBack, 3, &referee.Extra{}),
		at(referee.KindClaim, 1, &referee.Extra{Claim: referee.Abandon}),
		at(referee.KindRule, 0, &referee.Extra{Rule: referee.RuleWin, By: "b", Reason: "r", Win: game.Seats(0, 2)}),
		at(referee.KindRule, 0, &referee.Extra{Rule: referee.RuleReturns, By: "b", Reason: "r", Ret: []float64{0, 0.25}}),
		at(referee.KindSay, 1, &referee.Extra{To: game.Seats(0, 5), Text: "hm"}),
		at(referee.KindResume, 0, &referee.Extra{At: epoch}),
		at(referee.KindEnd, 0, &referee.Extra{End: end}),
		at(referee.KindEnd, 0, &referee.Extra{End: &referee.End{Cause: referee.CauseVoid, Reason: "internal"}}),
	}
	for i := range list {
		switch e := &list[i]; e.Kind {
		case referee.KindMove:
			e.Action = []game.Action{"3", `"e2e4"`, `{"col":4,"row":[1,null,true,-1.5]}`}[i%3]
			e.Used = referee.Time(i)
			fallthrough
		case referee.KindSent, referee.KindFault:
			if e.Seat >= 0 && (e.X == nil || !e.X.Ref) {
				e.Ask = 41
			}
		}
	}
	list[8].Action, list[8].Used = `{"type":"pass"}`, 77
	return list
}

// TestLines: every kind of event, written and read, is the same event and the same bytes.
func TestLines(t *testing.T) {
	prev := [32]byte{9, 8, 7}
	seen := map[referee.Kind]bool{}
	for _, e := range sampleEvents() {
		seen[e.Kind] = true
		line := referee.AppendLine(nil, &e, epoch, &prev)
		got, gotPrev, err := referee.ParseLine(line, epoch)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if diff := cmp.Diff(e, got); diff != "" || gotPrev != prev {
			t.Errorf("%s (-written +read)\n%s", line, diff)
		}
	}
	if len(seen) != 11 {
		t.Errorf("%d kinds of event among the samples", len(seen))
	}
}

// TestBadLines: what differs by one byte, or says more than a line may, is refused with ErrLine.
func TestBadLines(t *testing.T) {
	prev := [32]byte{9}
	for _, e := range sampleEvents() {
		line := referee.AppendLine(nil, &e, epoch, &prev)
		for i := range line {
			if _, _, err := referee.ParseLine(line[:i], epoch); !errors.Is(err, referee.ErrLine) {
				t.Fatalf("%s: %v", line[:i], err)
			}
			for _, c := range []byte(" \x000,}\"") { // inserted
				bad := append(append(bytes.Clone(line[:i]), c), line[i:]...)
				if again, prev, err := referee.ParseLine(bad, epoch); err == nil && !bytes.Equal(referee.AppendLine(nil, &again, epoch, &prev), bad) {
					t.Fatalf("accepted: %s", bad)
				}
			}
		}
		if _, _, err := referee.ParseLine(append(bytes.Clone(line), '\n'), epoch); !errors.Is(err, referee.ErrLine) {
			t.Errorf("with its newline: %v", err)
		}
	}
	for _, bad := range []string{"", "{}", `{"k":"seal"}`, `{"k":"move"`, `null`, `{"k":"start","v":2}`} {
		if _, _, err := referee.ParseLine([]byte(bad), epoch); !errors.Is(err, referee.ErrLine) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, _, err := referee.ParseLine(make([]byte, referee.MaxLine+1), epoch); !errors.Is(err, referee.ErrLine) {
		t.Errorf("a line that is too long: %v", err)
	}
}

func FuzzParseLine(f *testing.F) {
	n := 0
	for _, e := range sampleEvents() {
		f.Add(referee.AppendLine(nil, &e, epoch, &[32]byte{5}))
		n++
	}
	if n < 20 {
		f.Fatalf("a corpus of %d lines", n)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, prev, err := referee.ParseLine(line, epoch)
		if err != nil {
			if !errors.Is(err, referee.ErrLine) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if again := referee.AppendLine(nil, &e, epoch, &prev); !bytes.Equal(again, line) {
			t.Fatalf("read\n%q, written\n%q", line, again)
		}
	})
}

// FuzzResume folds arbitrary lines into a match: it may refuse them, it may not panic, and a match that it accepts goes on.
func FuzzResume(f *testing.F) {
	tab, err := parlourGames["safe"].Table([]byte(`{"script":"jolihf"}`))
	if err != nil {
		f.Fatal(err)
	}
	p := policies["agentarena-3"]
	s := referee.Setup{ID: "fuzz", Table: tab, Secret: game.SeedFrom(7)}
	for range 3 {
		s.Seats = append(s.Seats, referee.SeatInfo{Policy: p, Clock: clocks["mixed"]})
	}
	n := 0
	for seed := range uint64(8) {
		lines := driveRandom(f, s, seed)
		f.Add(bytes.Join(lines, []byte("\n")))
		n += len(lines)
	}
	for _, e := range sampleEvents() {
		f.Add(referee.AppendLine(nil, &e, epoch, &[32]byte{}))
	}
	if n < 100 {
		f.Fatalf("a corpus of %d lines", n)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		var events []referee.Event
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			if e, _, err := referee.ParseLine(line, epoch); err == nil {
				events = append(events, e)
			}
		}
		m, err := referee.Resume(s, func(yield func(referee.Event, error) bool) {
			for _, e := range events {
				if !yield(e, nil) {
					return
				}
			}
		})
		if err != nil {
			if !errors.Is(err, referee.ErrRecord) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if len(events) == 0 {
			return
		}
		now := epoch + 1e6
		m.Resumed(now)
		for range 1000 {
			if _, over := m.Result(); over {
				return
			}
			if now = m.Wake(); now > 1<<61 {
				return // waiting for the host
			}
			m.Tick(now)
		}
		t.Fatal("the match does not end by time alone")
	})
}
