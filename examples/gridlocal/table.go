package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/filelog"
	"github.com/matchreferee/arena/transport/program"
)

const solver = "solver" // slug and carrier of the program

// table is where the program meets its opponent.
type table struct {
	options  options
	arena    *arena.Arena
	store    *filelog.Store
	opponent referee.Player
	stream   referee.Player // nil: a program is run
	out      io.Writer      // for results
}

// run plays what the options say. It is false where a match ended otherwise than by play.
func run(ctx context.Context, o options, in io.Reader, out, errOut io.Writer) (played bool, err error) {
	t, err := newTable(o, in, out, errOut)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, t.arena.Shutdown(context.WithoutCancel(ctx))) }()
	var score [3]int // won, drawn, lost
	played = true
	for n := range o.games {
		r, err := t.play(ctx, n)
		if err != nil {
			return false, err
		}
		played = played && r.Cause == referee.CausePlay
		if r.Rated() {
			seat := o.seat ^ n&1
			score[1-int(r.Returns[seat])]++
		}
	}
	if o.games > 1 {
		fmt.Fprintf(t.out, "%d games: won %d, drawn %d, lost %d\n", o.games, score[0], score[1], score[2])
	}
	return played, nil
}

func newTable(o options, in io.Reader, out, errOut io.Writer) (*table, error) {
	errOut = &line{w: errOut}
	t := &table{options: o, out: out}
	fmt.Fprintln(errOut, gridarena.TextSandbox)
	if len(o.program) == 0 {
		t.stream, t.out = program.Stream(in, out), errOut
	}
	began := time.Now()
	var err error
	settings := house.Options{Now: func() time.Duration { return time.Since(began) }}
	if policy, err := house.PolicyOf(o.opponent, house.Options{}); err == nil && policy.Nodes > 0 {
		settings.Nodes = o.nodes // others look at each cell once
	}
	if t.opponent, err = house.New(o.opponent, settings); err != nil {
		return nil, err
	}
	if o.records == "" {
		if o.records, err = os.MkdirTemp("", "gridlocal-"); err != nil {
			return nil, err
		}
	}
	if t.store, err = filelog.NewStore(o.records, filelog.Options{}); err != nil {
		return nil, err
	}
	key, err := filelog.Key(filepath.Join(o.records, "secret.key"))
	if err != nil {
		return nil, err
	}
	c := arena.Config{Games: []game.Game{grid.New()}, Store: t.store, Key: key, Seal: replay.Sealer(), Hooks: faults{w: errOut}}
	if t.stream == nil {
		programs, err := program.New(program.Options{
			Programs: map[string]program.Program{solver: {Path: o.program[0], Args: o.program[1:], Env: environment()}},
			Exited:   func(e program.Exit) { complain(errOut, e) },
		})
		if err != nil {
			return nil, err
		}
		c.Carriers = map[string]arena.Carrier{solver: {Transport: programs}}
	}
	t.arena, err = arena.New(c)
	return t, err
}

// line is a writer for several goroutines.
type line struct {
	mu sync.Mutex
	w  io.Writer
}

// Write writes.
func (l *line) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// faults tells what was wrong with a move.
type faults struct {
	arena.NoHooks
	w io.Writer
}

// Fault prints it.
func (f faults) Fault(_ string, seat game.Seat, fault referee.Fault, _ referee.Do, detail string) {
	fmt.Fprintf(f.w, "seat %v: %v: %s\n", seat, fault, plain(detail))
}

// environment is what the program may know of this process's.
func environment() (kept []string) {
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "LINESCLASH") && !strings.HasPrefix(e, "=") {
			kept = append(kept, e)
		}
	}
	return kept
}

// complain tells of a program that was given up.
func complain(w io.Writer, e program.Exit) {
	if e.Code == "" {
		return
	}
	fmt.Fprintf(w, "the program was given up: %s (%v)\n", e.Code, e.Err)
	for said := range strings.Lines(e.Stderr) {
		fmt.Fprintln(w, "  ", plain(strings.TrimRight(said, "\r\n")))
	}
}

// plain makes text of the program's fit for a terminal.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// play plays match n, with the seats swapped in every other one.
func (t *table) play(ctx context.Context, n int) (*referee.Result, error) {
	seat := t.options.seat ^ n&1
	policy, clock := program.Terms(2)
	if t.options.control == string(gridarena.Untimed) {
		_, clock = gridarena.Policy(gridarena.Untimed)
	}
	own := arena.Seat{Agent: referee.Agent{Slug: solver, Name: "solver"}, Player: t.stream, Terms: &arena.Terms{Policy: policy, Clock: clock}}
	if t.stream == nil {
		own.Carrier = solver
	}
	policy, clock = gridarena.HousePolicy()
	other := arena.Seat{
		Agent: referee.Agent{Slug: t.options.opponent, Name: t.options.opponent, House: true}, Player: t.opponent,
		Terms: &arena.Terms{Policy: policy, Clock: clock},
	}
	m := arena.Match{ID: fmt.Sprintf("local-%d-%d", time.Now().UnixNano(), n+1), Seats: []arena.Seat{own, other}}
	if seat == 1 {
		m.Seats[0], m.Seats[1] = other, own
	}
	r, err := t.arena.Play(ctx, m)
	if err != nil {
		return nil, err
	}
	path, err := t.store.Path(m.ID)
	if err != nil {
		return nil, err
	}
	return r, t.tell(r, seat, path)
}

// tell prints the result of a match, once its record has proved it.
func (t *table) tell(r *referee.Result, seat int, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	report, err := replay.Verify(f, replay.Rules(grid.New()))
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	word := r.Cause.String() + ", " + r.Reason
	if r.Rated() {
		word = [...]string{"won", "draw", "lost"}[1-int(r.Returns[seat])]
		if r.Cause != referee.CausePlay {
			word += " by " + r.Cause.String() + ": " + r.Reason
		}
	}
	if r.Cause == referee.CausePlay {
		word += fmt.Sprintf(" %d-%d", r.Scores[seat], r.Scores[1-seat])
	}
	_, err = fmt.Fprintf(t.out, "seat %d against %s: %s\nrecord: %s\n", seat, t.options.opponent, word, path)
	return err
}
