package referee_test

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// stage is what a transcript plays on.
type stage struct {
	t     *testing.T
	setup referee.Setup
	m     *referee.Match
	chain chain
	now   referee.Time
}

// chain is a record being written.
type chain struct {
	start referee.Time
	prev  [32]byte
	lines [][]byte
}

func (c *chain) add(e *referee.Event) []byte {
	if e.Kind == referee.KindStart {
		c.start = e.Time
	}
	line := referee.AppendLine(nil, e, c.start, &c.prev)
	c.prev = referee.LeafHash(line)
	c.lines = append(c.lines, line)
	return line
}

// events reads the lines back.
func (c *chain) events(yield func(referee.Event, error) bool) {
	var start referee.Time
	for i, line := range c.lines {
		e, _, err := referee.ParseLine(line, start)
		if i == 0 {
			start = e.Time
		}
		if !yield(e, err) || err != nil {
			return
		}
	}
}

// epoch is when the matches of transcripts start; their times count from it.
const epoch = referee.Time(1_790_000_000_000)

// run does one line of input:
//
//	match GAME seats=N policy=NAME clock=NAME [policyN=NAME] [clockN=NAME] [script=S] [max=N] [hidden]
//	T start | tick | wake | crash | sent SEAT ASK | gone SEAT [WHY] | back SEAT | claim SEAT CLAIM | say SEAT TEXT
//	T answer SEAT ACTION [ask=N|turn=N|nth=N] [key=K] [arrived=T] [note=N]
//	T fault SEAT FAULT [DETAIL] | host ID ACTION | rule WHAT BY REASON
//
// A T of "-" is the time that the match wants to be woken at. crash drops the match and resumes it from its record.
func (s *stage) run(out io.Writer, line string) {
	f := strings.Fields(line)
	if f[0] == "match" {
		s.open(f[1:])
		return
	}
	if f[0] == "-" {
		s.now = s.m.Wake()
	} else if n, err := strconv.ParseInt(f[0], 10, 64); err != nil {
		s.t.Fatalf("%q: %v", line, err)
	} else {
		s.now = epoch + referee.Time(n)
	}
	fmt.Fprintf(out, "> %s\n", line)
	s.step(out, f[1], f[2:])
	if r, over := s.m.Result(); over {
		fmt.Fprintf(out, "  over: %v %s returns %v places %v rated %v\n", r.Cause, r.Reason, r.Returns, r.Places, r.Rated())
	} else if w := s.m.Wake(); w < 1<<62 {
		fmt.Fprintf(out, "  wake %d\n", w-epoch)
	} else {
		fmt.Fprintln(out, "  wake never")
	}
}

func (s *stage) step(out io.Writer, what string, f []string) {
	seat := func() game.Seat { return game.Seat(s.number(f[0])) }
	var err error
	var o referee.Output
	switch what {
	case "start":
		o = s.m.Start(s.now)
	case "tick", "wake":
		o = s.m.Tick(s.now)
	case "crash":
		if s.m, err = referee.Resume(s.setup, s.chain.events); err != nil {
			s.t.Fatal(err)
		}
		o = s.m.Resumed(s.now)
	case "sent":
		var due referee.Time
		var open bool
		due, open, o = s.m.Sent(s.now, seat(), int32(s.number(f[1])))
		fmt.Fprintf(out, "  sent: open %v deadline %d\n", open, max(0, due-epoch))
	case "gone":
		o = s.m.Gone(s.now, seat(), strings.Join(f[1:], " "))
	case "back":
		o = s.m.Back(s.now, seat())
	case "claim":
		o, err = s.m.Claim(s.now, seat(), claims[f[1]])
	case "say":
		o, err = s.m.Say(s.now, seat(), 0, strings.Join(f[1:], " "))
	case "rule":
		o, err = s.m.Rule(s.now, referee.Ruling{What: rulings[f[0]], By: f[1], Reason: f[2]})
	case "host":
		o = s.m.HostAnswer(s.now, int64(s.number(f[0])), game.Action(f[1]))
	case "answer", "fault":
		var v referee.Verdict
		a := s.answer(what, f[1:])
		v, o = s.m.Answer(s.now, seat(), &a)
		fmt.Fprintf(out, "  %s\n", verdictText(v))
	default:
		s.t.Fatalf("unknown step %q", what)
	}
	if err != nil {
		fmt.Fprintf(out, "  error: %v\n", err)
	}
	s.show(out, o)
}

func verdictText(v referee.Verdict) string {
	text := fmt.Sprintf("verdict %v event %d strikes %d", v.Code, v.Event, v.Strikes)
	if v.Fault != referee.NoFault {
		text += fmt.Sprintf(" %v: %v", v.Fault, v.Do)
	}
	if v.Detail != "" {
		text += " (" + v.Detail + ")"
	}
	return text
}

// show writes what a step asks for. The chain is left out of the lines.
func (s *stage) show(out io.Writer, o referee.Output) {
	for i := range o.Events {
		line, _, _ := strings.Cut(string(s.chain.add(&o.Events[i])), `,"prev":`)
		fmt.Fprintf(out, "  %d %s}\n", len(s.chain.lines)-1, line)
	}
	for i := range o.Effects {
		e := &o.Effects[i]
		switch e.Kind {
		case referee.EffectClosed:
			fmt.Fprintf(out, "  closed: seat %d ask %d\n", e.Seat, e.Ask)
		case referee.EffectWarned:
			fmt.Fprintf(out, "  warned: seat %d ask %d\n", e.Seat, e.Ask)
		case referee.EffectJudged:
			fmt.Fprintf(out, "  judged: seat %d ask %d %s\n", e.Seat, e.Ask, verdictText(e.Verdict))
		case referee.EffectAsked:
			fmt.Fprintf(out, "  asked: the host, %s %d for seat %d\n", e.HostAsk.Kind, e.HostAsk.ID, e.HostAsk.Seat)
		case referee.EffectSaid:
			fmt.Fprintf(out, "  said: by seat %d: %s\n", e.Seat, e.Text)
		case referee.EffectLimit:
			fmt.Fprintln(out, "  limit: the host is to rule")
		case referee.EffectEnded:
			fmt.Fprintln(out, "  ended")
		default:
			s.t.Fatalf("effect of kind %d", e.Kind)
		}
	}
	for seat := range o.Open.All() {
		r, ok := s.m.Open(seat)
		if !ok {
			s.t.Fatalf("seat %d is told of and has nothing open", seat)
		}
		fmt.Fprintf(out, "  open: seat %d ask %d turn %d nth %d strikes %d limit %v deadline %d\n",
			r.Seat, r.Ask, r.Turn, r.Nth, r.Strikes, r.Limit.Round(time.Millisecond), max(0, r.Deadline-epoch))
	}
}

func (s *stage) number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *stage) answer(what string, f []string) referee.Answer {
	var a referee.Answer
	if what == "answer" {
		a.Action = game.Action(f[0])
	} else if err := a.Fault.UnmarshalText([]byte(f[0])); err != nil {
		s.t.Fatal(err)
	}
	for _, word := range f[1:] {
		name, value, ok := strings.Cut(word, "=")
		switch {
		case !ok:
			a.Detail = word
		case name == "ask":
			a.To = referee.Address{By: referee.ByAsk, N: int32(s.number(value))}
		case name == "turn":
			a.To = referee.Address{By: referee.ByTurn, N: int32(s.number(value))}
		case name == "nth":
			a.To = referee.Address{By: referee.ByNth, N: int32(s.number(value))}
		case name == "key":
			a.Key = value
		case name == "note":
			a.Note = value
		case name == "arrived":
			a.Arrived = epoch + referee.Time(s.number(value))
		default:
			s.t.Fatalf("unknown %q", word)
		}
	}
	return a
}

// open makes the match of a "match" line.
func (s *stage) open(f []string) {
	args := map[string]string{"policy": "zero", "clock": "untimed", "seats": "2", "script": "o", "max": "0"}
	for _, word := range f[1:] {
		name, value, _ := strings.Cut(word, "=")
		args[name] = value
	}
	_, hidden := args["hidden"]
	s.setup = referee.Setup{ID: "transcript", Secret: game.SeedFrom(1), Salt: [32]byte{1}, MaxSteps: s.number(args["max"])}
	if f[0] == "connect-four" {
		s.setup.Table = table(s.t)
	} else {
		s.setup.Table = parlourTable(s.t, f[0], args["script"], hidden)
	}
	for i := range s.number(args["seats"]) {
		policy, clock := args["policy"], args["clock"]
		if p, ok := args[fmt.Sprint("policy", i)]; ok {
			policy = p
		}
		if c, ok := args[fmt.Sprint("clock", i)]; ok {
			clock = c
		}
		p, ok := policies[policy]
		c, ok2 := clocks[clock]
		if !ok || !ok2 {
			s.t.Fatalf("policy %q or clock %q is unknown", policy, clock)
		}
		s.setup.Seats = append(s.setup.Seats, referee.SeatInfo{Agent: referee.Agent{Name: string(rune('A' + i))}, Policy: p, Clock: c})
	}
	m, err := referee.New(s.setup)
	if err != nil {
		s.t.Fatal(err)
	}
	s.m, s.chain = m, chain{}
}

var (
	claims = map[string]referee.Claim{
		"resign": referee.Resign, "abandon": referee.Abandon, "offer": referee.OfferDraw, "accept": referee.AcceptDraw, "decline": referee.DeclineDraw,
	}
	rulings = map[string]referee.RuleKind{"void": referee.RuleVoid, "draw": referee.RuleDraw}
)
