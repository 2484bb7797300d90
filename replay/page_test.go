package replay_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// page is docs/record-format.md: its tables by the headings above them, the
// first one of each section.
type page struct {
	text   string
	tables map[string][][]string // rows of cells, without the head
}

func readPage(t *testing.T) page {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "docs", "record-format.md"))
	if err != nil {
		t.Fatal(err)
	}
	p := page{text: string(b), tables: map[string][][]string{}}
	section := ""
	for line := range strings.Lines(p.text) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "##"); ok {
			section = strings.TrimSpace(strings.TrimLeft(name, "#"))
		}
		if strings.HasPrefix(line, "| ") {
			p.tables[section] = append(p.tables[section], strings.Split(strings.Trim(line, "| "), " | "))
		}
	}
	for section := range p.tables {
		p.tables[section] = p.tables[section][1:]
	}
	return p
}

var quoted = regexp.MustCompile("`([^`]+)`")

// members are the names in the first column of a section's table.
func (p page) members(t *testing.T, section string) (names []string) {
	t.Helper()
	for _, row := range p.tables[section] {
		names = append(names, strings.Trim(row[0], "`"))
	}
	if names == nil {
		t.Fatalf("the page has no table under %s", section)
	}
	return names
}

// order gives the names of an object's members as they stand there.
func order(t *testing.T, object []byte) (names []string, values map[string]json.RawMessage) {
	t.Helper()
	values = map[string]json.RawMessage{}
	if err := json.Unmarshal(object, &values); err != nil {
		t.Fatalf("%v in %s", err, object)
	}
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		t.Fatal(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return names, values
}

// everything is an event of each kind with all its members set.
func everything() []referee.Event {
	x := func(x referee.Extra) *referee.Extra { return &x }
	seat := referee.SeatInfo{
		Agent: referee.Agent{Slug: "a", Name: "b", Version: "c", Owner: "d", Framework: "e", Model: "f", House: true, Rating: 1, Labels: map[string]string{"g": "h"}},
		Policy: referee.Policy{Name: "p", Late: referee.DoStrike, Malformed: referee.DoReject, BadNonce: referee.DoDefault, Illegal: referee.DoEliminate, Oversized: referee.DoVoid,
			Unreachable: referee.DoStrike, Disconnected: referee.DoStrike, BadProtocol: referee.DoStrike, Strikes: 1, Out: referee.DoEliminate, Pause: time.Second, PauseMax: time.Second, Reask: true, Notes: 1},
		Clock: referee.Clock{Move: time.Second, Base: time.Second, Increment: time.Second, Grace: time.Second, Expiry: time.Second, Starts: referee.AtSent, Warn: time.Second,
			WarnFrom: time.Second, Back: time.Second},
		Transport: "t",
	}
	faults := make([][11]int, 1)
	for f := range faults[0][1:] {
		faults[0][f+1] = 1
	}
	return []referee.Event{
		{Kind: referee.KindStart, Time: start, X: x(referee.Extra{Start: &referee.Start{ID: "i", Game: "g", Version: "v", Ruleset: json.RawMessage("{}"), Position: "p", Names: []string{"n"},
			Seats: []referee.SeatInfo{seat}, Max: 1, Lib: "l"}})},
		{Kind: referee.KindSent, Ask: 1},
		{Kind: referee.KindMove, Ask: 1, Used: 1, Action: "1", X: x(referee.Extra{Ref: true, Note: "n", Meta: []byte("{}"), Key: "k", Raw: "r"})},
		{Kind: referee.KindFault, Ask: 1, Used: 1, Action: "1", X: x(referee.Extra{Fault: referee.Stale, Do: referee.DoReject, Note: "n", Meta: []byte("{}"), Detail: "d",
			Got: referee.Address{By: referee.ByTurn, N: 1}})},
		{Kind: referee.KindGone, X: x(referee.Extra{Detail: "d"})},
		{Kind: referee.KindBack},
		{Kind: referee.KindClaim},
		{Kind: referee.KindRule, X: x(referee.Extra{By: "b", Reason: "r", Win: 1, Ret: []float64{1}})},
		{Kind: referee.KindSay, X: x(referee.Extra{To: 1, Text: "t"})},
		{Kind: referee.KindResume, X: x(referee.Extra{At: 1})},
		{Kind: referee.KindEnd, X: x(referee.Extra{End: &referee.End{Reason: "r", Ret: []float64{1}, Scores: []int64{1}, Places: []int{1}, Strikes: []int{1}, Faults: faults}})},
	}
}

// TestPageMembers holds the page's tables against what is written: the same
// members in the same order, and those left out that the page calls optional.
func TestPageMembers(t *testing.T) {
	p := readPage(t)
	same := func(section string, object []byte) map[string]json.RawMessage {
		t.Helper()
		got, values := order(t, object)
		if d := cmp.Diff(p.members(t, section), got); d != "" {
			t.Errorf("%s: the page has -, a line has +:\n%s", section, d)
		}
		return values
	}
	required := func(section string, object []byte) {
		t.Helper()
		var want []string
		for _, row := range p.tables[section] {
			if len(row) < 3 || strings.TrimSpace(row[2]) == "" {
				want = append(want, strings.Trim(row[0], "`"))
			}
		}
		got, _ := order(t, object)
		if d := cmp.Diff(want, got, cmp.Transformer("none", func(s []string) []string { return append([]string{}, s...) })); d != "" {
			t.Errorf("%s, with nothing set: the page has -, a line has +:\n%s", section, d)
		}
	}
	var prev [32]byte
	for _, e := range everything() {
		at := start
		if e.Kind != referee.KindStart {
			e.Time = start + 1
		}
		values := same(e.Kind.String(), referee.AppendLine(nil, &e, at, &prev))
		bare := referee.Event{Kind: e.Kind, Seat: e.Seat, Time: start, X: &referee.Extra{}}
		switch e.Kind {
		case referee.KindStart:
			seats := []json.RawMessage{}
			if err := json.Unmarshal(values["seats"], &seats); err != nil {
				t.Fatal(err)
			}
			seat := same("seat", seats[0])
			for _, part := range []string{"agent", "policy", "clock"} {
				same(part, seat[part])
			}
			bare.Time, bare.X.Start = 0, &referee.Start{ID: "i", Game: "g", Version: "v", Seats: make([]referee.SeatInfo, 1)}
			_, empty := order(t, referee.AppendLine(nil, &bare, 0, &prev))
			if err := json.Unmarshal(empty["seats"], &seats); err != nil {
				t.Fatal(err)
			}
			required("seat", seats[0])
			_, seat = order(t, seats[0])
			for _, part := range []string{"agent", "policy", "clock"} {
				required(part, seat[part])
			}
		case referee.KindMove:
			bare.Action = "1"
		case referee.KindFault:
			bare.X.Fault = referee.Late
		case referee.KindRule:
			bare.X.By, bare.X.Reason = "b", "r"
		case referee.KindSay:
			bare.X.Text = "t"
		case referee.KindEnd:
			bare.X.End = &referee.End{}
		}
		required(e.Kind.String(), referee.AppendLine(nil, &bare, bare.Time, &prev))
	}
}

// TestPageSigned does the same for what is signed.
func TestPageSigned(t *testing.T) {
	p := readPage(t)
	signer := signerOf("k", 1, 5)
	seal := replay.Seal{Count: 1}
	a, err := signer.Sign("m", &seal)
	if err != nil {
		t.Fatal(err)
	}
	seal.Attestation = a
	receipt, err := signer.Receipt(replay.Receipt{Match: "m", Ask: 1, Arrived: 1, Deadline: 1, Fault: "late", Event: 1, Code: "refused"})
	if err != nil {
		t.Fatal(err)
	}
	for section, object := range map[string][]byte{"Seal": replay.AppendSeal(nil, &seal), "attestation": a, "receipt": receipt} {
		if got, _ := order(t, object); !slices.Equal(got, p.members(t, section)) {
			t.Errorf("%s: the page has %v, written is %v", section, p.members(t, section), got)
		}
	}
}

// TestPageCodes holds the lists of codes against the names that are written,
// and the bounds against the constants.
func TestPageCodes(t *testing.T) {
	p := readPage(t)
	want := map[string][]string{}
	for f := referee.NoFault + 1; !strings.Contains(f.String(), "("); f++ {
		want["kinds of faults"] = append(want["kinds of faults"], f.String())
	}
	for d := referee.DoForfeit; !strings.Contains(d.String(), "("); d++ {
		want["consequences"] = append(want["consequences"], d.String())
	}
	for c := referee.Resign; !strings.Contains(c.String(), "("); c++ {
		want["claims"] = append(want["claims"], c.String())
	}
	for r := referee.RuleVoid; !strings.Contains(r.String(), "("); r++ {
		want["rulings"] = append(want["rulings"], r.String())
	}
	for c := referee.CausePlay; !strings.Contains(c.String(), "("); c++ {
		want["causes"] = append(want["causes"], c.String())
	}
	got := map[string][]string{}
	for _, row := range p.tables["Codes"] {
		for _, m := range quoted.FindAllStringSubmatch(row[1], -1) {
			got[row[0]] = append(got[row[0]], m[1])
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var bounds []string
	for _, row := range p.tables["Lines"] {
		bounds = append(bounds, row[1])
	}
	if want := []string{strconv.Itoa(referee.MaxLine), strconv.Itoa(replay.MaxLines), strconv.Itoa(game.MaxSeats), "32", "65536"}; !slices.Equal(bounds, want) {
		t.Errorf("bounds %v, want %v", bounds, want)
	}
	// Every kind of event has a section, and no other section has such a table.
	kinds := 0
	for k := referee.KindStart; !strings.Contains(k.String(), "("); k++ {
		kinds++
		if p.tables[k.String()] == nil {
			t.Errorf("no section on %v", k)
		}
	}
	if n := strings.Count(p.text, "| `k` | "); n != kinds+1 {
		t.Errorf("%d tables of lines, want %d", n, kinds+1)
	}
	// Limits on what agents say.
	for _, bound := range []string{fmt.Sprintf("%d code points: what the agent said", referee.MaxNote), fmt.Sprintf("at most %d bytes: the agent's own", referee.MaxMeta),
		fmt.Sprintf("%d code points: idempotency key", referee.MaxKey), fmt.Sprintf("%d code points: more about the fault", referee.MaxDetail), fmt.Sprintf("%d code points | |", referee.MaxText),
		fmt.Sprintf("2 to %d |", replay.MaxSigners)} {
		if !strings.Contains(p.text, bound) {
			t.Errorf("the page does not say %q", bound)
		}
	}
}

// TestPageFaults: the page's codes of faults are those that the vectors use.
func TestPageFaults(t *testing.T) {
	p := readPage(t)
	codes := p.members(t, "Which line is wrong")
	list, _ := embedded(t)
	for _, v := range list {
		s, _ := v.Attested.(string)
		for _, c := range []string{v.Code, s} {
			if c != "" && !slices.Contains(codes, c) {
				t.Errorf("%s: the page does not know %q", v.File, c)
			}
		}
	}
}

// TestPageChance draws the page's check of the stream.
func TestPageChance(t *testing.T) {
	want := fmt.Sprintf("31 zero bytes and a 1: `%d`", game.SeedFrom(1).Stream("chance", 0).Uint64())
	if !strings.Contains(readPage(t).text, want) {
		t.Errorf("the page does not say %q", want)
	}
}
