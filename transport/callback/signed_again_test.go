package callback_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

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

// TestAgainUntimed has no deadline, so that nothing counts down: a request that
// comes again is another one all the same, which an agent with a window lets in.
func TestAgainUntimed(t *testing.T) {
	for _, starts := range []referee.Starts{referee.AtOpen, referee.AtSent} {
		synctest.Test(t, func(t *testing.T) {
			var calls atomic.Int32
			agent := newSignedAgent(t, func(_ context.Context, m *ludux.ActionRequest) (*ludux.ActionResponse, error) {
				if calls.Add(1) < 4 {
					return nil, errors.New("not now")
				}
				return m.Respond(m.LegalActions[0], ""), nil
			}, callback.SignedAgentOptions{})
			tr, p := serveOver(t, agent, callback.Options{})
			s := signedSetup(t, "m", "agent")
			s.Seats[0].Clock = referee.Clock{Starts: starts}
			begun := time.Now()
			r, faults := played(t, s, seat(t, tr, "agent", "http://agent.example/"))
			if diff := cmp.Diff(slices.Repeat([]string{"bad_protocol: status 500"}, 3), faults); diff != "" || r.Cause != referee.CausePlay {
				t.Errorf("%v: %v\n%s", starts, r.Cause, diff)
			}
			for i, at := range []time.Duration{0, 1, 3, 7} {
				if x := p.all(ludux.KindActionRequest)[i]; x.at.Sub(begun) != at*time.Second || x.asked.Seq != 1 {
					t.Errorf("%v: attempt %d after %v", starts, i, x.at.Sub(begun))
				}
			}
		})
	}
}

// TestSignedOnceConnected: what connecting has taken is not told to be left, and a
// request is signed when it goes out.
func TestSignedOnceConnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *posts
		var tr *callback.Transport
		tr, p = serveOver(t, well(), callback.Options{Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			<-time.After(3 * time.Second)
			return p.dial(ctx, network, address)
		}})
		r, faults := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
		if r.Cause != referee.CausePlay || len(faults) != 0 {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		for _, x := range p.all("") {
			if x.unix != x.at.Unix() {
				t.Errorf("%s signed for %d came at %d", x.kind, x.unix, x.at.Unix())
			}
		}
		if left := p.all(ludux.KindActionRequest)[0].asked.Deadline; left != 12*time.Second {
			t.Errorf("%v left after 3 s", left)
		}
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
				begun := time.Now()
				r, faults, p, _ := run(t, func(_ int, w http.ResponseWriter, _ *http.Request, m *ludux.ActionRequest) bool {
					c.reply(w, m)
					return true
				})
				if took := time.Since(begun); took != 15*time.Second {
					t.Errorf("the match took %v", took)
				}
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
