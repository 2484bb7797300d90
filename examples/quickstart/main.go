// Quickstart referees matches of Connect Four between two agents over HTTP, and
// proves the record of each. Without flags both agents are its own, each on a
// loopback port; with -x or -o, yours.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/matchreferee/arena/referee"
)

type options struct {
	x, o          string
	seed          uint64
	record        string
	resume        string
	games         int
	quiet         bool
	allowLoopback bool
	pace          time.Duration
}

func parse(args []string, errOut io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	f.SetOutput(errOut)
	f.StringVar(&o.x, "x", "", "the `URL` of the agent that plays X first; none: a built-in one")
	f.StringVar(&o.o, "o", "", "the `URL` of the agent that plays O first; none: a built-in one")
	f.Uint64Var(&o.seed, "seed", 1, "what the built-in agents draw lots from")
	f.StringVar(&o.record, "record", "", "the `file` for the record; none: a new one among the temporary files")
	f.StringVar(&o.resume, "resume", "", "go on with the match that this `file` holds the beginning of; its key is beside it, in file.key")
	f.IntVar(&o.games, "games", 1, "how many matches; the agents take turns to begin")
	f.BoolVar(&o.quiet, "quiet", false, "results only")
	f.BoolVar(&o.allowLoopback, "allow-loopback", false, "let -x and -o be http URLs on this machine")
	o.pace = -1 // nothing was said
	f.Func("pace", "how long the built-in agents think, as a `duration` (default 300ms for one match on a terminal, else 0)", func(text string) (err error) {
		o.pace, err = time.ParseDuration(text)
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	switch {
	case f.NArg() > 0:
		return o, fmt.Errorf("what is %q?", f.Arg(0))
	case o.games < 1 || o.games > 10_000:
		return o, fmt.Errorf("-games: %d is not in 1 to 10000", o.games)
	case o.resume != "" && (o.record != "" || o.games > 1):
		return o, errors.New("-resume goes without -record and -games")
	}
	return o, nil
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o, err := parse(os.Args[1:], os.Stderr)
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(2)
	}
	if err := run(ctx, o, os.Stdout, terminal(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// run plays what the options say.
func run(ctx context.Context, o options, out io.Writer, tty bool) error {
	if o.pace < 0 {
		o.pace = 0
		if tty && o.games == 1 && !o.quiet {
			o.pace = 300 * time.Millisecond
		}
	}
	show := &screen{out: out, tty: tty, quiet: o.quiet, many: o.games > 1}
	if o.resume != "" {
		return resume(ctx, o, show)
	}
	if o.record == "" {
		dir, err := os.MkdirTemp("", "quickstart-")
		if err != nil {
			return err
		}
		o.record = filepath.Join(dir, "match.jsonl")
	}
	records := &files{first: o.record, ids: map[string]string{}}
	key, err := records.prepare(o.games)
	if err != nil {
		return err
	}
	t, err := newTable(ctx, o, records, key, show)
	if err != nil {
		return err
	}
	defer t.close()
	var score tally
	for n := range o.games {
		if ctx.Err() != nil {
			return fmt.Errorf("stopped after %d of %d matches", n, o.games)
		}
		r, err := t.play(ctx, n)
		if err != nil {
			return err
		}
		score.add(r, n)
		show.progress(n+1, o.games, score)
	}
	if o.games > 1 {
		show.summary(o.games, score, t.names, t.strikes, o.record)
	}
	return nil
}

// tally counts the results of the two agents over several matches.
type tally struct {
	wins  [2]int
	draws int
	none  int // void or expired
}

func (t *tally) add(r *referee.Result, game int) {
	switch {
	case !r.Rated():
		t.none++
	case r.Returns[0] == r.Returns[1]:
		t.draws++
	case r.Returns[0] > r.Returns[1]:
		t.wins[game%2]++
	default:
		t.wins[1-game%2]++
	}
}
