package websocket_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	ws "github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/transport/websocket"
)

func TestClientPlays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.send(&ludux.MatchStart{MatchID: "m-1", Game: "connect-four"})
			for seq := range int64(3) {
				c.ask("m-1", seq+1, 15*time.Second)
				c.answered("m-1", seq+1)
			}
			c.send(&ludux.TimeoutWarning{MatchID: "m-1", Seq: 3})
			c.send(&ludux.Error{Code: ludux.CodeStaleResponse, MatchID: "m-1", Seq: 3})
			c.Write(ctx, ws.MessageText, []byte(`{"protocol":"ludux/1","type":"weather"}`))
			c.send(&ludux.MatchEnd{MatchID: "m-1", Outcome: ludux.Win, Cause: 0, Reason: "connect"})
			if code := c.gone(); code != 1000 {
				t.Errorf("closed with %d", code)
			}
		})
		var told []ludux.Kind
		o := s.options()
		o.Told = func(m ludux.Message) {
			told = append(told, m.Kind())
			if _, ok := m.(*ludux.MatchEnd); ok {
				cancel()
			}
		}
		o.Failed = func(err error) { t.Error(err) }
		if err := s.run(ctx, o, first); err != context.Canceled {
			t.Error(err)
		}
		want := []ludux.Kind{ludux.KindWelcome, ludux.KindMatchStart, ludux.KindTimeoutWarning, ludux.KindError, ludux.KindMatchEnd}
		if d := cmp.Diff(want, told); d != "" {
			t.Errorf("told (-want +got):\n%s", d)
		}
	})
}

// TestClientAtOnce has forty requests open at once, of which eight may be thought about.
func TestClientAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		const matches, atOnce = 40, 8
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			start := time.Now()
			go func() {
				for i := range matches {
					c.ask(fmt.Sprint("m-", i), 1, time.Minute)
				}
			}()
			got := map[string]bool{}
			for range matches {
				got[c.response().MatchID] = true
			}
			if len(got) != matches {
				t.Errorf("answers in %d matches", len(got))
			}
			if took := time.Since(start); took != matches/atOnce*time.Second {
				t.Errorf("it took %v", took)
			}
			cancel()
			c.gone()
		})
		o := s.options()
		o.Concurrent = atOnce
		var now, most atomic.Int32
		s.run(ctx, o, func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer now.Add(-1)
			time.Sleep(time.Second)
			return first(ctx, m)
		})
		if most.Load() != atOnce {
			t.Errorf("%d at once", most.Load())
		}
	})
}

// TestClientContexts ends the contexts of requests: by time, by the next request,
// by the end of the match and by that of Run.
func TestClientContexts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("time", 1, 15*time.Second)
			c.ask("newer", 7, time.Hour)
			c.ask("end", 1, time.Hour)
			c.ask("over", 1, 0) // with no limit that is known
			c.ask("run", 1, time.Hour)
			time.Sleep(time.Second)
			c.ask("newer", 8, time.Hour)
			time.Sleep(time.Second)
			c.send(&ludux.MatchEnd{MatchID: "end", Outcome: ludux.None, Cause: 4, Reason: "expiry"})
			time.Sleep(time.Second)
			c.send(&ludux.Error{Code: ludux.CodeMatchOver, MatchID: "over", Seq: 1})
			time.Sleep(time.Minute)
			cancel()
			c.gone()
		})
		type end struct {
			Cause string
			After time.Duration
		}
		ends := make(chan map[string]end, 1)
		ends <- map[string]end{}
		o := s.options()
		o.Failed = func(err error) {
			if err.Error() != "websocket: time, request 1: context deadline exceeded" || !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		}
		err := s.run(ctx, o, func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			start := time.Now()
			if deadline, ok := ctx.Deadline(); m.Deadline > 0 && (!ok || deadline != start.Add(m.Deadline)) {
				t.Errorf("%s: deadline %v, %t", m.MatchID, deadline, ok)
			} else if m.Deadline == 0 && ok {
				t.Errorf("%s: deadline %v", m.MatchID, deadline)
			}
			<-ctx.Done()
			e := <-ends
			e[fmt.Sprint(m.MatchID, m.Seq)] = end{context.Cause(ctx).Error(), time.Since(start)}
			ends <- e
			return nil, ctx.Err()
		})
		if err != context.Canceled {
			t.Error(err)
		}
		withdrawn := websocket.ErrWithdrawn.Error()
		want := map[string]end{
			"time1":  {context.DeadlineExceeded.Error(), 15 * time.Second},
			"newer7": {withdrawn, time.Second},
			"newer8": {context.Canceled.Error(), 62 * time.Second},
			"end1":   {withdrawn, 2 * time.Second},
			"over1":  {withdrawn, 3 * time.Second},
			"run1":   {context.Canceled.Error(), 63 * time.Second},
		}
		if d := cmp.Diff(want, <-ends); d != "" {
			t.Errorf("ends (-want +got):\n%s", d)
		}
	})
}

// TestClientFailures has requests whose play goes wrong: none is answered, each is
// told of, and played again when it comes again.
func TestClientFailures(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		bad := map[string]*ludux.ActionResponse{
			"nothing":   nil,
			"no JSON":   {Action: `3,"seq":1`},
			"null":      {Action: "null"},
			"empty":     {},
			"too large": {Action: game.Action(`"` + strings.Repeat("x", ludux.MaxFrame) + `"`)},
			"twice":     {Action: `{"a":1,"a":2}`},
			"deep":      {Action: game.Action(strings.Repeat("[", 40) + strings.Repeat("]", 40))},
		}
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("panic", 1, time.Minute)
			c.ask("error", 1, time.Minute)
			for name := range bad {
				c.ask(name, 1, time.Minute)
			}
			time.Sleep(time.Second)
			for _, name := range []string{"panic", "error", "deep"} {
				c.ask(name, 1, time.Minute)
				c.answered(name, 1)
			}
			cancel()
			c.gone()
		})
		failed := make(chan map[string]string, 1)
		failed <- map[string]string{}
		o := s.options()
		o.Failed = func(err error) {
			var p *websocket.PlayError
			if !errors.As(err, &p) {
				t.Error(err)
				return
			}
			f := <-failed
			f[p.Request.MatchID] = p.Err.Error()
			failed <- f
		}
		calls := make(chan map[string]int, 1)
		calls <- map[string]int{}
		s.run(ctx, o, func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			n := <-calls
			n[m.MatchID]++
			again := n[m.MatchID] > 1
			calls <- n
			switch {
			case again:
				return first(ctx, m)
			case m.MatchID == "panic":
				panic("no luck")
			case m.MatchID == "error":
				return nil, errors.New("no idea")
			}
			return bad[m.MatchID], nil
		})
		f := <-failed
		if f["panic"] != "panic: no luck" || f["error"] != "no idea" || f["nothing"] != "no response, and no error" || f["no JSON"] != "the action is no JSON" {
			t.Errorf("failed: %v", f)
		}
		if len(f) != len(bad)+2 {
			t.Errorf("%d failed, not %d: %v", len(f), len(bad)+2, f)
		}
	})
}

// TestClientFillsIn: match, seq and the length of the commentary are no business of play.
func TestClientFillsIn(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("m-1", 9, time.Minute)
			want := ludux.ActionResponse{MatchID: "m-1", Seq: 9, Action: "4", Commentary: strings.Repeat("é", ludux.MaxCommentary)}
			if r := c.response(); r == nil || *r != want {
				t.Errorf("%+v", r)
			}
			cancel()
			c.gone()
		})
		s.run(ctx, s.options(), func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			return &ludux.ActionResponse{MatchID: "another", Seq: 1, Action: "4", Commentary: strings.Repeat("é", 20_000)}, nil
		})
	})
}

// TestClientMatches opens more matches than the client keeps in mind.
func TestClientMatches(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.ask("slow", 1, time.Minute)
			for i := range 10 { // each makes room for the next
				c.ask(fmt.Sprint("m-", i), 1, time.Minute)
				c.answered(fmt.Sprint("m-", i), 1)
				time.Sleep(time.Millisecond)
			}
			c.ask("slow", 1, time.Minute) // which was not forgotten
			c.ask("slow 2", 1, time.Minute)
			c.ask("slow 3", 1, time.Minute)
			c.ask("slow 4", 1, time.Minute) // for which there is no room
			time.Sleep(time.Second)
			cancel()
			c.gone()
		})
		o := s.options()
		o.Matches = 3
		var failed []string
		o.Failed = func(err error) { failed = append(failed, err.Error()) }
		var slow atomic.Int32
		s.run(ctx, o, func(ctx context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			if strings.HasPrefix(m.MatchID, "slow") {
				slow.Add(1)
				<-ctx.Done()
			}
			return first(ctx, m)
		})
		if d := cmp.Diff([]string{"websocket: slow 4, request 1: 3 matches are open already"}, failed); d != "" {
			t.Errorf("failed (-want +got):\n%s", d)
		}
		if slow.Load() != 3 {
			t.Errorf("%d slow ones were played", slow.Load())
		}
	})
}

// TestClientNoise: what is no message is told of and passed over.
func TestClientNoise(t *testing.T) {
	bubble(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			c.Write(ctx, ws.MessageText, []byte("hello"))
			c.Write(ctx, ws.MessageText, nil)
			c.Write(ctx, ws.MessageBinary, stubRequest("m-1", 1, time.Minute).Append(nil))
			c.ask("m-1", 1, time.Minute)
			c.answered("m-1", 1)
			cancel()
			c.gone()
		})
		o := s.options()
		var failed []error
		o.Failed = func(err error) { failed = append(failed, err) }
		s.run(ctx, o, first)
		if len(failed) != 3 || !errors.Is(failed[0], ludux.ErrMessage) || !errors.Is(failed[1], ludux.ErrMessage) {
			t.Errorf("failed: %v", failed)
		}
	})
}

func TestClientClose(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newStub(t, func(c *stubConn) {
			c.welcome()
			if c.n == 1 {
				c.ask("m-1", 1, time.Minute)
				if code := c.gone(); code != 1000 {
					t.Errorf("closed with %d", code)
				}
			} else {
				c.Read(context.Background())
			}
		})
		c, err := websocket.Dial(t.Context(), "ws://localhost/agent", s.options())
		if err != nil {
			t.Fatal(err)
		}
		if w := c.Welcome(); w.Agent.Slug != "ann" || w.MaxFrame != ludux.MaxFrame {
			t.Errorf("welcome %+v", w)
		}
		for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), fmt.Sprint(s.options()), fmt.Sprintf("%#v", s.options())} {
			if strings.Contains(text, "secret") {
				t.Errorf("the key in %s", text)
			}
		}
		if err := c.Run(t.Context(), nil); err == nil {
			t.Error("a nil function was taken")
		}
		err = c.Run(t.Context(), func(ctx context.Context, _ *ludux.ActionRequest) (*ludux.ActionResponse, error) {
			c.Close() // from within
			<-ctx.Done()
			return nil, context.Cause(ctx)
		})
		if err != websocket.ErrClosed {
			t.Error(err)
		}
		if err := c.Run(t.Context(), first); err == nil {
			t.Error("ran twice")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}

		idle, err := websocket.Dial(t.Context(), "ws://localhost/agent", s.options())
		if err != nil {
			t.Fatal(err)
		}
		idle.Close()
		if err := idle.Run(t.Context(), first); err != websocket.ErrClosed {
			t.Error(err)
		}
	})
}
