package referee_test

import (
	"bytes"
	"context"
	"fmt"
	"math/bits"
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
	rounds := 10
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		rapid.Check(t, func(t *rapid.T) { meetModel(t, c4) })
	}
}

func meetModel(t *rapid.T, c4 *game.Table) {
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
	for range 5 + dice(t, "operations", 100) {
		if _, over := p.m.Result(); over && dice(t, "go on", 4) == 0 {
			break
		}
		now = drawTime(t, p, now)
		op := drawOperation(t, p)
		if op.now = now; dice(t, "clock", 20) == 0 {
			op.now -= 2500 // the host's clock ran back
		}
		do(op)
	}
	checkAgain(t, p, ops)
	checkCuts(t, p)
}

// dice gives 0 to n-1, each as often as the others, which IntRange does not.
func dice(t *rapid.T, name string, n int) int {
	v := 0
	for _, bit := range rapid.SliceOfN(rapid.Bool(), bits.Len(uint(n))+3, bits.Len(uint(n))+3).Draw(t, name) {
		v *= 2
		if bit {
			v++
		}
	}
	return v % n
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
	if dice(t, "game", 6) == 0 {
		s.Table = c4
	} else {
		name := rapid.SampledFrom([]string{"parlour", "safe", "safe", "judged"}).Draw(t, "rules")
		script := rapid.StringOfN(rapid.RuneFrom([]rune("ojjiifhl")), 2, 9, -1).Draw(t, "script")
		secret := rapid.Bool().Draw(t, "secret")
		most := rapid.SampledFrom([]int{200, 200, 6}).Draw(t, "most")
		tab, err := parlourGames[name].Table(fmt.Appendf(nil, `{"script":%q,"secret":%v,"most":%d}`, script, secret, most))
		if err != nil {
			t.Fatal(err)
		}
		s.Table, defaults = tab, name != "parlour"
		n = 1 + dice(t, "seats", 4)
	}
	s.MaxSteps = rapid.SampledFrom([]int{0, 0, 0, 5}).Draw(t, "max")
	same := dice(t, "all alike", 2) == 0
	for i := range n {
		if i > 0 && same {
			s.Seats = append(s.Seats, s.Seats[0])
			continue
		}
		var si referee.SeatInfo
		named := false
		if named = dice(t, "named", 4) == 0; named {
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
	dos := []referee.Do{referee.DoForfeit, referee.DoStrike, referee.DoStrike, referee.DoStrike, referee.DoReject, referee.DoReject, referee.DoVoid}
	if defaults {
		dos = append(dos, referee.DoDefault, referee.DoDefault, referee.DoEliminate)
		p.Out = rapid.SampledFrom([]referee.Do{referee.DoForfeit, referee.DoEliminate}).Draw(t, "out")
	}

	for _, field := range []*referee.Do{&p.Malformed, &p.BadNonce, &p.Illegal, &p.Oversized, &p.Unreachable, &p.Disconnected, &p.BadProtocol} {
		*field = dos[dice(t, "do", len(dos))]
	}
	if p.Late = dos[dice(t, "late", len(dos))]; p.Late == referee.DoReject {
		p.Late = referee.DoStrike
	}
	p.Strikes = 1 + dice(t, "strikes", 6)
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
	switch k := dice(t, "time", 10); {
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
	op := operation{seat: game.Seat(dice(t, "seat", len(w.seats)))}
	if w.offer != game.Spectator && dice(t, "about the offer", 3) == 0 {
		op.what, op.claim = "claim", referee.Claim(1+dice(t, "claim", 3))
		return op
	}
	switch k := dice(t, "operation", 40); {
	case k < 7:
		op.what = "tick"
	case k < 25:
		op.what = "answer"
		for i := range w.seats { // most often somebody who is asked
			if s := game.Seat(i); w.answers(s, referee.Address{}) && dice(t, "asked", 2) == 0 {
				op.seat = s
			}
		}
		op.answer = drawAnswer(t, w, op.seat)
	case k < 28:
		op.what, op.ask = "sent", w.seats[op.seat].ask+int32([]int{0, 0, 0, 0, 1, -1}[dice(t, "ask", 6)])
	case k < 30:
		op.what = "gone"
	case k < 31:
		op.what = "back"
	case k < 33:
		op.what, op.claim = "claim", referee.OfferDraw
		if dice(t, "claim", 6) == 0 {
			op.claim = []referee.Claim{referee.Resign, referee.Abandon}[dice(t, "leave", 2)]
		}
	case k < 34:
		op.what = "say"
	case k < 36:
		op.what, op.id = "host", int64(dice(t, "id", 40))
		if asks := w.state.Asks(); len(asks) > 0 && dice(t, "asked", 4) > 0 {
			op.id = asks[dice(t, "ask", len(asks))].ID
		}
		op.action = game.Action(fmt.Sprint(10 + op.id%10%9))
		if dice(t, "host", 40) == 0 {
			op.action = "x"
		}
	case k < 37:
		op.what, op.ruling = "rule", drawRuling(t, w)
		if dice(t, "ruled", 6) > 0 {
			op.what = "tick"
		}
	case k < 39 || dice(t, "abort", 20) > 0:
		op.what, op.cut = "crash", dice(t, "cut", min(p.batch, len(p.events)-1)+1)
	default:
		op.what = "abort"
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
	if legal := w.state.Legal(nil, s); len(legal) > 0 && dice(t, "legal", 6) > 0 {
		a.Action = rapid.SampledFrom(legal).Draw(t, "action")
	} else if dice(t, "odd", 4) == 0 {
		a.Action = rapid.SampledFrom([]game.Action{"", " 1", "01", "{", game.Action(strings.Repeat("1", referee.MaxAction+1))}).Draw(t, "odd action")
	}
	if dice(t, "fault", 6) == 0 {
		a.Fault = referee.Fault(1 + dice(t, "which fault", 10))
		if a.Fault == referee.Late || a.Fault >= referee.Stale { // these void: seldom
			a.Fault = []referee.Fault{a.Fault, referee.Malformed, referee.BadNonce, referee.Illegal, referee.Unreachable, referee.Disconnected}[dice(t, "or", 6)]
		}
	}
	n := int32([]int{0, 0, 0, 0, -1, 1}[dice(t, "off by", 6)])
	switch a.To.By = referee.By([]int{0, 0, 0, 1, 1, 2, 3, 4}[dice(t, "by", 8)]); a.To.By {
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
	if dice(t, "keyed", 3) == 0 {
		a.Key = []string{"a", "b", "c", "a\x00", strings.Repeat("k", referee.MaxKey+1)}[dice(t, "key", 5)]
	}
	if dice(t, "stamped", 3) == 0 {
		a.Arrived = w.m.now + referee.Time(rapid.IntRange(-1500, 300).Draw(t, "arrived"))
	}
	if dice(t, "noted", 6) == 0 {
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
