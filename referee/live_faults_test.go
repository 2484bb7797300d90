package referee_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
)

// brittle is a game whose rules panic at one of their methods, from the third step on.
type brittle struct {
	safe
	At string `json:"at"`
}

func (g brittle) break_(s *parlourState, where string) {
	if g.At == where && s.at >= 2 {
		panic("brittle: " + where)
	}
}

func (g brittle) Turn(s *parlourState) game.Turn { g.break_(s, "turn"); return g.safe.Turn(s) }

func (g brittle) Legal(dst []int, s *parlourState, seat game.Seat) []int {
	g.break_(s, "legal")
	return g.safe.Legal(dst, s, seat)
}

func (g brittle) Apply(s *parlourState, moves []game.Move[int]) {
	g.break_(s, "apply")
	g.safe.Apply(s, moves)
}

func (g brittle) View(s *parlourState, seat game.Seat) any {
	g.break_(s, "view")
	return g.safe.View(s, seat)
}

func (g brittle) Outcome(s *parlourState) game.Outcome {
	g.break_(s, "outcome")
	return g.safe.Outcome(s)
}

func (g brittle) Default(s *parlourState, seat game.Seat) int {
	g.break_(s, "default")
	return g.safe.Default(s, seat)
}

func (g brittle) Clone(s *parlourState) parlourState { g.break_(s, "clone"); return *s }

func (g brittle) Asks(dst []game.Ask, s *parlourState) []game.Ask {
	g.break_(s, "asks")
	return g.safe.Asks(dst, s)
}

// TestRulesPanic: rules that panic void their match and no other, whoever sits at it, and leave a record that can be read.
func TestRulesPanic(t *testing.T) {
	base := game.New(brittle{safe: safe{parlour{Script: "o", Most: 200}}})
	for _, at := range []string{"turn", "legal", "apply", "view", "outcome", "default", "clone", "asks"} {
		for _, kind := range []string{"inline", "func", "silent"} {
			t.Run(at+"/"+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					tab, err := base.Table(fmt.Appendf(nil, `{"at":%q,"script":"ojojhl"}`, at))
					if err != nil {
						t.Fatal(err)
					}
					player := func() referee.Player {
						legal := func(r *referee.Request) referee.Answer {
							r.View()
							return referee.Answer{Action: r.Legal(nil)[0]}
						}
						switch kind {
						case "inline":
							return referee.Inline(legal)
						case "func":
							return referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) { return legal(r), nil })
						}
						return newMailbox()
					}
					s := parlourSetup(t, "safe", "ojojhl", 2, referee.Policy{Late: referee.DoDefault, Illegal: referee.DoDefault}, referee.Clock{Move: time.Second})
					log, other := new(referee.Memory), new(referee.Memory)
					healthy := running(t.Context(), newLive(t, s, referee.Config{Log: other, Host: hostOf(10)}, player(), player()))
					s.Table = tab
					l := newLive(t, s, referee.Config{Log: log, Host: hostOf(10)}, player(), player())
					spectator := l.Watch(t.Context())
					o := <-running(t.Context(), l)
					// What nobody asks for breaks nothing. The view of a spectator is then empty.
					harmless := kind == "silent" && at == "view" || kind != "silent" && at == "default" || kind == "inline" && at == "clone"
					if o.err != nil || harmless != (o.result.Cause == referee.CausePlay) || !harmless && (o.result.Cause != referee.CauseVoid || o.result.Rated()) {
						t.Errorf("%+v %+v", o.err, o.result)
					}
					for p := range spectator {
						if p.Result != nil && p.Result.Cause != o.result.Cause {
							t.Errorf("a spectator hears of %v", p.Result.Cause)
						}
					}
					if !harmless {
						checkVoid(t, s, log)
					}
					if h := <-healthy; h.err != nil || h.result.Cause != referee.CausePlay {
						t.Errorf("the other match: %+v", h)
					}
				})
			})
		}
	}
}

// checkVoid reads the record with rules that do not panic: its events are those of a match, and its end is void.
func checkVoid(t *testing.T, s referee.Setup, log *referee.Memory) {
	t.Helper()
	var err error
	if s.Table, err = parlourGames["safe"].Table([]byte(`{"script":"ojojhl"}`)); err != nil {
		t.Fatal(err)
	}
	var m *referee.Match
	for e, err := range referee.Events(t.Context(), log) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == referee.KindStart {
			if m, err = referee.Follow(s, e.X.Start.Commit); err != nil {
				t.Fatal(err)
			}
			e.X.Start.Ruleset = s.Table.Ruleset() // the broken game's has one member more
		}
		if err := m.Fold(&e); err != nil {
			t.Fatal(err)
		}
	}
	if r, over := m.Result(); !over || r.Cause != referee.CauseVoid {
		t.Errorf("%+v", r)
	}
}

// hosted answers every question alike; an error where it has no answer.
type hosted func(game.Ask) (game.Action, error)

func (h hosted) Answer(_ context.Context, a game.Ask) (game.Action, error) { return h(a) }

// hostOf answers with base plus the seat that is asked for.
func hostOf(base int) hosted {
	return func(a game.Ask) (game.Action, error) { return game.Action(fmt.Sprint(base + int(a.Seat))), nil }
}

// TestHost: questions are answered in goroutines of their own; a host that fails, panics, or is not there voids.
func TestHost(t *testing.T) {
	for name, test := range map[string]struct {
		host  referee.Host
		cause referee.Cause
		why   string
	}{
		"answers": {hostOf(10), referee.CausePlay, ""},
		"fails":   {hosted(func(game.Ask) (game.Action, error) { return "", errDisk }), referee.CauseVoid, "host: disk on fire"},
		"panics":  {hosted(func(game.Ask) (game.Action, error) { panic("no tool") }), referee.CauseVoid, "host: panic: no tool"},
		"wrong":   {hosted(func(game.Ask) (game.Action, error) { return `"?"`, nil }), referee.CauseVoid, "host: "},
		"none":    {nil, referee.CauseVoid, "host: "},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				one := referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Action: "1"} })
				s := parlourSetup(t, "safe", "ihi", 3, referee.Policy{}, referee.Clock{})
				log := new(referee.Memory)
				o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log, Host: test.host}, one, one, one))
				if o.err != nil || o.result.Cause != test.cause {
					t.Errorf("%+v", o)
				}
				if r := checkRecord(t, s, log); r == nil || r.Cause != test.cause {
					t.Errorf("%+v", r)
				}
				why := ""
				for e := range referee.Events(t.Context(), log) {
					if e.Kind == referee.KindFault {
						why = e.X.Detail
					}
				}
				if !strings.HasPrefix(why, test.why) || (why == "") != (test.why == "") {
					t.Errorf("the record says %q", why)
				}
			})
		})
	}
}

// ruler rules when a match has gone on for too long.
type ruler struct {
	hosted
	rule func(view any) (referee.Ruling, error)
}

func (r ruler) Rule(_ context.Context, view any) (referee.Ruling, error) { return r.rule(view) }

func TestRuler(t *testing.T) {
	for name, test := range map[string]struct {
		host       referee.Host
		by, reason string
	}{
		"none":   {nil, "referee", "max_steps"},
		"no use": {hostOf(10), "referee", "max_steps"},
		"rules": {ruler{hostOf(10), func(view any) (referee.Ruling, error) {
			return referee.Ruling{What: referee.RuleWin, By: "jury", Reason: "points", Win: game.Seats(game.Seat(view.(ParlourView).Points[1] - 1))}, nil
		}}, "jury", "points"},
		"invalid": {ruler{hostOf(10), func(any) (referee.Ruling, error) { return referee.Ruling{What: referee.RuleWin}, nil }}, "referee", "max_steps"},
		"fails":   {ruler{hostOf(10), func(any) (referee.Ruling, error) { return referee.Ruling{}, errDisk }}, "referee", "max_steps"},
		"panics":  {ruler{hostOf(10), func(any) (referee.Ruling, error) { panic("asleep") }}, "referee", "max_steps"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := parlourSetup(t, "safe", "jjjjjj", 2, referee.Policy{}, referee.Clock{})
				s.MaxSteps = 2
				log := new(referee.Memory)
				one := referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Action: "1"} })
				o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log, Host: test.host}, one, one))
				if o.err != nil || o.result.Cause != referee.CauseAdjudication || o.result.By != test.by || o.result.Reason != test.reason {
					t.Errorf("%+v %+v", o.err, o.result)
				}
				if test.by == "jury" && (o.result.Returns[0] != 0 || o.result.Returns[1] != 1) {
					t.Errorf("%v", o.result.Returns)
				}
				checkRecord(t, s, log)
			})
		})
	}
}

// TestPlayerPanics: a panic of an agent's own is its seat's fault; one of a transport is the host's.
func TestPlayerPanics(t *testing.T) {
	for name, test := range map[string]struct {
		player referee.Player
		cause  referee.Cause
		reason string
	}{
		"inline": {referee.Inline(func(*referee.Request) referee.Answer { panic("bot") }), referee.CauseForfeit, "bad_protocol"},
		"func":   {referee.Func(func(context.Context, *referee.Request) (referee.Answer, error) { panic("bot") }), referee.CauseForfeit, "bad_protocol"},
		"error": {referee.Func(func(context.Context, *referee.Request) (referee.Answer, error) {
			return referee.Answer{}, errors.New("bot")
		}), referee.CauseForfeit, "disconnected"},
		"tell":      {tells(func(*referee.Seat, referee.Notice) { panic("transport") }), referee.CauseVoid, "internal"},
		"goroutine": {tells(func(s *referee.Seat, n referee.Notice) { s.Go(func(context.Context) { panic("transport") }) }), referee.CauseVoid, "internal"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, log := setup(t, "panic", 1), new(referee.Memory)
				o := <-running(t.Context(), newLive(t, s, referee.Config{Log: log}, random(), test.player))
				if o.err != nil || o.result.Cause != test.cause || o.result.Reason != test.reason {
					t.Errorf("%+v %+v", o.err, o.result)
				}
				if test.cause == referee.CauseForfeit && o.result.Returns[0] != 1 {
					t.Errorf("%v", o.result.Returns)
				}
				checkRecord(t, s, log)
			})
		})
	}
}

type tells func(*referee.Seat, referee.Notice)

func (f tells) Tell(s *referee.Seat, n referee.Notice) { f(s, n) }

// TestHopelessInline: a bot whose every answer is refused, or has the key of one before, loses by its clock; where it has none, the match is void.
func TestHopelessInline(t *testing.T) {
	bots := map[string]func() referee.Answer{
		"illegal": func() referee.Answer { return referee.Answer{Action: "9"} },
		"one key": func() referee.Answer { return referee.Answer{Action: "1", Key: "k"} },
		"panics":  func() referee.Answer { panic("bot") },
	}
	for _, test := range []struct {
		clock referee.Clock
		cause referee.Cause
	}{
		{referee.Clock{Move: time.Second}, referee.CauseForfeit},
		{referee.Clock{Expiry: time.Second}, referee.CauseExpiry},
		{referee.Clock{}, referee.CauseVoid},
	} {
		for name, bot := range bots {
			synctest.Test(t, func(t *testing.T) {
				calls := 0
				bad := referee.Inline(func(*referee.Request) referee.Answer {
					if calls++; calls > 1000 { // it would be asked for ever
						return referee.Answer{Action: "1"}
					}
					return bot()
				})
				s := parlourSetup(t, "safe", "ooo", 2, policies["gridarena"], test.clock)
				o := <-running(t.Context(), newLive(t, s, referee.Config{}, bad, random()))
				if o.err != nil || o.result.Cause != test.cause || calls > 64 {
					t.Errorf("%s: %+v after %d calls", name, o, calls)
				}
			})
		}
	}
}
