package gametest

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/matchreferee/arena/game"
)

// fault is a broken promise of the rules; ply says after how many steps of a trace it shows.
type fault struct {
	ply  int
	what string
}

func (f *fault) Error() string { return f.what }

func at(ply int, format string, args ...any) error {
	return &fault{ply, fmt.Sprintf(format, args...)}
}

// guarded turns a panic of the rules into an error that holds the stack.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			if isRapid(p) {
				panic(p)
			}
			err = fmt.Errorf("the rules panic: %v\n%s", p, stack())
		}
	}()
	return f()
}

// stack lists where a panic came from, without addresses: rapid takes a failure that changes its text for a flaky one.
func stack() string {
	var pcs [64]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	var b strings.Builder
	for n := 0; n < 12; n++ {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			fmt.Fprintf(&b, "\t%s\n\t\t%s:%d\n", f.Function, f.File, f.Line)
		}
		if !more || strings.Contains(f.Function, "gametest.guarded") {
			break
		}
	}
	return b.String()
}

// isRapid tells rapid's own way of ending a case (it panics with values of unexported types) from a panic of the rules.
func isRapid(p any) bool {
	return strings.HasPrefix(strings.TrimPrefix(fmt.Sprintf("%T", p), "*"), "rapid.")
}

// report says what is wrong, and where: the setup, the moves so far, the board before and after the last of them.
func (tr *trace) report(err error) string {
	var b strings.Builder
	fmt.Fprintln(&b, err)
	ply := len(tr.steps)
	if f, ok := errors.AsType[*fault](err); ok {
		ply = min(max(f.ply, 0), len(tr.steps))
	}
	info := tr.table.Info()
	fmt.Fprintf(&b, "game: %s %s, ruleset %s, %d seats", info.Name, info.Version, tr.table.Ruleset(), tr.setup.Seats)
	if tr.setup.Position != "" {
		fmt.Fprintf(&b, ", from %s", tr.setup.Position)
	}
	fmt.Fprintf(&b, "\nmoves (%d steps): %s\n", ply, movesText(tr.steps[:ply]))
	if ply == len(tr.steps) && tr.next != nil {
		fmt.Fprintf(&b, "under way: %s\n", stepText(tr.next))
	}
	if len(tr.states) == 0 {
		return b.String() + "there is no first state"
	}
	if ply > 0 {
		fmt.Fprintf(&b, "before the last step:\n%s\n", picture(tr.states[ply-1]))
	}
	fmt.Fprintf(&b, "after it:\n%s", picture(tr.states[ply]))
	return b.String()
}

// movesText writes steps as "0:3 1:4 [0:"rock" 1:"paper"] chance:"deal"".
func movesText(steps []game.Step) string {
	if len(steps) == 0 {
		return "none"
	}
	words := make([]string, len(steps))
	for i, step := range steps {
		words[i] = stepText(step)
	}
	return strings.Join(words, " ")
}

func stepText(step game.Step) string {
	var words []string
	for _, m := range step {
		words = append(words, m.Seat.String()+":"+string(m.Action))
	}
	if len(words) == 1 {
		return words[0]
	}
	return "[" + strings.Join(words, " ") + "]"
}

// picture is the board as spectators see it, or the view where the game draws none.
func picture(s *game.State) string {
	out := "(no picture)"
	err := guarded(func() error {
		for _, seat := range []game.Seat{game.Spectator, 0} {
			if text, ok := s.Board(seat); ok && text != "" {
				out = strings.TrimRight(text, "\n")
				return nil
			}
		}
		data, err := json.Marshal(s.View(game.Spectator))
		out = string(data)
		return err
	})
	if err != nil {
		head, _, _ := strings.Cut(err.Error(), "\n")
		return "(no picture: " + head + ")"
	}
	return out
}
