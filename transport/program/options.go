package program

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
)

// Defaults and bounds.
const (
	DefaultMaxLine   = 64 << 10
	DefaultProcesses = 256
	DefaultGrace     = time.Second

	MaxLine   = 1 << 20 // of Options.MaxLine
	MaxGrace  = time.Minute
	MaxStray  = 64      // lines of a process that nobody asked for
	MaxAgain  = 16      // times that an observation is told again in one request
	MaxStderr = 4 << 10 // bytes of its standard error that are kept, the last ones
)

// Options set up a [Transport]. The zero value knows no programs; see [Transport.Add].
type Options struct {
	// Programs are the agents, by slug.
	Programs map[string]Program
	// MaxLine is the most bytes of an answer, its newline not counted, up to the
	// constant of that name; 0: DefaultMaxLine.
	MaxLine int
	// Processes is how many may run at once; 0: DefaultProcesses.
	Processes int
	// Grace is how long a program may take to end by itself after its match; up to
	// MaxGrace, 0: DefaultGrace.
	Grace time.Duration
	// Exited is told of each process that has ended, from any goroutine. nil: nobody is.
	Exited func(Exit)
}

// Program says what to run.
type Program struct {
	Path string   // looked up as [os/exec.Command] does
	Args []string // without the program's own name
	Dir  string   // its working directory; "": the caller's
	// Env is the whole environment, "NAME=value" each. Nothing of the caller's own
	// is handed down, for it may hold secrets.
	Env []string
}

// Exit is how a process ended.
type Exit struct {
	Match  string
	Seat   game.Seat
	Code   string // why it was given up: as in the package's table; "": it was not, the match was over or stopped
	Err    error  // how it ended, as of [os/exec.Cmd.Wait]
	Stderr string // the last it wrote to its standard error, up to MaxStderr bytes: any bytes at all
}

func (o *Options) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("program: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	for _, slug := range slices.Sorted(maps.Keys(o.Programs)) {
		p := o.Programs[slug]
		errs = append(errs, p.validate(slug)...)
	}
	if o.MaxLine < 0 || o.MaxLine > MaxLine {
		bad("MaxLine", "%d, not 0 to %d", o.MaxLine, MaxLine)
	}
	if o.Processes < 0 {
		bad("Processes", "%d, below 0", o.Processes)
	}
	if o.Grace < 0 || o.Grace > MaxGrace {
		bad("Grace", "%v, not 0 to %v", o.Grace, MaxGrace)
	}
	return errors.Join(errs...)
}

// validate gives one error for each bad field. What is in Env may be a secret.
func (p *Program) validate(slug string) (errs []error) {
	if !validSlug(slug) {
		errs = append(errs, fmt.Errorf("program: %q is no slug: 1 to 64 of a-z, 0-9, '_', '.', '-'", slug))
	}
	if p.Path == "" {
		errs = append(errs, fmt.Errorf("program: %s: Path is empty", slug))
	}
	for _, e := range p.Env {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			errs = append(errs, fmt.Errorf("program: %s: Env has what is not NAME=value", slug))
		}
	}
	return errs
}

// clone gives a copy that shares nothing.
func (p Program) clone() Program {
	p.Args, p.Env = slices.Clone(p.Args), slices.Clone(p.Env)
	return p
}

func (o *Options) fill() {
	if o.MaxLine == 0 {
		o.MaxLine = DefaultMaxLine
	}
	if o.Processes == 0 {
		o.Processes = DefaultProcesses
	}
	if o.Grace == 0 {
		o.Grace = DefaultGrace
	}
	programs := make(map[string]Program, len(o.Programs))
	for slug, p := range o.Programs {
		programs[slug] = p.clone()
	}
	o.Programs = programs
}

func validSlug(s string) bool {
	for _, c := range []byte(s) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '.' && c != '-' {
			return false
		}
	}
	return len(s) >= 1 && len(s) <= 64
}

// Terms suit a tournament of programs: whoever answers wrongly, or not within the
// 30 s that the grid's production control has, has lost. They are an
// [github.com/matchreferee/arena.Carrier]'s.
func Terms(int) (referee.Policy, referee.Clock) {
	_, clock := gridarena.Policy(gridarena.Production)
	return referee.Policy{Name: "program"}, clock
}
