package referee_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// TestAgainstModel has everything happen, in random order, to matches of several games under random policies and clocks, and compares each step
// with the model; then it cuts the record at every position and resumes there.
func TestAgainstModel(t *testing.T) {
	c4 := table(t)
	rapid.Check(t, func(t *rapid.T) {
		p := newPair(drawSetup(t, c4))
		if _, err := referee.New(p.setup); err != nil {
			t.Fatalf("the setup: %v", err)
		}
		var ops []operation
		do := func(op operation) {
			ops = append(ops, op)
			if err := p.do(op); err != nil {
				t.Fatalf("%v\n%v", opsText(ops), err)
			}
		}
		now := epoch + referee.Time(rapid.IntRange(0, 1).Draw(t, "start"))
		do(operation{what: "start", now: now})
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			now = drawTime(t, p, now)
			op := drawOperation(t, p)
			op.now = now
			do(op)
		}
		checkAgain(t, p, ops)
		checkCuts(t, p)
	})
}

// opsText lists what happened.
func opsText(ops []operation) string {
	var b strings.Builder
	for _, op := range ops {
		fmt.Fprintln(&b, op)
	}
	return b.String()
}

func drawSetup(t *rapid.T, c4 *game.Table) referee.Setup {
	s := referee.Setup{ID: "model", Secret: game.SeedFrom(rapid.Uint64Range(0, 9).Draw(t, "seed")), Salt: [32]byte{3}}
	n := 2
	defaults := true
	if rapid.IntRange(0, 5).Draw(t, "game") == 0 {
		s.Table = c4
	} else {
		name := rapid.SampledFrom([]string{"parlour", "safe", "safe", "judged"}).Draw(t, "rules")
		script := rapid.StringOfN(rapid.RuneFrom([]rune("ojjiifhl")), 1, 7, -1).Draw(t, "script")
		secret := rapid.Bool().Draw(t, "secret")
		most := rapid.SampledFrom([]int{200, 200, 6}).Draw(t, "most")
		tab, err := parlourGames[name].Table(fmt.Appendf(nil, `{"script":%q,"secret":%v,"most":%d}`, script, secret, most))
		if err != nil {
			t.Fatal(err)
		}
		s.Table, defaults = tab, name != "parlour"
		n = rapid.IntRange(1, 4).Draw(t, "seats")
	}
	s.MaxSteps = rapid.SampledFrom([]int{0, 0, 0, 5}).Draw(t, "max")
	same := rapid.Bool().Draw(t, "all alike")
	for i := range n {
		if i > 0 && same {
			s.Seats = append(s.Seats, s.Seats[0])
			continue
		}
		var si referee.SeatInfo
		named := false
		if named = rapid.IntRange(0, 3).Draw(t, "named") == 0; named {
			si.Policy = policies[rapid.SampledFrom(sortedKeys(policies)).Draw(t, "policy")]
			si.Clock = clocks[rapid.SampledFrom(sortedKeys(clocks)).Draw(t, "clock")]
		}
		if !named || si.Policy.Validate(&si.Clock, defaults) != nil {
			si.Policy, si.Clock = drawPolicy(t, defaults), drawClock(t)
			if si.Policy.Disconnected == referee.DoReject {
				si.Clock.Back = 0
			}
		}
		s.Seats = append(s.Seats, si)
	}
	return s
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func drawPolicy(t *rapid.T, defaults bool) (p referee.Policy) {
	dos := []referee.Do{referee.DoForfeit, referee.DoStrike, referee.DoStrike, referee.DoReject, referee.DoReject, referee.DoVoid}
	if defaults {
		dos = append(dos, referee.DoDefault, referee.DoDefault, referee.DoEliminate)
		p.Out = rapid.SampledFrom([]referee.Do{referee.DoForfeit, referee.DoEliminate}).Draw(t, "out")
	}
	do := rapid.SampledFrom(dos)
	for _, field := range []*referee.Do{&p.Malformed, &p.BadNonce, &p.Illegal, &p.Oversized, &p.Unreachable, &p.Disconnected, &p.BadProtocol} {
		*field = do.Draw(t, "do")
	}
	p.Late = do.Filter(func(d referee.Do) bool { return d != referee.DoReject }).Draw(t, "late")
	p.Strikes = rapid.IntRange(1, 4).Draw(t, "strikes")
	p.Pause = time.Duration(rapid.SampledFrom([]int{0, 100, 250, 1000}).Draw(t, "pause")) * time.Millisecond
	p.PauseMax = time.Duration(rapid.SampledFrom([]int{0, 400, 2000}).Draw(t, "most pause")) * time.Millisecond
	p.Reask = rapid.Bool().Draw(t, "reask")
	p.Notes = rapid.IntRange(0, 3).Draw(t, "notes")
	return p
}

func drawClock(t *rapid.T) (c referee.Clock) {
	d := func(name string, ms ...int) time.Duration {
		return time.Duration(rapid.SampledFrom(ms).Draw(t, name)) * time.Millisecond
	}
	c.Move = d("move", 0, 1000, 1000, 5000)
	if c.Base = d("base", 0, 0, 3000, 10_000); c.Base > 0 {
		c.Increment = d("increment", 0, 500)
	}
	c.Grace = d("grace", 0, 0, 200)
	c.Expiry = d("expiry", 0, 0, 20_000, 60_000)
	c.Warn, c.WarnFrom = d("warn", 0, 700, 2000), d("warn from", 0, 2000)
	c.Back = d("back", 0, 2000, 4000)
	if rapid.IntRange(0, 2).Draw(t, "starts") == 0 {
		c.Starts = referee.AtSent
		c.Expiry = max(c.Expiry, 20*time.Second)
	}
	return c
}

// drawTime moves time on: not at all, a little, or to just about when something is due.
func drawTime(t *rapid.T, p *pair, now referee.Time) referee.Time {
	list := p.model.world().appointments()
	switch k := rapid.IntRange(0, 9).Draw(t, "time"); {
	case k < 2:
		return now
	case k < 6 || len(list) == 0:
		return now + referee.Time(rapid.IntRange(1, 900).Draw(t, "ms"))
	case k == 9 && rapid.Bool().Draw(t, "long"):
		return now + referee.Time(rapid.IntRange(1000, 9000).Draw(t, "ms"))
	}
	d := rapid.SampledFrom(list[:min(len(list), 3)]).Draw(t, "due")
	return max(now, d.at+referee.Time(rapid.IntRange(-1, 1).Draw(t, "off by")))
}

func drawOperation(t *rapid.T, p *pair) operation {
	w := p.model.world()
	op := operation{seat: game.Seat(rapid.IntRange(0, len(w.seats)-1).Draw(t, "seat"))}
	switch k := rapid.IntRange(0, 39).Draw(t, "operation"); {
	case k < 8:
		op.what = "tick"
	case k < 24:
		op.what = "answer"
		for i := range w.seats { // most often somebody who is asked
			if s := game.Seat(i); w.answers(s, referee.Address{}) && rapid.Bool().Draw(t, "asked") {
				op.seat = s
			}
		}
		op.answer = drawAnswer(t, w, op.seat)
	case k < 27:
		op.what, op.ask = "sent", w.seats[op.seat].ask+int32(rapid.SampledFrom([]int{0, 0, 0, 1, -1}).Draw(t, "ask"))
	case k < 29:
		op.what = "gone"
	case k < 31:
		op.what = "back"
	case k < 33:
		op.what, op.claim = "claim", rapid.SampledFrom([]referee.Claim{
			referee.OfferDraw, referee.OfferDraw, referee.AcceptDraw, referee.AcceptDraw, referee.AcceptDraw, referee.DeclineDraw, referee.Resign, referee.Abandon,
		}).Draw(t, "claim")
	case k < 34:
		op.what = "say"
	case k < 37:
		op.what, op.id = "host", int64(rapid.IntRange(0, 40).Draw(t, "id"))
		if asks := w.state.Asks(); len(asks) > 0 {
			op.id = rapid.SampledFrom(asks).Draw(t, "ask").ID
		}
		op.action = game.Action(fmt.Sprint(10 + op.id%10%9))
		if rapid.IntRange(0, 19).Draw(t, "host") == 0 {
			op.action = "x"
		}
	case k < 38:
		op.what, op.ruling = "rule", drawRuling(t, w)
		if rapid.IntRange(0, 2).Draw(t, "ruled") > 0 {
			op.what = "tick"
		}
	default:
		op.what, op.cut = "crash", rapid.IntRange(0, min(p.batch, len(p.events)-1)).Draw(t, "cut")
	}
	return op
}

func drawRuling(t *rapid.T, w *world) referee.Ruling {
	r := referee.Ruling{What: rapid.SampledFrom([]referee.RuleKind{referee.RuleVoid, referee.RuleDraw, referee.RuleWin, referee.RuleReturns}).Draw(t, "what"), By: "host", Reason: "said"}
	switch r.What {
	case referee.RuleWin:
		r.Win = game.SeatSet(rapid.Uint64Range(1, 1<<len(w.seats)-1).Draw(t, "win"))
	case referee.RuleReturns:
		for range w.seats {
			r.Returns = append(r.Returns, rapid.SampledFrom([]float64{0, 0.25, 1}).Draw(t, "return"))
		}
	}
	return r
}

func drawAnswer(t *rapid.T, w *world, s game.Seat) (a referee.Answer) {
	c := &w.seats[s]
	a.Action = "9"
	if legal := w.state.Legal(nil, s); len(legal) > 0 && rapid.IntRange(0, 5).Draw(t, "legal") > 0 {
		a.Action = rapid.SampledFrom(legal).Draw(t, "action")
	} else if rapid.IntRange(0, 3).Draw(t, "odd") == 0 {
		a.Action = rapid.SampledFrom([]game.Action{"", " 1", "01", "{", game.Action(strings.Repeat("1", referee.MaxAction+1))}).Draw(t, "odd action")
	}
	if rapid.IntRange(0, 4).Draw(t, "fault") == 0 {
		a.Fault = referee.Fault(rapid.IntRange(1, 10).Draw(t, "which fault"))
		if a.Fault == referee.Late || a.Fault >= referee.Stale { // these void: seldom
			a.Fault = rapid.SampledFrom([]referee.Fault{a.Fault, referee.Malformed, referee.BadNonce, referee.Illegal}).Draw(t, "or")
		}
	}
	n := int32(rapid.SampledFrom([]int{0, 0, 0, 0, -1, 1}).Draw(t, "off by"))
	switch a.To.By = referee.By(rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, 3, 4}).Draw(t, "by")); a.To.By {
	case referee.ByAsk:
		a.To.N = c.ask + n
	case referee.ByTurn:
		a.To.N = w.moves + n
		if c.request != nil {
			a.To.N = c.request.turn + n
		}
	case referee.ByNth:
		a.To.N = c.nth + 1 + n
	}
	if rapid.IntRange(0, 2).Draw(t, "keyed") == 0 {
		a.Key = rapid.SampledFrom([]string{"a", "b", "c", "d", strings.Repeat("k", referee.MaxKey+1)}).Draw(t, "key")
	}
	if rapid.IntRange(0, 2).Draw(t, "stamped") == 0 {
		a.Arrived = w.m.now + referee.Time(rapid.IntRange(-1500, 300).Draw(t, "arrived"))
	}
	if rapid.IntRange(0, 5).Draw(t, "noted") == 0 {
		a.Note, a.Meta, a.Detail = "because\x01 é", []byte(`{"tokens":7}`), "d\n"
	}
	return a
}

// checkAgain makes the same happen to another match: the record is the same to the byte.
func checkAgain(t *rapid.T, p *pair, ops []operation) {
	again := &subject{setup: p.setup}
	for _, op := range ops {
		if err := again.do(op); err != nil {
			t.Fatalf("again, %v: %v", op, err)
		}
	}
	if !bytes.Equal(bytes.Join(p.chain.lines, []byte("\n")), bytes.Join(again.chain.lines, []byte("\n"))) {
		t.Fatalf("two runs differ:\n%s\n\n%s", bytes.Join(p.chain.lines, []byte("\n")), bytes.Join(again.chain.lines, []byte("\n")))
	}
}

// checkCuts reads the record, and cuts and resumes it at every position.
func checkCuts(t *rapid.T, p *pair) {
	last := p.events[len(p.events)-1].Time
	for n := 1; n <= len(p.events); n++ {
		cut := chain{lines: p.chain.lines[:n]}
		m, err := referee.Resume(p.setup, cut.events)
		if err != nil {
			t.Fatalf("cut after %d: %v", n, err)
		}
		short := *p.model
		short.history = short.history[:n]
		short.now = short.history[n-1].at
		if w := short.world(); w.follows() == nil { // else a batch is torn: Resumed completes it
			if err := p.compare(w, m); err != nil {
				t.Fatalf("cut after %d: %v", n, err)
			}
		}
		m.Resumed(last)
		playOut(t, m)
	}
	checkFollow(t, p)
}

// playOut brings a match to its end by legal answers and by time; a match that waits for its host is ruled upon.
func playOut(t *rapid.T, m *referee.Match) {
	now := epoch + 1e6
	for step := 0; ; step++ {
		if _, over := m.Result(); over {
			return
		}
		if step > 3000 {
			t.Fatal("it does not end")
		}
		moved := false
		for i := range m.Setup().Seats {
			if r, open := m.Open(game.Seat(i)); open && step%3 != 0 {
				m.Answer(now, r.Seat, &referee.Answer{Action: r.Legal(nil)[0]})
				moved = true
			}
		}
		if moved {
			continue
		}
		if wake := m.Wake(); wake < 1<<61 {
			now = max(now, wake)
			m.Tick(now)
		} else if step%3 == 1 {
			if _, err := m.Rule(now, referee.Ruling{What: referee.RuleDraw, By: "test", Reason: "enough"}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// checkFollow reads the record without knowing the secret.
func checkFollow(t *rapid.T, p *pair) {
	public := p.setup
	public.Secret, public.Salt = game.Seed{}, [32]byte{}
	m, err := referee.Follow(public, p.events[0].X.Start.Commit)
	if err != nil {
		t.Fatal(err)
	}
	var log referee.Memory
	if err := log.Append(context.Background(), 0, p.chain.lines); err != nil {
		t.Fatal(err)
	}
	for e, err := range referee.Events(context.Background(), &log) {
		if err == nil {
			err = m.Fold(&e)
		}
		if err != nil {
			t.Fatalf("followed: %v", err)
		}
	}
	for i, line := range p.chain.lines {
		e, prev, err := referee.ParseLine(line, p.chain.start)
		if err != nil || !bytes.Equal(referee.AppendLine(nil, &e, p.chain.start, &prev), line) {
			t.Fatalf("line %d: %s: %v", i, line, err)
		}
	}
}
