package replay_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// vector is an entry of testdata/record/v1/manifest.json, see docs/record-format.md.
type vector struct {
	File     string `json:"file"`
	About    string `json:"about"`
	Game     string `json:"game"`
	Status   string `json:"status"`
	Line     int64  `json:"line,omitempty"`
	Code     string `json:"code,omitempty"`
	Needs    string `json:"needs,omitempty"`
	Events   int64  `json:"events"`
	Head     string `json:"head,omitempty"`
	Root     string `json:"root"`
	Attested any    `json:"attested,omitempty"` // int or code

	record []byte
}

// vectorRules are the rules of all vectors.
var vectorRules = replay.Rules(connectfour.New(), chess.New(), grid.New(), werewolf.New())

// vectorKeys are the keys that attest to the vectors, by what is the matter with them.
func vectorKeys(t testing.TB) (signers map[string]*replay.KeySigner, keys *replay.Keys) {
	const at = 1_790_000_100
	signers = map[string]*replay.KeySigner{}
	var public []replay.PublicKey
	for i, name := range []string{"host", "witness", "revoked", "replaced", "early", "late", "stranger"} {
		signers[name] = signerOf("2026-"+name, byte(i+1), at)
		k := signers[name].Public()
		switch name {
		case "revoked":
			k.Revoked = at
		case "replaced":
			k.Until = at
		case "early":
			k.From = at + 1
		case "late":
			k.From, k.Until, k.Revoked = at, at+1, at+1
		case "stranger":
			continue
		}
		public = append(public, k)
	}
	signers["forger"] = signerOf("2026-host", 99, at) // the name of a key of others
	return signers, keysOf(t, public...)
}

// vectors makes the records of format version 1 and says what each is.
func vectors(t testing.TB) []vector {
	v := &vectorList{t: t}
	v.signers, v.keys = vectorKeys(t)
	v.good()
	v.cut()
	v.edited()
	v.lines()
	v.rechained()
	v.attested()
	return v.list
}

type vectorList struct {
	t       testing.TB
	signers map[string]*replay.KeySigner
	keys    *replay.Keys
	list    []vector
}

// add completes an entry with what Verify finds.
func (l *vectorList) add(v vector) {
	l.t.Helper()
	r := verifyBy(l.t, v.record, vectorRules)
	v.File += ".jsonl"
	if v.Game == "" {
		v.Game = "connect-four@1.0.0"
	}
	v.Events, v.Root = r.Events, hex.EncodeToString(r.Root[:])
	if r.Events > 0 {
		v.Head = hex.EncodeToString(r.Head[:])
	}
	if v.Attested == nil && v.Status == "valid" {
		v.Attested = "unattested"
	}
	l.list = append(l.list, v)
}

func (l *vectorList) valid(file, about string, record []byte) {
	l.t.Helper()
	l.add(vector{File: file, About: about, Status: "valid", record: record})
}

func (l *vectorList) invalid(file, about string, line int64, code string, record []byte) {
	l.t.Helper()
	l.add(vector{File: file, About: about, Status: "invalid", Line: line, Code: code, record: record})
}

// signed seals events with the keys of these names.
func (l *vectorList) signed(events []referee.Event, names ...string) []byte {
	l.t.Helper()
	var b bytes.Buffer
	w := replay.NewWriter(&b)
	for i := range events {
		if err := w.Append(&events[i]); err != nil {
			l.t.Fatal(err)
		}
	}
	var signers []replay.Signer
	for _, name := range names {
		signers = append(signers, l.signers[name])
	}
	if err := w.Seal(signers...); err != nil {
		l.t.Fatal(err)
	}
	return b.Bytes()
}

// good are whole matches.
func (l *vectorList) good() {
	t := l.t
	l.valid("eventful", "times, notes, an idempotency key, four faults, a lost connection, a draw offer, a resume; seat 0 wins by play", eventful(t, "golden:1").record(true))
	l.valid("unsealed", "the same without a seal, which is complete", eventful(t, "golden:1").record(false))
	l.valid("forfeit", "seat 1 never answers and loses by its third strike", forfeit(t).record(true))
	l.valid("void", "the host failed in the middle", void(t).record(true))
	l.valid("ruled", "names of its own, a limit of steps, a referee that took over, a ruling of the host", ruled(t).record(true))
	l.valid("agreed", "a draw is offered and accepted", agreed(t).record(true))
	l.valid("resigned", "seat 0 resigns at once", claimed(t, "golden:6", referee.Resign).record(true))
	l.valid("abandoned", "seat 0 walks away", claimed(t, "golden:7", referee.Abandon).record(true))
	l.valid("eliminated", "seat 1 is out after two strikes, one of them a default that was played; the referee moves for it to the end", eliminated(t).record(true))
	l.valid("expired", "the time of the match runs out", expired(t).record(true))
	l.valid("sent", "clocks that start when a request is sent, with a budget", sent(t).record(true))
	l.valid("timed", "a budget beside the time for a move, retries that share it, pauses that double, an agent that stays away", timed(t, "golden:13", referee.AtOpen).record(true))
	l.valid("timed-sent", "the same with clocks that start when a request is sent", timed(t, "golden:14", referee.AtSent).record(true))
	full := setup(t, connectfour.New(), "golden:11")
	l.valid("random", "a match of random players", played(t, full, true))
	small, err := connectfour.New().Table([]byte(`{"columns":4,"rows":4,"connect":3}`))
	if err != nil {
		t.Fatal(err)
	}
	full.ID, full.Table = "golden:12", small
	l.valid("small", "another ruleset", played(t, full, true))
	for _, line := range []struct{ file, about, columns string }{
		{"across", "four in a row", "0011223"}, {"rising", "four on a rising diagonal", "01122323303"}, {"falling", "four on a falling diagonal", "65544343363"},
	} {
		l.valid(line.file, line.about, dropped(t, "golden:"+line.file, line.columns).record(true))
	}
	l.valid("full", "a full board, which is a draw", fullBoard(t))
	for _, g := range []game.Game{chess.New(), grid.New(), werewolf.New()} {
		s := setup(t, g, "golden:"+g.Info().Name)
		s.MaxSteps = 60
		v := vector{File: g.Info().Name, Game: g.Info().Name + "@" + g.Info().Version, About: "a match of random players", Status: "valid", record: played(t, s, true)}
		l.add(v)
	}
}

// dropped is a match of these columns.
func dropped(t testing.TB, id, columns string) *script {
	x := begin(t, setup(t, connectfour.New(), id))
	for i, c := range columns {
		x.move(10, game.Seat(i%2), game.Action(string(c)))
	}
	return x
}

// fullBoard is the first of some matches on a small board that nobody wins.
func fullBoard(t testing.TB) []byte {
	small, err := connectfour.New().Table([]byte(`{"columns":4,"rows":4,"connect":4}`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		s := setup(t, connectfour.New(), fmt.Sprint("golden:full-", i))
		s.Table = small
		if record := played(t, s, true); verify(t, record).End.Reason == "full" {
			return record
		}
	}
	t.Fatal("no draw in 100 matches")
	return nil
}

// agreed is a match that ends in a draw by agreement.
func agreed(t testing.TB) *script {
	x := begin(t, setup(t, connectfour.New(), "golden:5"))
	x.move(150, 0, "0")
	x.must(x.m.Claim(x.now+1, 0, referee.OfferDraw))
	x.must(x.m.Claim(x.now+2, 1, referee.AcceptDraw))
	return x
}

func claimed(t testing.TB, id string, c referee.Claim) *script {
	x := begin(t, setup(t, connectfour.New(), id))
	x.must(x.m.Claim(x.now+1, 0, c))
	return x
}

// eliminated is a match that the referee plays on for seat 1.
func eliminated(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:8")
	p := &s.Seats[1].Policy
	p.Illegal, p.Strikes, p.Out = referee.DoDefault, 2, referee.DoEliminate
	x := begin(t, s)
	x.move(10, 0, "6")
	x.answer(10, 1, referee.Answer{Action: "x"}, referee.Refused)
	x.move(10, 0, "6")
	x.answer(10, 1, referee.Answer{Action: `"left"`, Note: "wrong again"}, referee.Refused)
	x.move(10, 0, "6")
	x.move(10, 0, "0")
	x.move(10, 0, "6")
	if r, over := x.m.Result(); !over || r.Returns[0] != 1 {
		t.Fatalf("%+v", r)
	}
	return x
}

func expired(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:9")
	s.Seats[0].Clock.Expiry = 15 * time.Second
	x := begin(t, s)
	x.move(9_000, 0, "6")
	x.tick(6_000)
	return x
}

// sent has requests whose clocks start with an event of their own.
func sent(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:10")
	for i := range s.Seats {
		c := &s.Seats[i].Clock
		c.Starts, c.Base, c.Increment, c.Move = referee.AtSent, time.Minute, time.Second, 0
	}
	x := begin(t, s)
	for i := range 7 {
		x.now += 20
		seat := game.Seat(i % 2)
		req, _ := x.m.Open(seat)
		_, open, o := x.m.Sent(x.now, seat, req.Ask)
		if !open {
			t.Fatal("not open")
		}
		x.did(o)
		x.move(700, seat, game.Action("01"[seat:seat+1]))
	}
	return x
}

// timed is a match in which the clocks have much to do.
func timed(t testing.TB, id string, starts referee.Starts) *script {
	s := setup(t, connectfour.New(), id)
	for i := range s.Seats {
		s.Seats[i].Clock = referee.Clock{Move: 10 * time.Second, Base: 20 * time.Second, Increment: time.Second, Grace: 100 * time.Millisecond, Expiry: time.Hour, Back: 3 * time.Second, Starts: starts}
		p := &s.Seats[i].Policy
		p.Reask, p.Strikes, p.Disconnected, p.Unreachable = false, 20, referee.DoStrike, referee.DoReject
		p.PauseMax = 700 * time.Millisecond
	}
	x := begin(t, s)
	sent := func(seat game.Seat) {
		if req, ok := x.m.Open(seat); ok && starts == referee.AtSent {
			_, _, o := x.m.Sent(x.now, seat, req.Ask)
			x.did(o)
		}
	}
	sent(0)
	x.answer(1_000, 0, referee.Answer{Fault: referee.Unreachable, Detail: "dial"}, referee.Refused)
	for range 3 {
		x.answer(1_500, 0, referee.Answer{Action: "9"}, referee.Refused)
		x.tick(800)
		sent(0)
	}
	x.move(500, 0, "3")
	sent(1)
	x.did(x.m.Gone(x.now+200, 1, "reset"))
	x.now += 200
	x.tick(3_000) // away for too long: a strike, and another later
	x.tick(700)
	sent(1)
	x.tick(3_000)
	x.did(x.m.Back(x.now+600, 1))
	x.now += 900
	x.tick(0)
	sent(1)
	x.move(100, 1, "2")
	x.did(x.m.Resumed(x.now + 5_000))
	x.now += 5_000
	sent(0)
	x.move(9_000, 0, "3")
	sent(1)
	x.move(2_000, 1, "2")
	sent(0)
	x.did(x.m.Gone(x.now+100, 0, ""))
	x.did(x.m.Back(x.now+1_100, 0))
	x.now += 1_100
	for i := 0; i < 60; i++ { // the budget runs out, again and again
		if _, over := x.m.Result(); over {
			return x
		}
		sent(0)
		x.tick(1_000)
	}
	t.Fatal("the match goes on")
	return nil
}

// ruled is a match of ten steps that a referee took over, and that the host ruled on.
func ruled(t testing.TB) *script {
	s := setup(t, connectfour.New(), "golden:4")
	s.Start.Names = []string{"Ann (first)", "Bob (second)"}
	s.MaxSteps = 10
	s.Seats[1].Agent = referee.Agent{Slug: "bob.2", Name: "Bób 😀", Version: "0.1", Owner: "o", Framework: "f", Model: "m", House: true, Rating: 1512.5,
		Labels: map[string]string{"team": "blue", "größe": "\"7\""}}
	x := begin(t, s)
	for i := range 10 {
		if i == 4 {
			x.did(x.m.Resumed(x.now + 5))
			x.now += 5
		}
		seat := game.Seat(i % 2)
		x.move(10, seat, game.Action(fmt.Sprint(i/2%3+3*int(seat))))
	}
	x.must(x.m.Rule(x.now+1, referee.Ruling{What: referee.RuleWin, By: "the jury", Reason: "style", Win: game.Seats(1)}))
	return x
}

// cut are records that stop early.
func (l *vectorList) cut() {
	whole := eventful(l.t, "golden:1").record(true)
	all := lines(whole)
	unfinished := func(file, about string, record []byte) {
		l.t.Helper()
		l.add(vector{File: file, About: about, Status: "unfinished", record: record})
	}
	unfinished("cut-after-line", "the first nine lines, as a crash between two events leaves them", []byte(strings.Join(all[:9], "")))
	unfinished("cut-in-line", "cut within a line, as a crash leaves it", whole[:1900])
	unfinished("cut-in-start", "cut within the first line", whole[:100])
	unfinished("cut-before-end", "the end event is missing", []byte(strings.Join(all[:len(all)-2], "")))
	unfinished("cut-newline-of-end", "the newline of the end event is missing, and the seal", []byte(strings.TrimSuffix(strings.Join(all[:len(all)-1], ""), "\n")))
	unfinished("empty", "no line at all", nil)
	l.add(vector{File: "cut-in-seal", About: "complete, but for half a seal", Status: "unfinished", record: whole[:len(whole)-10]})
}

// edited are single bytes and lines that were changed where they stand.
func (l *vectorList) edited() {
	whole := string(eventful(l.t, "golden:1").record(true))
	once := func(file, about string, line int64, code, from, to string) {
		l.t.Helper()
		if strings.Count(whole, from) == 0 {
			l.t.Fatalf("%s: nothing to change", file)
		}
		l.invalid(file, about, line, code, []byte(strings.Replace(whole, from, to, 1)))
	}
	once("changed-move", "another column, also legal", 12, "chain", `"ask":3,"a":2,`, `"ask":3,"a":1,`)
	once("changed-note", "other words of an agent", 2, "chain", "the middle", "the riddle")
	once("changed-time", "one digit of a time", 9, "chain", `"t":18230`, `"t":18231`)
	once("changed-start", "another name in the first line", 1, "chain", `"name":"Ann"`, `"name":"Amy"`)
	late := expired(l.t).record(true)
	l.invalid("changed-end", "another time of the end, one that could have been", 3, "chain", bytes.Replace(late, []byte(`"end","t":15000`), []byte(`"end","t":15001`), 1))
	once("changed-prev", "another hash in the chain", 13, "chain", `"claim":"offer_draw","prev":"Z`, `"claim":"offer_draw","prev":"Y`)
	once("changed-seal-count", "the seal counts one event more", 20, "seal", `"count":19`, `"count":20`)
	once("changed-seal-head", "another head in the seal", 20, "seal", `"head":"Q`, `"head":"R`)
	once("changed-seal-root", "another root in the seal", 20, "seal", `"root":"D`, `"root":"E`)
	once("form-space", "white space", 3, "form", `"illegal","do"`, `"illegal" ,"do"`)
	once("form-order", "members in another order", 5, "form", `"t":2675,"s":1`, `"s":1,"t":2675`)
	once("form-escape", "a letter that need not be escaped", 2, "form", `"note":"t`, `"note":"\u0074`)
	once("form-number", "an integer with a fraction", 2, "form", `"ask":1,`, `"ask":1.0,`)
	once("form-exponent", "an action with another spelling of its number", 2, "form", `"a":3,`, `"a":3e0,`)
	once("form-zero", "a zero that is left out", 10, "form", `"t":19125,"s":1`, `"t":19125,"s":1,"used":0`)
	once("form-unknown", "a member that nobody knows", 10, "form", `"t":19125,"s":1`, `"t":19125,"s":1,"x":1`)
	once("form-twice", "a member that stands twice", 10, "form", `"t":19125,"s":1`, `"t":19125,"s":1,"s":1`)
	once("form-kind", "a kind that nobody knows", 10, "form", `{"k":"back"`, `{"k":"bark"`)
	once("form-code", "a fault that nobody knows", 3, "form", `"fault":"illegal"`, `"fault":"evil"`)
	once("form-range", "a seat that cannot be", 10, "form", `"s":1,"prev":"CZMS5`, `"s":64,"prev":"CZMS5`)
	once("form-version", "a format of the future", 1, "form", `"v":1`, `"v":2`)
	once("form-crlf", "a carriage return", 4, "form", "\"}\n{\"k\":\"move\",\"t\":2675", "\"}\r\n{\"k\":\"move\",\"t\":2675")
	once("form-utf8", "a byte that is no UTF-8", 2, "form", "ünïcode", "\xfcn\u00efcode")
	once("form-surrogate", "half of a surrogate pair", 2, "form", "ünïcode", `\ud83dcode`)
	once("form-empty-line", "an empty line", 10, "form", `{"k":"back"`, "\n"+`{"k":"back"`)
	once("form-base64", "a hash with bits set that are none", 20, "seal", `WpSMs"}`, `WpSMt"}`)
	l.invalid("form-mark", "a byte-order mark in front", 1, "form", []byte("\ufeff"+whole))
}

// lines are whole lines that were moved about.
func (l *vectorList) lines() {
	all := lines(eventful(l.t, "golden:1").record(true))
	all[len(all)-1] += "\n"
	other := lines(eventful(l.t, "golden:other").record(true))
	with := func(file, about string, line int64, code string, edit []string) {
		l.t.Helper()
		l.invalid(file, about, line, code, []byte(strings.Join(edit, "")))
	}
	n := int64(len(all))
	with("line-deleted", "a line is missing", 4, "chain", slices.Delete(slices.Clone(all), 4, 5))
	with("line-doubled", "a line stands twice", 5, "chain", slices.Insert(slices.Clone(all), 5, all[4]))
	swapped := slices.Clone(all)
	swapped[4], swapped[5] = swapped[5], swapped[4]
	with("line-swapped", "two lines have changed places", 5, "chain", swapped)
	foreign := slices.Clone(all)
	foreign[7] = other[7]
	with("line-foreign", "a line of another match", 8, "chain", foreign)
	with("first-line-missing", "the first line is missing", 1, "order", all[1:])
	with("start-twice", "a second start event", 2, "order", slices.Insert(slices.Clone(all), 1, all[0]))
	with("end-twice", "a second end event", n, "order", slices.Insert(slices.Clone(all), int(n-1), all[n-2]))
	with("seal-twice", "a second seal", n+1, "order", append(slices.Clone(all), all[n-1]))
	with("after-seal", "an event after the seal", n+1, "order", append(slices.Clone(all), all[1]))
	with("seal-early", "a seal in place of the end event", n-1, "order", slices.Delete(slices.Clone(all), int(n-2), int(n-1)))
	exchanged := slices.Clone(all)
	exchanged[n-1] = other[n-1] + "\n"
	with("seal-foreign", "the seal of another match of as many events", n-1, "chain", exchanged)
}

// rechained are records by somebody who can write: chain and seal are new, and right.
func (l *vectorList) rechained() {
	again := func(file, about string, line int64, code, needs string, do func([]referee.Event) []referee.Event) {
		l.t.Helper()
		events := do(eventful(l.t, "golden:1").events)
		l.add(vector{File: "rechained-" + file, About: about, Status: "invalid", Line: line, Code: code, Needs: needs, record: write(l.t, events, true)})
	}
	at := change
	again("move", "a move that the rules refuse", 2, "rules", "rules", at(2, func(e *referee.Event) { e.Action = "7" }))
	again("seat", "a move by the seat that does not have to", 2, "rules", "rules", at(2, func(e *referee.Event) { e.Seat = 1 }))
	again("ask", "a move that answers another request", 2, "rules", "rules", at(2, func(e *referee.Event) { e.Ask = 2 }))
	again("chance", "a move of chance, which has none", 2, "rules", "rules", at(2, func(e *referee.Event) { e.Seat, e.Ask, e.Used, e.X = game.Chance, 0, 0, nil }))
	again("ref", "a move of the referee for a seat that is not out", 2, "rules", "rules", at(2, func(e *referee.Event) { e.Ask, e.Used, e.X = 0, 0, &referee.Extra{Ref: true} }))
	again("key", "an idempotency key that was used before", 12, "rules", "rules", at(12, func(e *referee.Event) { e.X = &referee.Extra{Key: "b-1"} }))
	again("milder", "a consequence that is milder than the policy", 3, "rules", "rules", at(3, func(e *referee.Event) { e.X.Do = referee.DoReject }))
	again("policy", "a policy that forgives", 3, "rules", "rules", at(1, func(e *referee.Event) { e.X.Start.Seats[1].Policy.Illegal = referee.DoReject }))
	again("default", "a default that was not due", 3, "rules", "rules", at(3, func(e *referee.Event) { e.Action = "0" }))
	again("gone", "a seat that goes away twice", 10, "rules", "rules", at(10, func(e *referee.Event) { e.Kind = referee.KindGone }))
	again("decline", "a draw declined by the seat that offers it", 14, "rules", "rules", at(14, func(e *referee.Event) { e.Seat = 0 }))
	again("resigned", "a resignation, after which the match goes on", 14, "rules", "rules", at(13, func(e *referee.Event) { e.X.Claim = referee.Resign }))
	again("winner", "the other seat wins", 19, "rules", "rules", end(func(e *referee.End) { e.Ret[0], e.Ret[1] = e.Ret[1], e.Ret[0] }))
	again("places", "other places", 19, "rules", "rules", end(func(e *referee.End) { e.Places = []int{2, 1} }))
	again("strikes", "fewer strikes", 19, "rules", "rules", end(func(e *referee.End) { e.Strikes[0] = 1 }))
	again("faults", "fewer faults", 19, "rules", "rules", end(func(e *referee.End) { e.Faults[1] = e.Faults[0] }))
	again("cause", "another cause", 19, "rules", "rules", end(func(e *referee.End) { e.Cause = referee.CauseForfeit }))
	again("reason", "another reason", 19, "rules", "rules", end(func(e *referee.End) { e.Reason = "full" }))
	again("end-late", "an end later than what it follows from", 19, "rules", "rules", at(19, func(e *referee.Event) { e.Time++ }))
	again("secret", "another secret", 19, "commitment", "", end(func(e *referee.End) { e.Secret[0] ^= 1 }))
	again("salt", "another salt", 19, "commitment", "", end(func(e *referee.End) { e.Salt[31] ^= 1 }))
	again("commitment", "another commitment", 19, "commitment", "", at(1, func(e *referee.Event) { e.X.Start.Commit[0] ^= 1 }))
	again("ruleset", "a ruleset that cannot be", 1, "rules", "rules", at(1, func(e *referee.Event) { e.X.Start.Ruleset = []byte(`{"columns":7,"connect":2,"rows":6}`) }))
	again("charged", "more thinking time charged than has passed", 2, "rules", "clocks", at(2, func(e *referee.Event) { e.Used = 1201 }))
	again("not-late", "called late before the deadline", 6, "rules", "clocks", func(events []referee.Event) []referee.Event {
		x := events[5].X
		x.Fault, x.Detail = referee.Late, ""
		f := events[18].X.End.Faults
		f[0][referee.Late], f[0][referee.Malformed] = 2, 0
		return events
	})

	l.claims()

	backwards := eventful(l.t, "golden:1").events
	backwards[2].Time = backwards[1].Time - 1
	l.invalid("rechained-time", "time runs backwards", 3, "time", write(l.t, backwards, true))

	werewolves, _ := read(l.t, l.named("werewolf"))
	deal := slices.IndexFunc(werewolves, func(e referee.Event) bool { return e.Kind == referee.KindMove && e.Seat == game.Chance })
	s := setup(l.t, werewolf.New(), "another-deal")
	s.MaxSteps = 60
	others, _ := read(l.t, played(l.t, s, true))
	if others[deal].Action == werewolves[deal].Action {
		l.t.Fatal("the same deal twice")
	}
	// As far as the first move after the deal, which may not be legal any more.
	werewolves[deal].Action = others[deal].Action
	cause := referee.Event{Kind: referee.KindFault, Seat: game.Host, Time: werewolves[deal].Time, X: &referee.Extra{Fault: referee.Internal, Do: referee.DoVoid}}
	last := werewolves[len(werewolves)-1]
	last.Time = cause.Time
	last.X = &referee.Extra{End: &referee.End{Cause: referee.CauseVoid, Reason: "internal", Secret: last.X.End.Secret, Salt: last.X.End.Salt}}
	l.add(vector{File: "rechained-draw", About: "other roles than the secret deals", Game: "werewolf@" + werewolf.New().Info().Version, Status: "invalid", Line: int64(deal + 1), Code: "draw", Needs: "rules",
		record: write(l.t, append(werewolves[:deal+1], cause, last), true)})
}

// claims are matches that end after an event which could not have come.
func (l *vectorList) claims() {
	add := func(file, about string, x *script, events ...referee.Event) {
		l.t.Helper()
		wrong := int64(len(x.events) + len(events))
		if last := events[len(events)-1]; last.Kind != referee.KindEnd {
			s := x.m.Setup()
			events = append(events, referee.Event{Kind: referee.KindEnd, X: &referee.Extra{End: &referee.End{Cause: referee.CauseVoid, Reason: "internal", Secret: s.Secret, Salt: s.Salt}}})
		}
		for i := range events {
			events[i].Time = x.now
		}
		l.add(vector{File: "rechained-" + file, About: about, Status: "invalid", Line: wrong, Code: "rules", Needs: "rules", record: write(l.t, append(x.events, events...), true)})
	}
	claim := func(s game.Seat, c referee.Claim) referee.Event {
		return referee.Event{Kind: referee.KindClaim, Seat: s, X: &referee.Extra{Claim: c}}
	}
	lapsed := dropped(l.t, "golden:lapsed", "0")
	lapsed.must(lapsed.m.Claim(lapsed.now+1, 0, referee.OfferDraw))
	lapsed.move(10, 1, "0")
	add("lapsed", "an offer accepted that a move had declined", lapsed, claim(1, referee.AcceptDraw))
	again := dropped(l.t, "golden:again", "0")
	again.must(again.m.Claim(again.now+1, 0, referee.OfferDraw))
	again.must(again.m.Claim(again.now+2, 1, referee.DeclineDraw))
	again.now += 2
	add("again", "a second offer with no move between", again, claim(0, referee.OfferDraw))
	talk := dropped(l.t, "golden:talk", "0")
	var said []referee.Event
	for range 65 {
		said = append(said, referee.Event{Kind: referee.KindSay, Seat: 1, X: &referee.Extra{Text: "so"}})
	}
	add("talk", "more said in one turn than may be", talk, said...)
	add("column", "a disc in a full column", dropped(l.t, "golden:column", "000000"), referee.Event{Kind: referee.KindMove, Seat: 0, Ask: 4, Action: "0"})
	early := expired(l.t)
	last := early.events[len(early.events)-1]
	early.events = early.events[:len(early.events)-1]
	early.now = last.Time - 1
	add("early-expiry", "an end by expiry a millisecond early", early, last)
}

func (l *vectorList) named(file string) []byte {
	i := slices.IndexFunc(l.list, func(v vector) bool { return v.File == file+".jsonl" })
	return l.list[i].record
}

// attested are matches with attestations, good ones and others.
func (l *vectorList) attested() {
	one := func(id string, names ...string) []byte { return l.signed(resigned(l.t, id), names...) }
	add := func(file, about string, attested any, record []byte) {
		l.t.Helper()
		l.add(vector{File: "attested-" + file, About: about, Status: "valid", Attested: attested, record: record})
	}
	good := one("attested:1", "host")
	add("one", "by one key", 1, good)
	add("two", "by two keys", 2, one("attested:1", "host", "witness"))
	add("later-revoked", "by a key that was revoked, and replaced, a second later", 1, one("attested:1", "late"))
	add("unknown", "by a key that is not known", "key-unknown", one("attested:1", "stranger"))
	add("wrong-key", "by a key that has the name of another", "signature", one("attested:1", "forger"))
	add("revoked", "by a key that was revoked in that second", "key-revoked", one("attested:1", "revoked"))
	add("replaced", "by a key that was replaced in that second", "key-period", one("attested:1", "replaced"))
	add("early", "by a key that is good from the next second on", "key-period", one("attested:1", "early"))
	add("one-of-two", "by a good key and by one that is not known", "key-unknown", one("attested:1", "host", "stranger"))
	edit := func(from, to string) []byte {
		l.t.Helper()
		if strings.Count(string(good), from) != 1 {
			l.t.Fatalf("%q in %s", from, good)
		}
		return []byte(strings.Replace(string(good), from, to, 1))
	}
	add("flipped", "one digit of the signature", "signature", edit(`"signature":"ed25519:`+signature(l.t, good)[:1], `"signature":"ed25519:`+map[bool]string{true: "1", false: "0"}[signature(l.t, good)[0] == '0']))
	add("backdated", "another second than was signed", "signature", edit(`"signed_at":1790000100`, `"signed_at":1790000099`))
	add("unsigned", "no signature", "attestation", edit(`"signature":"ed25519:`+signature(l.t, good)+`",`, ""))
	add("upper-case", "a signature in capitals", "attestation", edit(signature(l.t, good), strings.ToUpper(signature(l.t, good))))
	graft := func(from []byte) []byte {
		a, err := replay.ParseSeal([]byte(lines(good)[len(lines(good))-1]))
		if err != nil {
			l.t.Fatal(err)
		}
		b, err := replay.ParseSeal([]byte(lines(from)[len(lines(from))-1]))
		if err != nil {
			l.t.Fatal(err)
		}
		a.Attestation = b.Attestation
		_, at := sealLine(good)
		return append(replay.AppendSeal(bytes.Clone(good[:at]), a), '\n')
	}
	lie := func(do func(*replay.Seal)) []byte { // what a good key signs about other events
		r := verify(l.t, good)
		seal := *r.Seal
		do(&seal)
		a, err := l.signers["host"].Sign("attested:1", &seal)
		if err != nil {
			l.t.Fatal(err)
		}
		seal = *r.Seal
		seal.Attestation = a
		_, at := sealLine(good)
		return append(replay.AppendSeal(bytes.Clone(good[:at]), &seal), '\n')
	}
	add("other-count", "signed about one event more", "attestation", lie(func(s *replay.Seal) { s.Count++ }))
	add("other-head", "signed about another last event", "attestation", lie(func(s *replay.Seal) { s.Head[0] ^= 1 }))
	add("other-root", "signed about other events with the same last one", "attestation", lie(func(s *replay.Seal) { s.Root[0] ^= 1 }))
	add("re-used", "the attestation of another match", "attestation", graft(one("attested:2", "host")))
	l.invalid("attested-unsorted", "an attestation that is not canonical", 5, "seal", edit(`"events":4,"head":"`+attestedHead(l.t, good)+`"`, `"head":"`+attestedHead(l.t, good)+`","events":4`))
	l.invalid("attested-list-of-one", "a list with a single attestation", 5, "seal", bytes.Replace(bytes.Replace(good, []byte(`"attestation":{`), []byte(`"attestation":[{`), 1), []byte("}}\n"), []byte("}]}\n"), 1))
}

// resigned are the events of a short match.
func resigned(t testing.TB, id string) []referee.Event {
	x := begin(t, setup(t, connectfour.New(), id))
	x.move(1200, 0, "3")
	x.must(x.m.Claim(x.now+700, 1, referee.Resign))
	return x.events
}

// signature and attestedHead are texts of the only attestation of a record.
func signature(t testing.TB, record []byte) string {
	t.Helper()
	a := firstAttestation(t, record)
	return hex.EncodeToString(a.Signature[:])
}

func attestedHead(t testing.TB, record []byte) string {
	t.Helper()
	a := firstAttestation(t, record)
	return "sha256:" + hex.EncodeToString(a.Head[:])
}

func firstAttestation(t testing.TB, record []byte) replay.Attestation {
	t.Helper()
	line, _ := sealLine(record)
	s, err := replay.ParseSeal(line)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Attestations()
	if err != nil || len(all) == 0 {
		t.Fatal(all, err)
	}
	return all[0]
}

// code sorts an error as docs/record-format.md does.
func code(err error) string {
	for _, c := range []struct {
		err  error
		code string
	}{
		{replay.ErrChain, "chain"}, {replay.ErrSeal, "seal"}, {replay.ErrTooLong, "too-long"}, {referee.ErrLine, "form"}, {referee.ErrDraw, "draw"},
		{replay.ErrUnattested, "unattested"}, {replay.ErrAttestation, "attestation"}, {replay.ErrKeyUnknown, "key-unknown"}, {replay.ErrSignature, "signature"},
		{replay.ErrKeyRevoked, "key-revoked"}, {replay.ErrKeyPeriod, "key-period"},
	} {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	for _, c := range []struct{ text, code string }{
		{"time runs backwards", "time"}, {"do not open the commitment", "commitment"}, {"the first and no other", "order"}, {"follows the", "order"},
	} {
		if strings.Contains(err.Error(), c.text) {
			return c.code
		}
	}
	return "rules"
}
