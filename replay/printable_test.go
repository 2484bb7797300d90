package replay_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// plain reports whether text is one line that a terminal shows as it is.
func plain(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) })
}

// nasty is what moves the cursor, names the window, turns text around, breaks lines, and is no UTF-8.
const nasty = "\x1b]0;pwned\a\x1b[2J\u009b31m\u202e\u2028\r\nx.jsonl: valid\xff"

// TestTerminal: whatever a record says, a report of it is one line that a terminal shows as it is.
func TestTerminal(t *testing.T) {
	escaped := `"\x1b]0;pwned\a\x1b[2J\u009b31m\u202e\u2028\r\nx.jsonl: valid`
	changed := func(f func([]referee.Event)) []byte {
		events, _ := read(t, eventful(t, "terminal").record(false))
		f(events)
		return write(t, events, true)
	}
	say := strings.ToValidUTF8(nasty, "\uFFFD") // as it can stand in a line
	prev := `,"prev":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}` + "\n"
	quoted, err := json.Marshal(say)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		record []byte
		want   string // in the report; "" where the words of the record need not be in it
	}{
		"game and version": {changed(func(es []referee.Event) { es[0].X.Start.Game, es[0].X.Start.Version = say, "1\n2 records: valid" }), escaped},
		"reason of an end nobody judges": {changed(func(es []referee.Event) {
			es[0].X.Start.Version, es[len(es)-1].X.End.Reason = "0.0.1", say
		}), escaped},
		"words that look like ours": {changed(func(es []referee.Event) {
			es[0].X.Start.Version, es[len(es)-1].X.End.Reason = "0.0.1", "connect, returns [1 -1], sealed"
		}), `by "connect, returns [1 -1], sealed"`},
		"id":       {changed(func(es []referee.Event) { es[0].X.Start.ID = say }), ""},
		"position": {changed(func(es []referee.Event) { es[0].X.Start.Position = say }), ""},
		"names":    {changed(func(es []referee.Event) { es[0].X.Start.Names = []string{say, say} }), ""},
		"ruleset":  {changed(func(es []referee.Event) { es[0].X.Start.Ruleset = []byte("{\"\u009b31m\u202e\":1}") }), ""},
		"action":   {changed(func(es []referee.Event) { es[1].Action = "\"\u009b31mX\u202e\u2028\"" }), `the rules refuse "\"\u009b31mX\u202e\u2028\""`},
		"claim":    {[]byte(`{"k":"claim","s":0,"claim":` + string(quoted) + prev), ""},
		"raw":      {[]byte("{\"k\":\"claim\",\"s\":0,\"claim\":\"" + nasty + prev), ""},
		"no JSON":  {[]byte(nasty + "\n" + nasty + "\n"), ""},
		"the end":  {changed(func(es []referee.Event) { es[len(es)-1].X.End.Reason = say }), ""},
	} {
		r := verify(t, c.record)
		if r.Status == replay.Valid {
			t.Errorf("%s: valid", name)
		}
		for _, s := range []string{r.String(), r.Err().Error()} {
			if !plain(s) {
				t.Errorf("%s: %q", name, s)
			}
		}
		if !strings.Contains(r.String(), c.want) {
			t.Errorf("%s: want %s in %s", name, c.want, r)
		}
	}
}

// TestLineErrorText: any fault is told in printable text, and what is printable already is told as it is.
func TestLineErrorText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		if rapid.Bool().Draw(t, "text") {
			s = rapid.String().Draw(t, "string")
		}
		e := &replay.LineError{Line: 7, Err: errors.New(s)}
		got, ok := strings.CutPrefix(e.Error(), "line 7: ")
		if !ok || !plain(got) {
			t.Fatalf("%q is told as %q", s, e.Error())
		}
		if plain(s) && got != s {
			t.Fatalf("%q is told as %q", s, got)
		}
		var back strings.Builder // what was escaped is not lost
		for rest := strings.ReplaceAll(got, `"`, `\"`); rest != "" && !strings.Contains(s, `\`); {
			r, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
			if err != nil {
				t.Fatalf("%q: %v", got, err)
			}
			if multibyte || r < utf8.RuneSelf {
				back.WriteRune(r)
			} else {
				back.WriteByte(byte(r))
			}
			rest = tail
		}
		if !strings.Contains(s, `\`) && back.String() != s {
			t.Fatalf("%q is told as %q, which is %q", s, got, back.String())
		}
	})
}

// touchy is Connect Four whose check of a ruleset panics.
type touchy struct {
	boom
	N int `json:"n"`
}

func (touchy) Validate() error { panic("over a ruleset") }

// TestResolverPanics: a ruleset that makes the rules panic before there is a match is a fault of the first line.
func TestResolverPanics(t *testing.T) {
	events := begin(t, setup(t, connectfour.New(), "touchy")).events
	events[0].X.Start.Game, events[0].X.Start.Version, events[0].X.Start.Ruleset = "boom", "1.0.0", []byte(`{"n":1}`)
	g := game.New(touchy{})
	for name, resolve := range map[string]replay.Resolver{
		"Rules":   replay.Rules(g),
		"by hand": func(_, _ string, ruleset json.RawMessage) (*game.Table, error) { return g.Table(ruleset) },
	} {
		r := verifyBy(t, write(t, events, false), resolve)
		if r.Status != replay.Invalid || r.Fault.Line != 1 || r.Rerun || !strings.Contains(r.Err().Error(), "panicked: over a ruleset") {
			t.Errorf("%s: %v", name, r)
		}
	}
}

// TestUnfinishedText: the error of a record that stops says where.
func TestUnfinishedText(t *testing.T) {
	all := lines(eventful(t, "cut").record(true))
	for want, record := range map[string]string{
		"replay: the record is unfinished: it ends after 0 events":                "",
		"replay: the record is unfinished: it ends after 5 events":                strings.Join(all[:5], ""),
		"replay: the record is unfinished: it ends after 4 events, within a line": strings.TrimSuffix(strings.Join(all[:5], ""), "\n"),
	} {
		if err := verify(t, []byte(record)).Err(); !errors.Is(err, replay.ErrUnfinished) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
