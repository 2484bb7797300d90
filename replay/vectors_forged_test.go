package replay_test

import (
	"bytes"
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

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
