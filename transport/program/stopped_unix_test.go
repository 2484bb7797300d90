//go:build unix

package program_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/matchreferee/arena/referee"
)

// TestStopped stops the match while the program thinks, and while the other seat does.
func TestStopped(t *testing.T) {
	for _, how := range []string{"stops", "parent"} {
		t.Run(how, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			m := new(table)
			turns := 0
			m.other = referee.Func(func(turn context.Context, r *referee.Request) (referee.Answer, error) {
				if turns++; turns == 2 {
					time.AfterFunc(100*time.Millisecond, cancel)
					if how == "parent" {
						<-turn.Done()
					}
				}
				return last(r), nil
			})
			begin := time.Now()
			m.play(ctx, t, how)
			if !errors.Is(m.err, context.Canceled) || time.Since(begin) > time.Minute {
				t.Errorf("%v after %v", m.err, time.Since(begin))
			}
			if len(m.exits) != 1 {
				t.Fatalf("exits: %+v", m.exits)
			}
			if how == "parent" {
				gone(t, m.exits[0].Stderr)
			}
		})
	}
}

// gone waits until the child that a program has told of is no more.
func gone(t *testing.T, stderr string) {
	t.Helper()
	var pid int
	if _, err := fmt.Sscanf(stderr, "child %d", &pid); err != nil || pid <= 1 {
		t.Fatalf("no child in %q", stderr)
	}
	for until := time.Now().Add(time.Minute); time.Now().Before(until); {
		if b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); syscall.Kill(pid, 0) != nil || err == nil && strings.Contains(string(b), ") Z ") {
			return // ended, and somebody else's to bury
		}
		<-time.After(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}
