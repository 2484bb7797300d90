package replay_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// Events after the start, at milliseconds since it, as somebody writes them who chains the lines as they should be.

func fault(at referee.Time, s game.Seat, ask int32, f referee.Fault, do referee.Do) referee.Event {
	return referee.Event{Kind: referee.KindFault, Seat: s, Ask: ask, Time: start + at, X: &referee.Extra{Fault: f, Do: do}}
}

func moved(at referee.Time, s game.Seat, ask int32, a game.Action) referee.Event {
	return referee.Event{Kind: referee.KindMove, Seat: s, Ask: ask, Time: start + at, Action: a}
}

func presence(k referee.Kind, at referee.Time, s game.Seat) referee.Event {
	return referee.Event{Kind: k, Seat: s, Time: start + at}
}

// with charges an event, and says more in it.
func with(e referee.Event, used referee.Time, f func(x *referee.Extra)) referee.Event {
	e.Used = used
	if f != nil {
		if e.X == nil {
			e.X = new(referee.Extra)
		}
		f(e.X)
	}
	return e
}

// TestForged: records of what no referee led, chained as they should be, are refused at the line that tells; what only looks like it is not.
func TestForged(t *testing.T) {
	const (
		late, malformed, disconnected, stale, internal = referee.Late, referee.Malformed, referee.Disconnected, referee.Stale, referee.Internal
		strike, forfeit, reject, void                  = referee.DoStrike, referee.DoForfeit, referee.DoReject, referee.DoVoid
	)
	gone := func(e referee.Event) referee.Event { e.X.Detail = "gone"; return e }
	strikes := func(p *referee.Policy, _ *referee.Clock) { p.Disconnected = strike }
	returns := func(p *referee.Policy, c *referee.Clock) { c.Move, c.Back = 0, 30*time.Second }
	strict := func(_ *referee.Policy, c *referee.Clock) { c.Grace = 0 }
	sent := func(_ *referee.Policy, c *referee.Clock) { c.Starts = referee.AtSent }
	short := func(_ *referee.Policy, c *referee.Clock) { c.Move, c.Expiry = 0, 5*time.Second }
	shared := func(p *referee.Policy, c *referee.Clock) { p.Reask, c.Grace, p.Pause = false, 0, time.Second }
	for _, c := range []struct {
		name   string
		terms  func(*referee.Policy, *referee.Clock)
		events []referee.Event
		line   int64 // 0: nothing is wrong
		want   string
	}{
		{"a fault in the pause after another", nil, []referee.Event{fault(0, 0, 1, malformed, strike), fault(0, 0, 2, malformed, strike)}, 3, "was not asked"},
		{"a fault after the pause", nil, []referee.Event{fault(0, 0, 1, malformed, strike), fault(250, 0, 2, malformed, strike)}, 0, ""},
		{"a fault of who is not asked", nil, []referee.Event{fault(0, 1, 0, malformed, strike)}, 2, "was not asked"},
		{"away without a limit", strikes, []referee.Event{presence(referee.KindGone, 0, 1), gone(fault(1e6, 1, 0, disconnected, strike))}, 3, "was not asked"},
		{"away for too short a time", returns, []referee.Event{presence(referee.KindGone, 0, 1), gone(fault(29_999, 1, 0, disconnected, forfeit))}, 3, "was not asked"},
		{"away without going", returns, []referee.Event{gone(fault(30_000, 1, 0, disconnected, forfeit))}, 2, "was not asked"},
		{"away for too long", returns, []referee.Event{presence(referee.KindGone, 0, 1), gone(fault(30_000, 1, 0, disconnected, forfeit))}, 0, ""},
		{"away for too long, and charged", returns, []referee.Event{presence(referee.KindGone, 0, 1), with(gone(fault(30_000, 1, 0, disconnected, forfeit)), 9, nil)}, 3, "charged without a request"},
		{"too late to return", returns, []referee.Event{presence(referee.KindGone, 0, 1), presence(referee.KindBack, 30_000, 1)}, 3, "away for too long"},
		{"returned in time", returns, []referee.Event{presence(referee.KindGone, 0, 1), presence(referee.KindBack, 29_999, 1)}, 0, ""},

		{"late in a pause that the clock outlasts", nil, []referee.Event{fault(9_999, 0, 1, malformed, strike), fault(10_200, 0, 2, late, strike)}, 3, "not late"},
		{"late in a pause that outlasts the clock", shared, []referee.Event{with(fault(9_999, 0, 1, malformed, strike), 9_999, nil), fault(10_000, 0, 2, late, strike)}, 0, ""},
		{"late, and charged less than there was", nil, []referee.Event{with(fault(10_100, 0, 1, late, strike), 9_999, nil)}, 2, "charged for all"},
		{"late, and charged for all", nil, []referee.Event{with(fault(10_100, 0, 1, late, strike), 10_000, nil)}, 0, ""},
		{"late for a reason", nil, []referee.Event{with(fault(10_100, 0, 1, late, strike), 10_000, func(x *referee.Extra) { x.Detail = "slow" })}, 2, "no detail"},

		{"a move at the deadline", strict, []referee.Event{with(moved(10_000, 0, 1, "3"), 10_000, nil)}, 2, "too late"},
		{"a move just before it", strict, []referee.Event{with(moved(10_000, 0, 1, "3"), 9_999, nil)}, 0, ""},
		{"a move within the grace", nil, []referee.Event{with(moved(10_099, 0, 1, "3"), 10_000, nil)}, 0, ""},
		{"a move in a pause", nil, []referee.Event{fault(0, 0, 1, malformed, strike), moved(249, 0, 2, "3")}, 3, "no request 2"},
		{"a fault at the deadline", strict, []referee.Event{with(fault(10_000, 0, 1, malformed, strike), 10_000, nil)}, 2, "too late"},
		{"a move after the match's time", short, []referee.Event{with(moved(5_000, 0, 1, "3"), 5_000, nil)}, 2, "the match was over"},
		{"a move before that, on a slow log", short, []referee.Event{with(moved(5_000, 0, 1, "3"), 4_999, nil)}, 0, ""},
		{"a move to what was asked after it", short, []referee.Event{with(moved(5_001, 0, 1, "3"), 4_999, nil), moved(5_001, 1, 1, "3")}, 3, "the match was over"},
		{"a move in its last millisecond", short, []referee.Event{with(moved(5_000, 0, 1, "3"), 4_999, nil), moved(5_000, 1, 1, "3")}, 0, ""},
		{"a fault after the match's time", short, []referee.Event{with(fault(5_000, 0, 1, malformed, strike), 5_000, nil)}, 2, "the match was over"},
		{"late after the match's time", func(_ *referee.Policy, c *referee.Clock) { c.Expiry = 10_099 * time.Millisecond }, []referee.Event{with(fault(10_100, 0, 1, late, strike), 10_000, nil)}, 2, "the match was over"},
		{"sent after the match's time", sent, []referee.Event{presence(referee.KindSent, 3_600_000, 0)}, 2, "to be sent"},
		{"sent before it", sent, []referee.Event{presence(referee.KindSent, 3_599_999, 0)}, 0, ""},

		{"an unclean reason to go", nil, []referee.Event{with(presence(referee.KindGone, 0, 1), 0, func(x *referee.Extra) { x.Detail = "\x1b]0;gone\a" })}, 2, "detail is not clean"},
		{"a long reason to go", nil, []referee.Event{with(presence(referee.KindGone, 0, 1), 0, func(x *referee.Extra) { x.Detail = strings.Repeat("g", 201) })}, 2, "detail is not clean"},
		{"an unclean detail", nil, []referee.Event{with(fault(0, 0, 1, malformed, strike), 0, func(x *referee.Extra) { x.Detail = "\x1b[2J" })}, 2, "not clean"},
		{"an unclean note", nil, []referee.Event{with(fault(0, 0, 1, malformed, strike), 0, func(x *referee.Extra) { x.Note = "\x1b[31m" })}, 2, "not clean"},
		{"a meta that is no object", nil, []referee.Event{with(fault(0, 0, 1, malformed, strike), 0, func(x *referee.Extra) { x.Meta = []byte(`7`) })}, 2, "not clean"},
		{"clean words of a fault", nil, []referee.Event{with(fault(0, 0, 1, malformed, strike), 0, func(x *referee.Extra) { x.Detail, x.Note, x.Meta = "json", "sorry", []byte(`{"n":1}`) })}, 0, ""},
		{"a stale answer that says something", nil, []referee.Event{with(fault(0, 1, 0, stale, reject), 0, func(x *referee.Extra) { x.Note = "hello" })}, 2, "stale"},
		{"a stale answer", nil, []referee.Event{with(fault(0, 1, 0, stale, reject), 0, func(x *referee.Extra) { x.Got = referee.Address{By: referee.ByAsk, N: 7} })}, 0, ""},
		{"the host's fault with an unclean seat", nil, []referee.Event{with(fault(0, 0, 1, internal, void), 0, func(x *referee.Extra) { x.Detail = "\x1b[2J" })}, 2, "not clean"},
		{"the host's fault with a seat, an action played", nil, []referee.Event{func() referee.Event {
			e := fault(0, 0, 1, internal, void)
			e.Action = "3"
			return e
		}()}, 2, "default"},
		{"the host's fault with a seat, charged", nil, []referee.Event{with(fault(0, 0, 1, internal, void), 1<<50, nil)}, 2, "charged"},
		{"the host's fault with a seat that is not asked", nil, []referee.Event{fault(0, 1, 0, internal, void)}, 2, "was not asked"},
		{"the host's fault with a seat", nil, []referee.Event{fault(0, 0, 1, internal, void)}, 0, ""},
		{"the host's fault about a request", nil, []referee.Event{fault(0, game.Host, 77, internal, void)}, 2, "nothing but why"},
		{"the host's fault, charged", nil, []referee.Event{with(fault(0, game.Host, 0, internal, void), 1<<50, nil)}, 2, "nothing but why"},
		{"the host's fault with a note", nil, []referee.Event{with(fault(0, game.Host, 0, internal, void), 0, func(x *referee.Extra) { x.Note = "n" })}, 2, "nothing but why"},
		{"the host's fault, unclean", nil, []referee.Event{with(fault(0, game.Host, 0, internal, void), 0, func(x *referee.Extra) { x.Detail = "a\x00" })}, 2, "not clean"},
		{"the host's fault", nil, []referee.Event{with(fault(0, game.Host, 0, internal, void), 0, func(x *referee.Extra) { x.Detail = "panic" })}, 0, ""},
		{"a digest without a key", nil, []referee.Event{with(moved(1, 0, 1, "3"), 0, func(x *referee.Extra) { x.Raw = "AAAAAAAAAAAAAAAA" })}, 2, "not clean"},
		{"a digest that is none", nil, []referee.Event{with(moved(1, 0, 1, "3"), 0, func(x *referee.Extra) { x.Key, x.Raw = "k", "\x1b[31m" })}, 2, "not clean"},
		{"a digest", nil, []referee.Event{with(moved(1, 0, 1, "3"), 0, func(x *referee.Extra) { x.Key, x.Raw = "k", "AAAAAAAAAAAAAAAA" })}, 0, ""},
		{"resumed before the wall clock says", nil, []referee.Event{{Kind: referee.KindResume, Time: start + 5, X: &referee.Extra{At: start + 6}}}, 2, "earlier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := setup(t, connectfour.New(), "forged")
			for i := range s.Seats {
				if c.terms != nil {
					c.terms(&s.Seats[i].Policy, &s.Seats[i].Clock)
				}
			}
			events := append(begin(t, s).events, c.events...)
			for i := range events {
				if events[i].Kind == referee.KindSent {
					events[i].Ask = 1
				}
			}
			r := verify(t, write(t, events, false))
			if c.line == 0 {
				if r.Status != replay.Unfinished {
					t.Fatalf("what can have happened: %v", r)
				}
				return
			}
			if r.Status != replay.Invalid || r.Fault.Line != c.line || !errors.Is(r.Err(), referee.ErrRecord) || !strings.Contains(r.Err().Error(), c.want) {
				t.Fatalf("want line %d, %q: %v", c.line, c.want, r)
			}
		})
	}
}

// TestForgedStart: what the first line says of itself is clean and bounded too, and the time of a match is after 1970 and before the end of time.
func TestForgedStart(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*referee.Event)
		kind error
		want string
	}{
		{"an unclean library", func(e *referee.Event) { e.X.Start.Lib = "\x1b]0;lib\a" }, referee.ErrRecord, "lib"},
		{"a long library", func(e *referee.Event) { e.X.Start.Lib = strings.Repeat("L", 65) }, referee.ErrRecord, "lib"},
		{"before 1970", func(e *referee.Event) { e.Time = -1 }, referee.ErrLine, "at: out of range"},
		{"long before", func(e *referee.Event) { e.Time = -1 << 63 }, referee.ErrLine, "at: out of range"},
		{"at the end of time", func(e *referee.Event) { e.Time = 1<<63 - 2 }, referee.ErrLine, "at: out of range"},
	} {
		events := begin(t, setup(t, connectfour.New(), "forged")).events
		c.do(&events[0])
		if r := verify(t, write(t, events, false)); r.Status != replay.Invalid || r.Fault.Line != 1 || !errors.Is(r.Err(), c.kind) || !strings.Contains(r.Err().Error(), c.want) {
			t.Errorf("%s: %v", c.name, r)
		}
	}
	for _, e := range []referee.Event{fault(-1, 0, 1, referee.Late, referee.DoStrike), fault(1<<60+1, 0, 1, referee.Late, referee.DoStrike), moved(-5, 0, 1, "3"),
		{Kind: referee.KindResume, Time: start + 5, X: &referee.Extra{At: -6}}} {
		events := append(begin(t, setup(t, connectfour.New(), "forged")).events, e)
		if r := verify(t, write(t, events, false)); r.Status != replay.Invalid || r.Fault.Line != 2 || !errors.Is(r.Err(), referee.ErrLine) {
			t.Errorf("%v at %d: %v", e.Kind, e.Time-start, r)
		}
	}
}
