package callback_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// TestSigned plays a match and looks at every request of it.
func TestSigned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var told []string
		note := func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, fmt.Sprintf(format, args...))
		}
		var seen events
		tr, p := serveOver(t, signedAgent(t, callback.SignedAgentOptions{
			Started: func(m *ludux.MatchStart) {
				note("%s started, seat %v against %s", m.MatchID, m.Seat, m.Opponents[0].Slug)
			},
			Ended: func(m *ludux.MatchEnd) { note("%s ended: %s, %s", m.MatchID, m.Outcome, m.Reason) },
		}), callback.Options{Observe: seen.add})
		r, faults := played(t, signedSetup(t, "m.1", "agent"), seat(t, tr, "agent", "http://agent.example/play"))
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Fatalf("got %v, faults %q", r.Cause, faults)
		}
		if diff := cmp.Diff([]string{"m.1 started, seat 0 against left", "m.1 ended: " + string(ludux.EndOf("m.1", 0, r).Outcome) + ", connect"}, told); diff != "" {
			t.Error(diff)
		}
		list := p.all("")
		ids := map[string]bool{}
		for _, x := range list {
			ids[x.id] = true
			at := time.Unix(x.unix, 0)
			if want := callback.Sign(x.id, at, x.body, theSecret); x.signature != want || x.unix != x.at.Unix() {
				t.Errorf("%s: signed %s at %d", x.kind, x.signature, x.unix)
			}
			if x.path != "/play" || x.header.Get("content-type") != "application/json" || x.header.Get("user-agent") != "ludux-arena/1" ||
				len(x.header) != 6 || strings.Contains(x.id, ".") {
				t.Errorf("%s: %s, headers %v", x.kind, x.path, x.header)
			}
		}
		asked := p.all(ludux.KindActionRequest)
		for i, x := range asked {
			if x.asked.Seq != int64(i+1) || x.asked.Deadline != 15*time.Second {
				t.Errorf("request %d: seq %d, %v", i, x.asked.Seq, x.asked.Deadline)
			}
		}
		if len(ids) != len(list) || len(list) != r.Seats[0].Moves+2 || p.connections() > 2 {
			t.Errorf("%d messages with %d ids over %d connections, %d moves", len(list), len(ids), p.connections(), r.Seats[0].Moves)
		}
		kinds := map[ludux.Kind]int{}
		for _, e := range seen.all() {
			kinds[e.News]++
			if e.Stage != callback.StageDone || e.Err != nil || e.Agent != "agent" || e.Attempt != 1 || e.News == "" && e.Verdict.Code != referee.OK {
				t.Errorf("event %+v", e)
			}
		}
		if diff := cmp.Diff(map[ludux.Kind]int{"": len(asked), "match_start": 1, "match_end": 1}, kinds); diff != "" {
			t.Error(diff)
		}
	})
}

// TestFreshSignatures: each attempt of a message is signed for its own moment.
func TestFreshSignatures(t *testing.T) {
	t.Run("B89", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			// Six minutes nobody answers, longer than a signature is good for.
			begun := time.Now()
			agent := signedAgent(t, callback.SignedAgentOptions{})
			tr, p := serveOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if time.Since(begun) < 6*time.Minute {
					hangUp(w)
					return
				}
				agent.ServeHTTP(w, r)
			}), callback.Options{})
			s := signedSetup(t, "m", "agent")
			s.Seats[0].Clock.Move = 10 * time.Minute
			r, faults := played(t, s, seat(t, tr, "agent", "http://agent.example/"))
			if r.Cause != referee.CausePlay || len(faults) == 0 || faults[0] != "disconnected: first_byte" {
				t.Fatalf("got %v, faults %q", r.Cause, faults)
			}
			first := p.all(ludux.KindActionRequest)
			first = slices.DeleteFunc(first, func(x delivery) bool { return x.asked.Seq != 1 })
			if len(first) < 80 || first[len(first)-1].at.Sub(begun) < 6*time.Minute {
				t.Fatalf("%d attempts, until %v", len(first), first[len(first)-1].at.Sub(begun))
			}
			signatures := map[string]bool{}
			for i, x := range first {
				signatures[x.signature] = true
				if x.id != first[0].id || x.unix != x.at.Unix() || x.signature != callback.Sign(x.id, x.at, x.body, theSecret) {
					t.Errorf("attempt %d: id %s, at %d", i, x.id, x.unix)
				}
				if left := 10*time.Minute - x.at.Sub(begun); x.asked.Deadline != left || x.asked.DeadlineAt != first[0].asked.DeadlineAt {
					t.Errorf("attempt %d: %v left, not %v", i, x.asked.Deadline, left)
				}
			}
			if len(signatures) != len(first) {
				t.Errorf("%d attempts have %d signatures", len(first), len(signatures))
			}
		})
	})
}

// TestAgain has agents that misbehave a few times and then play well.
func TestAgain(t *testing.T) {
	type script = func(n int, w http.ResponseWriter, r *http.Request, m *ludux.ActionRequest) bool
	for _, c := range []struct {
		name  string
		reply func(w http.ResponseWriter, m *ludux.ActionRequest)
		fault string
	}{
		{"500", func(w http.ResponseWriter, m *ludux.ActionRequest) { w.WriteHeader(500); w.Write(answerTo(m)) }, "bad_protocol: status 500"},
		{"503", func(w http.ResponseWriter, m *ludux.ActionRequest) { w.WriteHeader(503) }, "bad_protocol: status 503"},
		{"404", func(w http.ResponseWriter, m *ludux.ActionRequest) { w.WriteHeader(404) }, "bad_protocol: status 404"},
		{"201", func(w http.ResponseWriter, m *ludux.ActionRequest) { w.WriteHeader(201); w.Write(answerTo(m)) }, "bad_protocol: status 201"},
		{"204", func(w http.ResponseWriter, m *ludux.ActionRequest) { w.WriteHeader(204) }, "bad_protocol: status 204"},
		{"redirect", func(w http.ResponseWriter, m *ludux.ActionRequest) {
			w.Header().Set("Location", "http://169.254.169.254/")
			w.WriteHeader(307)
			w.Write(answerTo(m))
		}, "bad_protocol: redirect 307"},
		{"no JSON", func(w http.ResponseWriter, m *ludux.ActionRequest) { w.Write([]byte("column 3, please")) }, "malformed: "},
		{"empty", func(w http.ResponseWriter, m *ludux.ActionRequest) {}, "malformed: "},
		{"compressed", func(w http.ResponseWriter, m *ludux.ActionRequest) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(gzipped(answerTo(m)))
		}, "malformed: "},
		{"huge", func(w http.ResponseWriter, m *ludux.ActionRequest) {
			w.Write(append(answerTo(m), strings.Repeat(" ", ludux.MaxReply)...))
		}, "oversized: "},
		{"endless", func(w http.ResponseWriter, m *ludux.ActionRequest) {
			flood(hijacked(w), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n")
		}, "oversized: "},
		{"another message", func(w http.ResponseWriter, m *ludux.ActionRequest) { w.Write((&ludux.Hello{Key: "k"}).Append(nil)) }, "malformed: "},
		{"another match", func(w http.ResponseWriter, m *ludux.ActionRequest) { m.MatchID = "n"; w.Write(answerTo(m)) }, "stale"},
		{"a seq to come", func(w http.ResponseWriter, m *ludux.ActionRequest) { m.Seq++; w.Write(answerTo(m)) }, "stale"},
		{"a seq that is past", func(w http.ResponseWriter, m *ludux.ActionRequest) { m.Seq--; w.Write(answerTo(m)) }, "stale"},
		{"hangs up", func(w http.ResponseWriter, m *ludux.ActionRequest) { hangUp(w) }, "disconnected: first_byte"},
		{"half an answer", func(w http.ResponseWriter, m *ludux.ActionRequest) {
			c := hijacked(w)
			raw(c, "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n{")
			c.Close()
		}, "disconnected: body"},
		{"no HTTP", func(w http.ResponseWriter, m *ludux.ActionRequest) {
			c := hijacked(w)
			raw(c, "SSH-2.0-OpenSSH_9.9\r\n")
			c.Close()
		}, "bad_protocol: http"},
	} {
		run := func(t *testing.T, fail script) (*referee.Result, []string, *posts, []callback.Event) {
			var seen events
			tr, p := serveOver(t, scripted(fail), callback.Options{Observe: seen.add})
			r, faults := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
			tr.Close()
			for _, f := range faults {
				if f != c.fault && f != "late" && !(strings.HasSuffix(c.fault, ": ") && strings.HasPrefix(f, c.fault)) {
					t.Errorf("fault %q, want %q", f, c.fault)
				}
			}
			return r, faults, p, seen.all()
		}
		t.Run(c.name+", thrice", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, faults, p, es := run(t, func(n int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
					bad := n >= 2 && n <= 4 // the second request, for whose connection it does not matter
					if bad {
						c.reply(w, m)
					}
					return bad
				})
				counted, times := 3, "0 0.25 0.75 1.75"
				if c.fault == "disconnected: first_byte" { // over a connection that was kept, it may have been its end
					counted, times = 2, "0 0 0.25 0.75"
				}
				if r.Cause != referee.CausePlay || len(faults) != counted || r.Seats[0].Strikes != 0 {
					t.Fatalf("got %v, faults %q", r.Cause, faults)
				}
				second := slices.DeleteFunc(p.all(ludux.KindActionRequest), func(x delivery) bool { return x.asked.Seq != 2 })
				if got := seconds(second); got != times {
					t.Errorf("asked after %s s", got)
				}
				for _, x := range second {
					if x.id != second[0].id || x.asked.Deadline != 15*time.Second-x.at.Sub(second[0].at) {
						t.Errorf("id %s, %v left", x.id, x.asked.Deadline)
					}
				}
				attempts := 0
				for _, e := range es {
					if e.Ask == 2 {
						attempts = max(attempts, e.Attempt)
					}
				}
				if attempts != counted+1 {
					t.Errorf("%d attempts", attempts)
				}
			})
		})
		t.Run(c.name+", for ever", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r, faults, p, _ := run(t, func(_ int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
					c.reply(w, m)
					return true
				})
				if r.Cause != referee.CauseForfeit || r.Reason != "late" || len(faults) != 8 || faults[7] != "late" {
					t.Errorf("got %v, %s, faults %q", r.Cause, r.Reason, faults)
				}
				<-time.After(time.Hour)
				if got := seconds(p.all(ludux.KindActionRequest)); got != "0 0.25 0.75 1.75 3.75 7.75 11.75" {
					t.Errorf("asked after %s s", got)
				}
			})
		})
	}
}

// TestAgainNot: what forfeits, and what is illegal, is not asked for again.
func TestAgainNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, scripted(func(_ int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
			w.Write(m.Respond("99", "").Append(nil))
			return true
		}), callback.Options{})
		r, faults := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
		if r.Cause != referee.CauseForfeit || r.Reason != "illegal" || len(faults) != 1 || len(p.all(ludux.KindActionRequest)) != 1 {
			t.Errorf("got %v, %s, faults %q", r.Cause, r.Reason, faults)
		}
	})
}

// TestSlow has agents that take their time, on a clock that starts with the opening.
func TestSlow(t *testing.T) {
	for _, c := range []struct {
		name string
		wait time.Duration
		ok   bool
	}{{"just in time", 15*time.Second - time.Millisecond, true}, {"at the deadline", 15 * time.Second, false}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, r *http.Request, m *ludux.ActionRequest) bool {
					if n == 1 {
						select {
						case <-time.After(c.wait):
						case <-r.Context().Done():
						}
					}
					return false
				}), callback.Options{})
				r, faults := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
				if (r.Cause == referee.CausePlay) != c.ok || (len(faults) == 0) != c.ok {
					t.Errorf("got %v, faults %q", r.Cause, faults)
				}
				if n := len(p.all(ludux.KindActionRequest)); !c.ok && n != 1 {
					t.Errorf("asked %d times", n)
				}
			})
		})
	}
	t.Run("a body in drops", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, r *http.Request, m *ludux.ActionRequest) bool {
				c := hijacked(w)
				defer c.Close()
				raw(c, "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n")
				dribble(c, answerTo(m))
				return true
			}), callback.Options{})
			r, _ := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
			if r.Cause != referee.CauseForfeit || r.Reason != "late" || len(p.all(ludux.KindActionRequest)) != 1 {
				t.Errorf("got %v, %s", r.Cause, r.Reason)
			}
		})
	})
}

// TestSignedAtSent has a clock that starts by sending: what agents are told of
// the time that is left is true all the same.
func TestSignedAtSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
			if n <= 3 {
				w.WriteHeader(500)
			}
			return n <= 3
		}), callback.Options{})
		s := signedSetup(t, "m", "agent")
		s.Seats[0].Clock.Starts = referee.AtSent
		r, faults := played(t, s, seat(t, tr, "agent", "http://agent.example/"))
		if r.Cause != referee.CausePlay || len(faults) != 3 {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		for i, want := range []time.Duration{15000, 14750, 14250, 13250} {
			if got := p.all(ludux.KindActionRequest)[i].asked.Deadline; got != want*time.Millisecond {
				t.Errorf("attempt %d: %v", i, got)
			}
		}
	})
}

// TestClosedMeanwhile meets a server that closes connections which nobody used
// for a while, just as the next request goes out: the request is signed anew.
func TestClosedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
			if n == 2 {
				<-time.After(2 * time.Second)
				hangUp(w) // over a connection that was kept
			}
			return n == 2
		}), callback.Options{})
		r, faults := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
		list := p.all(ludux.KindActionRequest)
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Fatalf("got %v, faults %q", r.Cause, faults)
		}
		if a, b := list[1], list[2]; a.id != b.id || a.unix+2 != b.unix || a.signature == b.signature || b.asked.Deadline != 13*time.Second {
			t.Errorf("%+v\n%+v", a, b)
		}
	})
}

// TestDropped breaks ten connections of a match, before the agent has thought or
// after it: moves, outcome and requests are those of a match in which none broke.
func TestDropped(t *testing.T) {
	type story struct {
		moves, asked []string
		result       *referee.Result
		faults       int
	}
	play := func(t *testing.T, drop func(n int) (drop, after bool)) (s story) {
		synctest.Test(t, func(t *testing.T) {
			var calls atomic.Int32
			agent := newSignedAgent(t, func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				// Another answer each time: a second one to a request would show.
				return m.Respond(m.LegalActions[int(calls.Add(1))%len(m.LegalActions)], ""), nil
			}, callback.SignedAgentOptions{})
			var mu sync.Mutex
			n := 0
			tr, p := serveOver(t, newsOnly(func(w http.ResponseWriter, r *http.Request) {}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				n++
				dropped, after := drop(n)
				mu.Unlock()
				if after {
					agent.ServeHTTP(httptest.NewRecorder(), r)
				}
				if dropped {
					hangUp(w)
					return
				}
				agent.ServeHTTP(w, r)
			})), callback.Options{})
			log := new(referee.Memory)
			r, err := (&referee.Local{Config: referee.Config{Log: log}}).Play(t.Context(), signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"), leftmost())
			if err != nil {
				t.Fatal(err)
			}
			for e, err := range referee.Events(t.Context(), log) {
				if err != nil {
					t.Fatal(err)
				}
				switch e.Kind {
				case referee.KindMove:
					s.moves = append(s.moves, fmt.Sprint(e.Seat, " ", e.Ask, " ", e.Action))
				case referee.KindFault:
					s.faults++
				}
			}
			for _, x := range p.all(ludux.KindActionRequest) {
				s.asked = append(s.asked, fmt.Sprint(x.asked.Seq, " ", string(x.asked.State), " ", x.id))
			}
			s.asked = slices.Compact(s.asked)
			r.Seats, s.result = nil, r // faults and time are others
		})
		return s
	}
	quiet := play(t, func(int) (bool, bool) { return false, false })
	dropped := 0
	rough := play(t, func(n int) (bool, bool) {
		drop := n%4 != 0 && dropped < 10
		if drop {
			dropped++
		}
		return drop, drop && n%4 == 2
	})
	if dropped != 10 || rough.faults == 0 || quiet.faults != 0 || len(quiet.moves) < 7 {
		t.Fatalf("%d dropped, %d and %d faults, %d moves", dropped, rough.faults, quiet.faults, len(quiet.moves))
	}
	quiet.faults, rough.faults = 0, 0
	if diff := cmp.Diff(quiet, rough, cmp.AllowUnexported(story{})); diff != "" {
		t.Error(diff)
	}
}

// TestSecretsChange changes an agent's secret in the middle of a match.
func TestSecretsChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		old, next := callback.NewSecret(), callback.NewSecret()
		list, failing, asked := []callback.Secret{old}, false, 0
		secrets := func(ctx context.Context, a referee.Agent) ([]callback.Secret, error) {
			mu.Lock()
			defer mu.Unlock()
			asked++
			if a.Slug != "agent" || a.Name != "agent" {
				t.Errorf("asked for %+v", a)
			}
			if failing {
				mu.Unlock()
				<-ctx.Done() // the store hangs
				mu.Lock()
				return nil, ctx.Err()
			}
			return list, nil
		}
		set := func(fails bool, now ...callback.Secret) {
			mu.Lock()
			defer mu.Unlock()
			list, failing = now, fails
		}
		tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
			switch n {
			case 1:
				set(false, next, old)
			case 2:
				set(true)
			case 3:
				set(false) // none any more: the last good ones go on
			}
			<-time.After(time.Minute)
			return false
		}), callback.Options{Signed: &callback.Signed{Secrets: secrets}})
		s := signedSetup(t, "m", "agent")
		s.Seats[0].Clock.Move = 5 * time.Minute
		r, faults := played(t, s, seat(t, tr, "agent", "http://agent.example/"))
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Fatalf("got %v, faults %q", r.Cause, faults)
		}
		for i, x := range p.all(ludux.KindActionRequest) {
			want := callback.Sign(x.id, x.at, x.body, old)
			if i > 0 {
				want = callback.Sign(x.id, x.at, x.body, next, old)
			}
			if x.signature != want {
				t.Errorf("request %d: signed %s, want %s", i, x.signature, want)
			}
		}
		if list := p.all(ludux.KindActionRequest); list[2].asked.Deadline != 299*time.Second {
			t.Errorf("waited for secrets until %v were left", list[2].asked.Deadline)
		}
		if asked < 4 || asked > len(p.all("")) {
			t.Errorf("asked %d times for %d messages", asked, len(p.all("")))
		}
	})
}

// TestSecretsRenewed: who registers an agent again has its secrets asked for again.
func TestSecretsRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := []callback.Secret{callback.NewSecret()}
		tr, p := serveOver(t, well(), callback.Options{Signed: &callback.Signed{Secrets: func(context.Context, referee.Agent) ([]callback.Secret, error) {
			return list, nil
		}}})
		player := seat(t, tr, "agent", "http://agent.example/")
		list = []callback.Secret{callback.NewSecret()}
		played(t, signedSetup(t, "a", "agent"), player)
		seat(t, tr, "agent", "http://agent.example/")
		played(t, signedSetup(t, "b", "agent"), player)
		for _, x := range p.all(ludux.KindActionRequest) {
			if renewed := x.signature == callback.Sign(x.id, x.at, x.body, list...); renewed != (x.match == "b") {
				t.Errorf("match %s: renewed %v", x.match, renewed)
			}
		}
	})
}

// TestNoSecrets: an agent without secrets does not get a player.
func TestNoSecrets(t *testing.T) {
	down := errors.New("the store is down")
	s := callback.NewSecret()
	for _, c := range []struct {
		name string
		list []callback.Secret
		err  error
		want error
	}{
		{"none", nil, nil, callback.ErrSecret},
		{"the zero Secret", []callback.Secret{s, {}}, nil, callback.ErrSecret},
		{"nine", slices.Repeat([]callback.Secret{s}, 9), nil, callback.ErrSecret},
		{"the host's error", nil, down, down},
		{"eight", slices.Repeat([]callback.Secret{s}, 8), nil, nil},
	} {
		tr := newTransport(t, callback.Options{AllowHTTP: true, AllowLoopback: true, Signed: &callback.Signed{
			Secrets: func(context.Context, referee.Agent) ([]callback.Secret, error) { return c.list, c.err },
		}})
		a := referee.Agent{Slug: "agent"}
		if err := tr.Register(t.Context(), a, "http://127.0.0.1:8080/"); err != nil {
			t.Fatal(err)
		}
		_, err := tr.Player(t.Context(), a)
		if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	signs := newTransport(t, callback.Options{Signed: &callback.Signed{Secrets: sharing(s)}})
	if _, err := callback.Practice(callback.PracticeOptions{Transport: signs}); err == nil || !strings.Contains(err.Error(), "callback: Transport: signs its requests") {
		t.Errorf("strangers practise: %v", err)
	}
	if _, err := callback.New(callback.Options{ReplayURL: replayURL, Signed: &callback.Signed{}}); err == nil || err.Error() != "callback: Signed.Secrets: required" {
		t.Errorf("without Secrets: %v", err)
	}
}
