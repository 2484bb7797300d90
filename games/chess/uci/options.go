package uci

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Defaults and bounds of [Options].
const (
	DefaultMoveTime  = 100 * time.Millisecond
	DefaultMargin    = 50 * time.Millisecond
	DefaultCap       = 5 * time.Minute
	DefaultHandshake = 10 * time.Second
	DefaultStopGrace = time.Second
	DefaultQuitGrace = time.Second

	MaxProcesses = 256
	MaxDepth     = 1000
	MaxWait      = 24 * time.Hour // of each duration
	MaxSettings  = 256
	MaxValue     = 4096 // bytes of a setting's value
)

// Options say which engine to run and how long it thinks. All but Path may be zero.
type Options struct {
	Path string   // the program, looked up as [os/exec.Command] does
	Args []string // its arguments
	Dir  string   // its working directory; "": the caller's
	// Env is the engine's whole environment, "NAME=value" each. Nothing of the caller's own is handed down, for it may hold secrets.
	Env []string
	// Set are options of the engine to set, in this order, after the handshake. Names that the engine does not declare and values out of
	// the declared range are errors of Open.
	Set []Setting

	// MoveTime, Nodes and Depth bound the search for one move; those that are not 0 are all sent, and the first to be reached ends it.
	// With all three 0, MoveTime is DefaultMoveTime. MoveTime is counted in whole milliseconds, and cut to what the seat's clock leaves.
	MoveTime time.Duration
	Nodes    int64
	Depth    int // plies, up to MaxDepth

	// Processes is how many processes there may be at once, up to MaxProcesses; 0: one.
	Processes int
	// Fresh says ucinewgame before each move. With Nodes or Depth and a single search thread the move then hangs on the position alone, and
	// not on what else the process has searched before.
	Fresh bool

	// Margin is kept of the time that the seat's clock leaves: the engine is told to stop that long before the deadline. Where less than
	// two margins are left it gets half of what is left. 0: DefaultMargin.
	Margin time.Duration
	// Cap stops a search that neither a deadline nor the bounds above have ended by then. 0: DefaultCap.
	Cap time.Duration
	// Handshake bounds the start, from the first line to the readyok that follows the settings, and each later wait for a readyok. 0: DefaultHandshake.
	Handshake time.Duration
	// StopGrace is how long the engine may take from stop to bestmove before it is killed, and how far it may overdraw MoveTime before it is
	// told to stop. 0: DefaultStopGrace.
	StopGrace time.Duration
	// QuitGrace is how long the engine may take from quit to its end before it is killed. 0: DefaultQuitGrace.
	QuitGrace time.Duration

	// Failed is told why each process that had to be given up was: for the host's logs, since a record says no more than a code. It may be
	// called from several goroutines at once. Nobody is told of those that Close ends. nil: nobody is told at all.
	Failed func(*Failure)
}

// Setting is the value for one option of an engine.
type Setting struct {
	Name string // as the engine declares it; upper and lower case are the same
	// Value is "true" or "false" for a check, a number for a spin, one of the declared values for a combo, any single line for a string, and
	// empty for a button, which is then pressed.
	Value string
}

func (o *Options) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("uci: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	if o.Path == "" {
		bad("Path", "empty")
	}
	if o.Nodes < 0 {
		bad("Nodes", "%d, below 0", o.Nodes)
	}
	if o.Depth < 0 || o.Depth > MaxDepth {
		bad("Depth", "%d, not 0 to %d", o.Depth, MaxDepth)
	}
	if o.Processes < 0 || o.Processes > MaxProcesses {
		bad("Processes", "%d, not 0 to %d", o.Processes, MaxProcesses)
	}
	if o.MoveTime%time.Millisecond != 0 {
		bad("MoveTime", "%v is no whole number of milliseconds", o.MoveTime)
	}
	for _, d := range []struct {
		name string
		d    time.Duration
	}{
		{"MoveTime", o.MoveTime}, {"Margin", o.Margin}, {"Cap", o.Cap}, {"Handshake", o.Handshake},
		{"StopGrace", o.StopGrace}, {"QuitGrace", o.QuitGrace},
	} {
		if d.d < 0 || d.d > MaxWait {
			bad(d.name, "%v, not 0 to %v", d.d, MaxWait)
		}
	}
	if len(o.Set) > MaxSettings {
		bad("Set", "%d settings, over %d", len(o.Set), MaxSettings)
	}
	for i, s := range o.Set {
		field := fmt.Sprintf("Set[%d]", i)
		switch {
		case strings.TrimSpace(s.Name) == "" || len(s.Name) > maxName || !oneLine(s.Name):
			bad(field, "%q is no name of an option", cut(s.Name, maxName))
		case len(s.Value) > MaxValue || !oneLine(s.Value):
			bad(field, "the value for %s is not a single line of at most %d bytes", s.Name, MaxValue)
		}
	}
	return errors.Join(errs...)
}

// fill puts the defaults in.
func (o *Options) fill() {
	if o.MoveTime == 0 && o.Nodes == 0 && o.Depth == 0 {
		o.MoveTime = DefaultMoveTime
	}
	o.Processes = max(o.Processes, 1)
	for _, d := range []struct {
		d     *time.Duration
		value time.Duration
	}{
		{&o.Margin, DefaultMargin}, {&o.Cap, DefaultCap}, {&o.Handshake, DefaultHandshake},
		{&o.StopGrace, DefaultStopGrace}, {&o.QuitGrace, DefaultQuitGrace},
	} {
		if *d.d == 0 {
			*d.d = d.value
		}
	}
}

// oneLine reports whether s can stand in a line of the protocol.
func oneLine(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, unicode.IsControl)
}

// cut gives the first n bytes of s, or fewer, so that no rune is split.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
