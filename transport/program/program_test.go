package program_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/program"
)

// table is a match of a program, on seat 0, against the last legal move of each turn.
type table struct {
	game   game.Game
	policy referee.Policy
	clock  referee.Clock
	other  referee.Player
	o      program.Options

	result *referee.Result
	err    error
	log    referee.Memory
	record string
	mu     sync.Mutex
	exits  []program.Exit
}

// ended is how many processes have ended.
func (m *table) ended() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.exits)
}

// last plays the last legal move.
func last(r *referee.Request) referee.Answer {
	l := r.Legal(nil)
	return referee.Answer{Action: l[len(l)-1]}
}

// play plays it, and closes the transport, so that nothing is left.
func (m *table) play(ctx context.Context, t *testing.T, how string) {
	t.Helper()
	if m.game == nil {
		m.game = grid.New()
	}
	if m.other == nil {
		m.other = referee.Inline(last)
	}
	tab, err := m.game.Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	m.o.Programs = map[string]program.Program{"solver": {Path: os.Args[0], Env: []string{mode + "=" + how}}}
	m.o.Exited = func(e program.Exit) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.exits = append(m.exits, e)
	}
	tr, err := program.New(m.o)
	if err != nil {
		t.Fatal(err)
	}
	agent := referee.Agent{Slug: "solver"}
	p, err := tr.Player(ctx, agent)
	if err != nil {
		t.Fatal(err)
	}
	s := referee.Setup{ID: "m", Table: tab, Seats: []referee.SeatInfo{
		{Agent: agent, Transport: "program", Policy: m.policy, Clock: m.clock}, {Agent: referee.Agent{Slug: "last"}},
	}}
	m.result, m.err = (&referee.Local{Config: referee.Config{Log: &m.log}}).Play(ctx, s, p, m.other)
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	m.record = string(m.log.Bytes())
	if _, err := tr.Player(ctx, agent); !errors.Is(err, program.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestPlays plays matches of several games to their end.
func TestPlays(t *testing.T) {
	t.Setenv("PROGRAM_SECRET", "canary")
	for _, g := range []game.Game{grid.New(), connectfour.New(), chess.New()} {
		for _, how := range []string{"well", "careful", "complains", "stubborn"} {
			if testing.Short() && how != "well" {
				continue
			}
			t.Run(g.Info().Name+" "+how, func(t *testing.T) {
				m := &table{game: g, o: program.Options{Grace: program.MaxGrace}}
				if how == "stubborn" {
					m.o.Grace = 100 * time.Millisecond
				}
				m.play(t.Context(), t, how)
				for how == "stubborn" && m.o.Grace < program.MaxGrace/4 && len(m.exits) == 1 && m.exits[0].Stderr == "" {
					m = &table{game: g, o: program.Options{Grace: 4 * m.o.Grace}} // it was killed before it could say a word
					m.play(t.Context(), t, how)
				}
				if m.err != nil || m.result.Cause != referee.CausePlay {
					t.Fatalf("%+v, %v\n%s", m.result, m.err, m.record)
				}
				if strings.Contains(m.record, `"fault"`) {
					t.Errorf("faults:\n%s", m.record)
				}
				if len(m.exits) != 1 || m.exits[0].Code != "" || !strings.Contains(m.exits[0].Stderr, "completed ") {
					t.Errorf("exits: %+v", m.exits)
				}
				if strings.Contains(m.exits[0].Stderr, "canary") {
					t.Errorf("it knows the environment: %s", m.exits[0].Stderr)
				}
				if err := m.exits[0].Err; (err == nil) != (how != "stubborn") {
					t.Errorf("it ended with %v", err)
				}
			})
		}
	}
}

// TestFaults has programs misbehave under a policy that forfeits.
func TestFaults(t *testing.T) {
	for how, want := range map[string]struct {
		reason, detail, code string
	}{
		"exits at once": {"disconnected", "exited: exit status 3", "exited"},
		"exits":         {"disconnected", "exited: exit status 4", "exited"},
		"closed":        {"disconnected", "closed", "closed"},
		"half":          {"disconnected", "exited: exit status 0", "exited"},
		"endless":       {"oversized", "too many bytes", "oversized"},
		"garbage":       {"malformed", "no JSON", ""},
		"illegal":       {"illegal", "", ""},
		"silent":        {"late", "", "unanswered"},
		"stops":         {"late", "", "unanswered"},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && want.reason == "late" {
				t.Skip("it waits for a deadline")
			}
			m := &table{clock: referee.Clock{Move: time.Minute}}
			if want.reason == "late" {
				m.clock.Move = 2 * time.Second
			}
			m.play(t.Context(), t, how)
			if m.err != nil || m.result.Cause != referee.CauseForfeit || m.result.Reason != want.reason || !strings.Contains(m.record, want.detail) {
				t.Fatalf("%+v, %v\n%s", m.result, m.err, m.record)
			}
			if len(m.exits) != 1 || m.exits[0].Code != want.code {
				t.Errorf("exits: %+v", m.exits)
			}
		})
	}
}

// TestUnasked has programs say more than they are asked while the other seat thinks.
func TestUnasked(t *testing.T) {
	for _, how := range []string{"chatty", "flood"} {
		t.Run(how, func(t *testing.T) {
			m := new(table)
			turn := 0
			m.other = referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
				turn++
				for ctx.Err() == nil {
					if how == "chatty" && strings.Count(string(m.log.Bytes()), `"fault":"stale"`) >= turn || how == "flood" && m.ended() > 0 {
						break
					}
					<-time.After(time.Millisecond)
				}
				return last(r), nil
			})
			m.play(t.Context(), t, how)
			if m.err != nil {
				t.Fatal(m.err)
			}
			if how == "chatty" {
				if m.result.Cause != referee.CausePlay || turn != 40 {
					t.Errorf("%+v\n%s", m.result, m.record)
				}
				return
			}
			if m.result.Reason != "bad_protocol" || turn != 1 || m.exits[0].Code != "flood" || strings.Count(m.record, `"fault":"stale"`) == 0 {
				t.Errorf("%+v, %+v\n%s", m.result, m.exits, m.record)
			}
		})
	}
}

// TestGoesOn has programs misbehave under policies that let them go on.
func TestGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for deadlines")
	}
	const strike, reject = referee.DoStrike, referee.DoReject
	strikes := referee.Policy{
		Late: strike, Malformed: strike, BadNonce: strike, Illegal: strike, Oversized: strike, Unreachable: strike, Disconnected: strike, BadProtocol: strike,
		Strikes: 30, Reask: true,
	}
	rejects := referee.Policy{Malformed: reject, Illegal: reject}
	for name, c := range map[string]struct {
		how    string
		policy referee.Policy
		fault  string // on record
		starts int    // processes at least
		cause  referee.Cause
	}{
		"a crash, then another process":   {"exits", strikes, "disconnected", 2, referee.CausePlay},
		"a silence, then another process": {"stops", strikes, "late", 2, referee.CausePlay},
		"an illegal move, then another":   {"illegal", strikes, "illegal", 1, referee.CausePlay},
		"garbage, then a move":            {"garbage", strikes, "malformed", 1, referee.CausePlay},
		"an illegal move, told again":     {"illegal", rejects, "illegal", 1, referee.CausePlay},
		"another revision, told again":    {"stale", rejects, "stale", 1, referee.CausePlay},
		"two moves at once":               {"twice", rejects, "stale", 1, referee.CausePlay},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &table{policy: c.policy, clock: referee.Clock{Move: time.Minute}}
			if c.starts > 1 {
				m.game = connectfour.New() // over in four moves
			}
			if c.fault == "late" {
				m.clock.Move = 3 * time.Second
			}
			m.play(t.Context(), t, c.how)
			if m.err != nil || m.result.Cause != c.cause || !strings.Contains(m.record, `"fault":"`+c.fault+`"`) {
				t.Fatalf("%+v, %v\n%s", m.result, m.err, m.record)
			}
			if len(m.exits) < c.starts {
				t.Errorf("%d processes", len(m.exits))
			}
		})
	}
}

// TestBusy starts more programs than there may be: the match is void. Those that have ended do not count.
func TestBusy(t *testing.T) {
	tab, err := grid.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := program.New(program.Options{
		Programs: map[string]program.Program{"solver": {Path: os.Args[0], Env: []string{mode + "=well"}}}, Processes: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	s := referee.Setup{ID: "m", Table: tab}
	var players []referee.Player
	for range 2 {
		p, err := tr.Player(t.Context(), referee.Agent{Slug: "solver"})
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, p)
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: referee.Agent{Slug: "solver"}})
	}
	r, err := new(referee.Local).Play(t.Context(), s, players...)
	if err != nil || r.Cause != referee.CauseVoid {
		t.Errorf("%+v, %v", r, err)
	}
	for until := time.Now().Add(time.Minute); ; {
		p, err := tr.Player(t.Context(), referee.Agent{Slug: "solver"})
		if err != nil {
			t.Fatal(err)
		}
		s.ID = "later"
		r, err := new(referee.Local).Play(t.Context(), s, p, referee.Inline(last))
		if err == nil && r.Cause == referee.CausePlay {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
}

func TestOptions(t *testing.T) {
	bad := program.Options{
		Programs: map[string]program.Program{"A": {Path: "x"}, "b": {}, "c": {Path: "x", Env: []string{"SECRET"}}},
		MaxLine:  program.MaxLine + 1, Processes: -1, Grace: -1,
	}
	_, err := program.New(bad)
	if err == nil {
		t.Fatal("accepted")
	}
	text := err.Error()
	for _, want := range []string{`"A"`, "b: Path", "c: Env", "MaxLine", "Processes", "Grace"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing about %s in:\n%s", want, text)
		}
	}
	if n := len(strings.Split(text, "\n")); n != 6 || strings.Contains(text, "SECRET") {
		t.Errorf("%d errors:\n%s", n, text)
	}
	tr, err := program.New(program.Options{Programs: map[string]program.Program{"x": {Path: "/no/such/program"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	for slug, p := range map[string]program.Program{"x": {Path: "x"}, "X": {Path: "x"}, "z": {}} {
		if err := tr.Add(slug, p); err == nil {
			t.Errorf("%q was added", slug)
		}
	}
	if _, err := tr.Player(t.Context(), referee.Agent{Slug: "y"}); !errors.Is(err, program.ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
	tab, _ := grid.New().Table(nil)
	p, _ := tr.Player(t.Context(), referee.Agent{Slug: "x"})
	r, err := new(referee.Local).Play(t.Context(), referee.Setup{ID: "m", Table: tab, Seats: make([]referee.SeatInfo, 2)}, p, referee.Inline(last))
	if err != nil || r.Reason != "unreachable" || !slices.Equal(r.Places, []int{2, 1}) {
		t.Errorf("no such program: %+v, %v", r, err)
	}
}
