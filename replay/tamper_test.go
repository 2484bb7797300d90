package replay_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// TestEveryBit flips each bit of whole records, one at a time. Each is found, and
// found in the line that it is in. There are two exceptions: a last newline that
// is none any more leaves a line that is cut off; and where the last line, not
// sealed, does not fit the one before it, nothing tells which of them is wrong.
func TestEveryBit(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 29 // odd, so that each bit of a byte comes up
	}
	for name, record := range records(t) {
		t.Run(name, func(t *testing.T) {
			if r := verify(t, record); r.Status != replay.Valid {
				t.Fatal(r)
			}
			flipped, last, sealed := bytes.Clone(record), int64(bytes.Count(record, []byte("\n"))), bytes.Contains(record, []byte(`"seal"`))
			for bit := 0; bit < 8*len(record); bit += step {
				i := bit / 8
				flipped[i] ^= 1 << (bit % 8)
				line := int64(1 + bytes.Count(record[:i], []byte("\n")))
				r := verify(t, flipped)
				switch {
				case i == len(record)-1 && r.Status == replay.Unfinished && r.Torn:
				case r.Status == replay.Invalid && !sealed && line == last-1 && r.Fault.Line == last && errors.Is(r.Err(), replay.ErrChain):
				case r.Status != replay.Invalid || r.Fault.Line != line:
					t.Fatalf("bit %d of byte %d, in line %d: %v\n%s", bit%8, i, line, r, flipped)
				}
				flipped[i] = record[i]
			}
		})
	}
}

// TestEveryCut stops records after each byte.
func TestEveryCut(t *testing.T) {
	for name, record := range records(t) {
		t.Run(name, func(t *testing.T) {
			sealAt := bytes.LastIndex(record, []byte(`{"k":"seal"`))
			for n := range len(record) {
				r := verify(t, record[:n])
				whole := n == 0 || record[n-1] == '\n'
				if testing.Short() && n%19 != 0 && !whole && record[n] != '\n' {
					continue
				}
				want := replay.Unfinished
				if n == sealAt {
					want = replay.Valid // nothing of the match is missing
				}
				if r.Status != want || r.Torn == whole || r.Seal != nil || r.Fault != nil || (r.Err() == nil) != (want == replay.Valid) {
					t.Fatalf("%d of %d bytes: %v", n, len(record), r)
				}
				if want == replay.Unfinished && sealAt < 0 && r.Result != nil {
					t.Fatalf("%d of %d bytes: a result", n, len(record))
				}
			}
		})
	}
}

// lines splits a record after its newlines.
func lines(record []byte) []string {
	return strings.SplitAfter(strings.TrimSuffix(string(record), "\n"), "\n")
}

// TestLinesMoved takes whole lines out, doubles and swaps them, as they are.
func TestLinesMoved(t *testing.T) {
	for name, record := range records(t) {
		all := lines(record)
		all[len(all)-1] += "\n"
		for i := range all {
			edits := map[string][]string{"doubled": slices.Insert(slices.Clone(all), i, all[i])}
			if i < len(all)-1 {
				edits["deleted"] = slices.Delete(slices.Clone(all), i, i+1)
				swapped := slices.Clone(all)
				swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
				edits["swapped"] = swapped
			}
			for what, edit := range edits {
				r := verify(t, []byte(strings.Join(edit, "")))
				if r.Status != replay.Invalid || r.Fault.Line < int64(i) || r.Fault.Line > int64(i+3) {
					t.Errorf("%s: line %d %s: %v", name, i+1, what, r)
				}
			}
		}
		if r := verify(t, append(bytes.Clone(record), all[1]...)); r.Status != replay.Invalid || r.Fault.Line != int64(len(all)+1) {
			t.Errorf("%s: a line after the last: %v", name, r)
		}
	}
}

// edit is a change of events by somebody who chains them anew.
type edit struct {
	name string
	do   func([]referee.Event) []referee.Event
	line int64 // 0: the last
	want string
}

// change gives a function that changes the event of a line in place.
func change(line int, f func(*referee.Event)) func([]referee.Event) []referee.Event {
	return func(events []referee.Event) []referee.Event {
		f(&events[line-1])
		return events
	}
}

func end(f func(*referee.End)) func([]referee.Event) []referee.Event {
	return func(events []referee.Event) []referee.Event {
		f(events[len(events)-1].X.End)
		return events
	}
}

// TestRechained changes the eventful match and chains it anew: the rules, the
// policies, the clocks or the commitment tell.
func TestRechained(t *testing.T) {
	edits := []edit{
		{"another commitment", change(1, func(e *referee.Event) { e.X.Start.Commit[0] ^= 1 }), 0, "commitment"},
		{"a policy that forgives", change(1, func(e *referee.Event) { e.X.Start.Seats[1].Policy.Illegal = referee.DoReject }), 3, "policy"},
		{"a clock with less time", change(1, func(e *referee.Event) { e.X.Start.Seats[0].Clock.Move = 1e9 }), 2, "charged"},
		{"an illegal move", change(2, func(e *referee.Event) { e.Action = "7" }), 2, "rules refuse"},
		{"a move that is no move", change(2, func(e *referee.Event) { e.Action = `"x"` }), 2, "rules refuse"},
		{"by the other seat", change(2, func(e *referee.Event) { e.Seat = 1 }), 2, "no request"},
		{"by a seat that is not there", change(2, func(e *referee.Event) { e.Seat = 2 }), 2, "no request"},
		{"by chance", change(2, func(e *referee.Event) { e.Seat = game.Chance }), 2, "no move of the referee"},
		{"by the host", change(2, func(e *referee.Event) { e.Seat, e.Ask, e.Used, e.X = game.Host, 0, 0, nil }), 2, "nothing to answer"},
		{"to another request", change(2, func(e *referee.Event) { e.Ask = 2 }), 2, "no request 2"},
		{"charged more than has passed", change(2, func(e *referee.Event) { e.Used = 1201 }), 2, "charged"},
		{"earlier than the line before", change(3, func(e *referee.Event) { e.Time = start + 1199 }), 3, "backwards"},
		{"an unclean note", change(2, func(e *referee.Event) { e.X.Note = "bell\a" }), 2, "not clean"},
		{"a key used twice", change(12, func(e *referee.Event) { e.X = &referee.Extra{Key: "b-1"} }), 12, "key was used"},
		{"a milder consequence", change(3, func(e *referee.Event) { e.X.Do = referee.DoReject }), 3, "policy"},
		{"stale answers that were charged", change(4, func(e *referee.Event) { e.Used = 1 }), 4, ""},
		{"late before the deadline", change(6, func(e *referee.Event) { e.X.Fault = referee.Late }), 6, "not late"},
		{"a default that nobody plays", change(3, func(e *referee.Event) { e.Action = "0" }), 3, "default"},
		{"gone twice", change(10, func(e *referee.Event) { e.Kind = referee.KindGone }), 10, "go away"},
		{"back without going", change(9, func(e *referee.Event) { e.Kind, e.X = referee.KindBack, nil }), 9, "not away"},
		{"said to nobody", change(11, func(e *referee.Event) { e.X.To = game.Seats(5) }), 11, "not there"},
		{"an offer of one's own declined", change(14, func(e *referee.Event) { e.Seat = 0 }), 14, "no draw"},
		{"resigned", change(13, func(e *referee.Event) { e.X.Claim = referee.Resign }), 14, "the end is due"},
		{"another winner", end(func(e *referee.End) { e.Ret[0], e.Ret[1] = e.Ret[1], e.Ret[0] }), 0, "should be"},
		{"other places", end(func(e *referee.End) { e.Places = []int{2, 1} }), 0, "should be"},
		{"scores from nowhere", end(func(e *referee.End) { e.Scores = []int64{1, 0} }), 0, "should be"},
		{"another cause", end(func(e *referee.End) { e.Cause = referee.CauseForfeit }), 0, "should be"},
		{"expired", end(func(e *referee.End) { e.Cause, e.Reason = referee.CauseExpiry, "expiry" }), 0, "should be"},
		{"another reason", end(func(e *referee.End) { e.Reason = "full" }), 0, "should be"},
		{"a strike less", end(func(e *referee.End) { e.Strikes[1]-- }), 0, "should be"},
		{"a fault less", end(func(e *referee.End) { e.Faults[1][referee.Illegal] = 0 }), 0, "should be"},
		{"the wrong secret", end(func(e *referee.End) { e.Secret[0] ^= 1 }), 0, "commitment"},
		{"the wrong salt", end(func(e *referee.End) { e.Salt[31] ^= 1 }), 0, "commitment"},
		{"an end that is late", func(events []referee.Event) []referee.Event {
			events[len(events)-1].Time++
			return events
		}, 0, "same time"},
		{"a move deleted", func(events []referee.Event) []referee.Event { return slices.Delete(events, 1, 2) }, 2, ""},
		{"a move doubled", func(events []referee.Event) []referee.Event { return slices.Insert(events, 1, events[1]) }, 3, "no request"},
		{"two lines swapped", func(events []referee.Event) []referee.Event {
			events[1], events[2] = events[2], events[1]
			return events
		}, 2, "request is 0"},
		{"a request that was not to be sent", func(events []referee.Event) []referee.Event {
			return slices.Insert(events, 1, referee.Event{Kind: referee.KindSent, Ask: 1, Time: start + 1})
		}, 2, "to be sent"},
		{"ended early", func(events []referee.Event) []referee.Event {
			return append(events[:5:5], events[len(events)-1])
		}, 6, "nothing has ended"},
	}
	for _, c := range edits {
		t.Run(c.name, func(t *testing.T) {
			x := eventful(t, "tampered")
			events, _ := read(t, x.record(false)) // copies
			if r := verify(t, write(t, events, true)); r.Status != replay.Valid {
				t.Fatal(r)
			}
			events = c.do(events)
			if c.line == 0 {
				c.line = int64(len(events))
			}
			r := verify(t, write(t, events, true))
			if r.Status != replay.Invalid || r.Fault.Line != c.line || !errors.Is(r.Err(), referee.ErrRecord) || !strings.Contains(r.Err().Error(), c.want) || r.Result != nil {
				t.Fatalf("want line %d, %q: %v", c.line, c.want, r)
			}
			t.Log(r.Fault)
		})
	}
}

// TestDraws changes what chance drew, and chains the record anew: as it goes on,
// nobody can tell; the secret at the end does, and names the line of the draw.
func TestDraws(t *testing.T) {
	record := played(t, setup(t, game.New(kuhn{}), "k"), false)
	events, _ := read(t, record)
	if events[1].Seat != game.Chance {
		t.Fatalf("%+v", events[1])
	}
	for _, deal := range []game.Action{`"JQ"`, `"JK"`, `"QJ"`, `"QK"`, `"KJ"`, `"KQ"`} {
		changed := slices.Clone(events)
		changed[1].Action = deal
		r := verify(t, write(t, changed, true))
		if deal == events[1].Action {
			if r.Status != replay.Valid {
				t.Fatal(r)
			}
			continue
		}
		if r.Status != replay.Invalid || r.Fault.Line != 2 || !errors.Is(r.Err(), referee.ErrDraw) {
			t.Fatalf("%s: %v", deal, r)
		}
		if r := verify(t, write(t, changed[:len(changed)-1], false)); r.Status != replay.Unfinished {
			t.Fatalf("%s, unfinished: %v", deal, r)
		}
	}
	late := slices.Clone(events)
	late[1].Time++
	for i := 2; i < len(late); i++ {
		late[i].Time = max(late[i].Time, late[1].Time)
	}
	if r := verify(t, write(t, late, true)); r.Status != replay.Invalid || r.Fault.Line != 2 {
		t.Fatal(r)
	}
}

// TestNote: a note is the agent's own words, so the rules have nothing against
// another one; chain and seal do.
func TestNote(t *testing.T) {
	record := eventful(t, "n").record(true)
	changed := bytes.Replace(record, []byte("the middle"), []byte("the corner"), 1)
	if r := verify(t, changed); r.Status != replay.Invalid || r.Fault.Line != 2 || !errors.Is(r.Err(), replay.ErrChain) {
		t.Fatal(r)
	}
	events, _ := read(t, record)
	events[1].X.Note = "the corner"
	rechained := write(t, events, false)
	all := lines(record)
	r := verify(t, append(rechained, all[len(all)-1]+"\n"...))
	if r.Status != replay.Invalid || r.Fault.Line < int64(len(all)-1) {
		t.Fatal(r)
	}
	whole := verify(t, record)
	if r := verify(t, rechained); r.Status != replay.Valid || r.Seal != nil || r.Head == whole.Head || r.Root == whole.Root {
		t.Fatal(r) // another record of the same moves: known by its head alone
	}
}

// TestHostMoves: what the host said is as recorded; that it was asked is not.
func TestHostMoves(t *testing.T) {
	events, _ := read(t, played(t, setup(t, game.New(oracle{}), "o"), false))
	said := slices.IndexFunc(events, func(e referee.Event) bool { return e.Seat == game.Host })
	events[said].Action = `"no"`
	if r := verify(t, write(t, events, true)); r.Status != replay.Valid || r.Counts.HostMoves != 2 {
		t.Fatal(r)
	}
	events[said].Action = `"perhaps"`
	if r := verify(t, write(t, events, true)); r.Status != replay.Invalid || r.Fault.Line != int64(said+1) {
		t.Fatal(r)
	}
	events[said].Action = `"yes"`
	twice := slices.Insert(slices.Clone(events), said, events[said])
	if r := verify(t, write(t, twice, true)); r.Status != replay.Invalid || r.Fault.Line != int64(said+2) {
		t.Fatal(r)
	}
}

func TestOtherRules(t *testing.T) {
	record := played(t, setup(t, connectfour.New(), "c4"), true)
	broken := errors.New("the module does not load")
	fails := func(err error) replay.Resolver {
		return func(string, string, json.RawMessage) (*game.Table, error) { return nil, err }
	}
	events, _ := read(t, record)
	events[0].X.Start.Version = "0.9.0"
	older := write(t, events, true)
	wrong := slices.Clone(events)
	x := *wrong[len(wrong)-1].X
	e := *x.End
	e.Secret[3] ^= 4
	x.End = &e
	wrong[len(wrong)-1].X = &x
	back := slices.Clone(events)
	back[3].Time = back[2].Time - 1
	for _, c := range []struct {
		name   string
		record []byte
		rules  replay.Resolver
		want   replay.Status
		line   int64
	}{
		{"nil", record, nil, replay.NotRerun, 0},
		{"no games", record, replay.Rules(), replay.NotRerun, 0},
		{"another game", record, replay.Rules(game.New(kuhn{})), replay.NotRerun, 0},
		{"another version", older, rules, replay.NotRerun, 0},
		{"unfinished", record[:1500], nil, replay.Unfinished, 0},
		{"not the secret", write(t, wrong, true), rules, replay.Invalid, int64(len(wrong))},
		{"backwards", write(t, back, true), rules, replay.Invalid, 4},
		{"bad ruleset", record, fails(game.ErrRuleset), replay.Invalid, 1},
	} {
		r := verifyBy(t, c.record, c.rules)
		if r.Status != c.want || r.Rerun || r.Result != nil || r.Err() == nil || c.line > 0 && r.Fault.Line != c.line {
			t.Errorf("%s: %v", c.name, r)
		}
		if c.want == replay.NotRerun && (!errors.Is(r.Err(), replay.ErrUnknownRules) || !r.Opened || r.End == nil || r.Seal == nil || r.Start.ID != "c4") {
			t.Errorf("%s: %v", c.name, r)
		}
	}
	for name, resolve := range map[string]replay.Resolver{
		"trouble":       fails(broken),
		"nothing":       fails(nil),
		"another table": func(string, string, json.RawMessage) (*game.Table, error) { return table(t, game.New(kuhn{})), nil },
	} {
		if r, err := replay.Verify(bytes.NewReader(record), resolve); err == nil || r != nil || name == "trouble" && !errors.Is(err, broken) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}
