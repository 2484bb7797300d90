// Command grid-go plays one match of the Grid arena by polling, with the standard
// library alone. The same command again goes on with the match after a kill, a
// crash or a restart. Put your solver into choose.
//
//	LINESCLASH_BASE=https://arena.example LINESCLASH_KEY=... go run . --state my-match.json --opponent hell_v2
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"time"
)

// Exit statuses, the same in all clients; 0 is a match that was played to its end.
const (
	broken  = 1
	usage   = 2
	badKey  = 3
	noGame  = 4
	strange = 5
	later   = 75
)

// stop ends the client with an exit status and a sentence for its user.
type stop struct {
	status int
	text   string
}

// Error gives the sentence.
func (s stop) Error() string { return s.text }

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	defer cancel()
	status, err := run(ctx, os.Args[1:], os.Stdout)
	if err != nil {
		say("%v", err)
	}
	os.Exit(status)
}

func run(ctx context.Context, args []string, out io.Writer) (int, error) {
	o, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return 0, nil
	}
	if err != nil {
		return usage, err
	}
	base, key, err := environment()
	if err != nil {
		return usage, err
	}
	o.create.RequestID = newID()
	s := &State{Format: format, Base: base, Create: o.create, path: o.state}
	if err = s.load(); err == nil && s.Over == nil {
		err = (&Match{api: newAPI(s, key, o.timeout, o.patience), state: s}).play(ctx)
	}
	var st stop
	switch {
	case errors.As(err, &st):
		return st.status, err
	case ctx.Err() != nil:
		return 130, nil
	case err != nil:
		return broken, err
	}
	return report(s, out), nil
}

type options struct {
	state             string
	create            Create
	timeout, patience time.Duration
}

func parse(args []string) (options, error) {
	var o options
	f := flag.NewFlagSet("grid-go", flag.ContinueOnError)
	var timeout, patience float64
	f.StringVar(&o.state, "state", "", "`FILE` where the match is kept; a new file begins a new match")
	f.StringVar(&o.create.Opponent, "opponent", "", "`NAME`: casual, smart, hard, experimental, normal_nightmare, hell_v2 or hell_v3")
	f.IntVar(&o.create.AgentSeat, "seat", 0, "0 begins, 1 does not")
	f.StringVar(&o.create.Control, "control", "production", "production: 30 s for a move; or untimed")
	f.StringVar(&o.create.Name, "name", "My solver", "shown beside the result")
	f.StringVar(&o.create.Game, "game", "", "another game than the server's first one")
	f.Float64Var(&timeout, "timeout", 10, "`SECONDS` for one request")
	f.Float64Var(&patience, "patience", 900, "longest wait, in `SECONDS`, for a server that cannot answer")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	switch c := o.create; {
	case f.NArg() > 0:
		return o, fmt.Errorf("what is %q?", f.Arg(0))
	case o.state == "" || c.Opponent == "":
		return o, errors.New("--state and --opponent are needed")
	case c.AgentSeat != 0 && c.AgentSeat != 1:
		return o, errors.New("--seat is 0 or 1")
	case c.Control != "production" && c.Control != "untimed":
		return o, errors.New("--control is production or untimed")
	case !(timeout > 0 && timeout <= 3600 && patience >= 0 && patience <= 86400):
		return o, errors.New("--timeout is over 0 and up to 3600, --patience from 0 to 86400")
	}
	o.timeout, o.patience = time.Duration(timeout*float64(time.Second)), time.Duration(patience*float64(time.Second))
	return o, nil
}

var keyForm = regexp.MustCompile(`^[!-~]{1,512}$`)

// environment gives base and key, which come from nowhere else: arguments can be
// seen by other users of the machine.
func environment() (base, key string, err error) {
	base, key = strings.TrimRight(os.Getenv("LINESCLASH_BASE"), "/"), os.Getenv("LINESCLASH_KEY")
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Hostname() == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", "", errors.New("LINESCLASH_BASE has to be the server's address, as https://arena.example")
	case u.Scheme == "http" && u.Hostname() != "127.0.0.1" && u.Hostname() != "::1" && u.Hostname() != "localhost":
		return "", "", errors.New("LINESCLASH_BASE has to be https: the key would travel in clear")
	case !keyForm.MatchString(key):
		return "", "", errors.New("LINESCLASH_KEY has to be your key")
	}
	return base, key, nil
}

// newID gives a random UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// report prints how the match ended, and gives the exit status.
func report(s *State, out io.Writer) int {
	o := s.Over
	seat := -1
	if o.Seat != nil {
		seat = *o.Seat
	}
	fmt.Fprintf(out, "match %s against %s, seat %d\n", s.MatchID, plain(s.Create.Opponent), seat)
	if o.Status != "completed" {
		why := "no reason given"
		if o.Reason != nil {
			why = *o.Reason
		}
		fmt.Fprintf(out, "%s: %s\n", plain(o.Status), plain(why))
		return noGame
	}
	result := plain(string(o.Scores))
	var scores []int64
	if json.Unmarshal(o.Scores, &scores) == nil && len(scores) == 2 && (seat == 0 || seat == 1) {
		mine, theirs, word := scores[seat], scores[1-seat], "draw"
		if mine > theirs {
			word = "won"
		} else if mine < theirs {
			word = "lost"
		}
		result = fmt.Sprintf("%s %d-%d", word, mine, theirs)
	}
	fmt.Fprintf(out, "completed: %s\n", result)
	fmt.Fprintf(out, "replay: %s/api/benchmarks/replays/%s\n", s.Base, s.MatchID)
	return 0
}
