// Command gridlocal plays the Grid arena's game without a server: a program of yours
// against the house opponents, in this process. The program reads observations and
// writes moves, one JSON line each (see package transport/program); what it can do
// here it can do against the server, with one of the clients in examples/agents.
//
//	go run ./examples/gridlocal -opponent hell_v2 -- python3 examples/gridlocal/solver.py
//
// Without a program gridlocal is the other end itself: observations are written to
// standard output, moves read from standard input, and the result goes to standard
// error.
//
// It is no sandbox: run only programs that you trust. Of the environment the program
// gets everything but variables whose names begin with LINESCLASH.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/protocol/gridarena"
)

// Exit statuses.
const (
	failed = 1
	usage  = 2
	noGame = 4 // a match ended otherwise than by play
)

type options struct {
	opponent string
	seat     int
	control  string
	games    int
	nodes    int
	records  string
	program  []string
}

func parse(args []string, errOut io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("gridlocal", flag.ContinueOnError)
	f.SetOutput(errOut)
	f.Usage = func() {
		fmt.Fprintln(errOut, "usage: gridlocal [flags] [program [argument...]]")
		f.PrintDefaults()
	}
	f.StringVar(&o.opponent, "opponent", "casual", "`name` of the opponent: "+strings.Join(house.Names(), ", "))
	f.IntVar(&o.seat, "seat", 0, "the program's: 0 begins; in further games the seats are swapped each time")
	f.StringVar(&o.control, "control", string(gridarena.Production), "production: 30 s for a move; or untimed")
	f.IntVar(&o.games, "games", 1, "how many, up to 10000; one without a program")
	f.IntVar(&o.nodes, "nodes", 0, "how many nodes the opponent looks at for a move; 0: its own number")
	f.StringVar(&o.records, "records", "", "the `folder` for records; none: a new one among the temporary files")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.program = f.Args()
	switch {
	case !slices.Contains(house.Names(), o.opponent):
		return o, fmt.Errorf("-opponent: %q is none of %s", o.opponent, strings.Join(house.Names(), ", "))
	case o.seat != 0 && o.seat != 1:
		return o, errors.New("-seat is 0 or 1")
	case gridarena.Control(o.control).Validate() != nil:
		return o, errors.New("-control is production or untimed")
	case o.games < 1 || o.games > 10_000 || o.games > 1 && len(o.program) == 0:
		return o, errors.New("-games is 1 to 10000, and 1 without a program")
	case o.nodes < 0 || o.nodes > house.MaxNodes:
		return o, fmt.Errorf("-nodes is 0 to %d", house.MaxNodes)
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
		fmt.Fprintln(os.Stderr, "gridlocal:", err)
		os.Exit(usage)
	}
	played, err := run(ctx, o, os.Stdin, os.Stdout, os.Stderr)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "gridlocal:", err)
		os.Exit(failed)
	case !played:
		os.Exit(noGame)
	}
}
