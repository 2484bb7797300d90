package callback_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// newsOnly hands messages that ask for nothing to f, and others to next.
func newsOnly(f func(w http.ResponseWriter, r *http.Request), next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var head [64]byte
		n, _ := r.Body.Read(head[:])
		if strings.Contains(string(head[:n]), "match_") && !strings.Contains(string(head[:n]), "action_request") {
			f(w, r)
			return
		}
		r.Body = prefixed(head[:n], r.Body)
		next.ServeHTTP(w, r)
	})
}

// well answers all requests.
func well() http.Handler {
	return scripted(func(int, http.ResponseWriter, *http.Request, *ludux.ActionRequest) bool { return false })
}

// TestNewsIsNotWaitedFor has agents that do to the news what they can.
func TestNewsIsNotWaitedFor(t *testing.T) {
	for _, c := range []struct {
		name  string
		reply func(w http.ResponseWriter, r *http.Request)
		close time.Duration // how long Close takes
	}{
		{"they hang", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, 5 * time.Second},
		{"they fail", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(500) }, 0},
		{"they redirect", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "http://169.254.169.254/")
			w.WriteHeader(302)
		}, 0},
		{"they hang up", func(w http.ResponseWriter, r *http.Request) { hangUp(w) }, 0},
		{"they answer without end", func(w http.ResponseWriter, r *http.Request) {
			flood(hijacked(w), "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n")
		}, 0},
		{"they dribble", func(w http.ResponseWriter, r *http.Request) {
			c := hijacked(w)
			defer c.Close()
			dribble(c, []byte("HTTP/1.1 204 No Content\r\n\r\n"))
		}, 5 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var seen events
				tr, p := serveOver(t, newsOnly(c.reply, well()), callback.Options{Observe: seen.add})
				begun := time.Now()
				r, faults := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
				if took := time.Since(begun); r.Cause != referee.CausePlay || len(faults) != 0 || took != 0 {
					t.Errorf("got %v after %v, faults %q", r.Cause, took, faults)
				}
				tr.Close()
				if took := time.Since(begun); took != c.close {
					t.Errorf("Close took %v", took)
				}
				synctest.Wait()
				starts, ends := len(p.all(ludux.KindMatchStart)), len(p.all(ludux.KindMatchEnd))
				if starts < 1 || starts > 2 || ends > 2 || c.close == 0 && ends == 0 {
					t.Errorf("%d starts, %d ends", starts, ends)
				}
				news := slices.DeleteFunc(seen.all(), func(e callback.Event) bool { return e.News == "" })
				if len(news) != 2 || news[0].News != ludux.KindMatchStart || news[1].News != ludux.KindMatchEnd {
					t.Errorf("%+v", news)
				}
				for _, e := range news {
					if c.close > 0 && e.Err == nil || e.Fault != referee.NoFault || e.Ask != 0 {
						t.Errorf("%+v", e)
					}
				}
			})
		})
	}
}

// TestNewsInOrder: the end of a match comes after its start, however long that
// takes, and one after another.
func TestNewsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, newsOnly(func(w http.ResponseWriter, r *http.Request) { <-time.After(4 * time.Second) }, well()), callback.Options{})
		player := seat(t, tr, "agent", "http://agent.example/")
		for i := range 3 {
			played(t, signedSetup(t, fmt.Sprint("m", i), "agent"), player)
		}
		<-time.After(time.Minute)
		var got []string
		begun := p.all("")[0].at
		for _, x := range p.all("") {
			if x.asked == nil {
				got = append(got, fmt.Sprint(x.kind, " ", x.match, " ", x.at.Sub(begun)))
			}
		}
		want := []string{"match_start m0 0s", "match_end m0 4s", "match_start m1 8s", "match_end m1 12s", "match_start m2 16s", "match_end m2 20s"}
		if !slices.Equal(got, want) {
			t.Errorf("%q", got)
		}
	})
}

// TestNewsCut: a message is given up after 5 s, and the next one goes out.
func TestNewsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, newsOnly(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, well()), callback.Options{})
		begun := time.Now()
		played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/"))
		<-time.After(time.Minute)
		if ends := p.all(ludux.KindMatchEnd); len(ends) != 1 || ends[0].at.Sub(begun) != 5*time.Second {
			t.Errorf("%+v", ends)
		}
	})
}

// TestNewsBacklog has an agent that takes 5 s for each message and plays many
// matches: what is too much is dropped, and matches go on.
func TestNewsBacklog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen events
		tr, p := serveOver(t, newsOnly(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, well()), callback.Options{Observe: seen.add})
		player := seat(t, tr, "agent", "http://agent.example/")
		for i := range 50 {
			played(t, signedSetup(t, fmt.Sprint("m", i), "agent"), player)
		}
		begun := time.Now()
		tr.Close()
		if took := time.Since(begun); took != 5*time.Second {
			t.Errorf("Close took %v", took)
		}
		synctest.Wait()
		cut, dropped := 0, 0
		for _, e := range seen.all() {
			if e.News == "" {
				continue
			}
			if e.Err == nil {
				t.Errorf("%+v", e)
			} else if strings.Contains(e.Err.Error(), "too many messages") {
				dropped++
			} else {
				cut++
			}
		}
		if cut != 64 || dropped != 36 || len(p.all(ludux.KindMatchStart)) > 2 {
			t.Errorf("%d sent or cut, %d dropped; %d starts came", cut, dropped, len(p.all(ludux.KindMatchStart)))
		}
	})
}

// TestNewsGoesOn has an agent that plays more matches, one after the other, than
// there are messages at once; all its secrets sign what it is told of them.
func TestNewsGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secrets := []callback.Secret{callback.NewSecret(), theSecret}
		tr, p := serveOver(t, well(), callback.Options{Signed: &callback.Signed{Secrets: sharing(secrets...)}})
		player := seat(t, tr, "agent", "http://agent.example/")
		for i := range 40 {
			played(t, signedSetup(t, fmt.Sprint("m", i), "agent"), player)
			synctest.Wait()
		}
		news := append(p.all(ludux.KindMatchStart), p.all(ludux.KindMatchEnd)...)
		if len(news) != 80 {
			t.Errorf("%d messages", len(news))
		}
		for _, x := range news {
			if x.signature != callback.Sign(x.id, x.at, x.body, secrets...) {
				t.Errorf("%s of %s: signed %s", x.kind, x.match, x.signature)
			}
		}
	})
}

// TestNewsToItself seats an agent twice: each seat's messages have ids of their own.
func TestNewsToItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, well(), callback.Options{})
		s := signedSetup(t, "m", "agent")
		s.Seats[1] = s.Seats[0]
		r, err := new(referee.Local).Play(t.Context(), s, seat(t, tr, "agent", "http://agent.example/"), seat(t, tr, "agent", "http://agent.example/"))
		if err != nil || r.Cause != referee.CausePlay {
			t.Fatalf("%+v, %v", r, err)
		}
		tr.Close()
		ids := map[string]bool{}
		for _, x := range p.all("") {
			ids[x.id] = true
			if len(x.id) != len("msg_")+32 {
				t.Errorf("id %s", x.id)
			}
		}
		if want := r.Seats[0].Moves + r.Seats[1].Moves + 4; len(p.all("")) != want || len(ids) != want {
			t.Errorf("%d messages, %d ids, %d wanted", len(p.all("")), len(ids), want)
		}
	})
}

// TestNewsAfterClose ends a match when its transport is closed: that is told to
// nobody but the host.
func TestNewsAfterClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen events
		var tr *callback.Transport
		var p *posts
		tr, p = serveOver(t, scripted(func(n int, w http.ResponseWriter, _ *http.Request, _ *ludux.ActionRequest) bool {
			if n == 2 {
				tr.Close()
			}
			return false
		}), callback.Options{Observe: seen.add})
		if r, _ := played(t, signedSetup(t, "m", "agent"), seat(t, tr, "agent", "http://agent.example/")); r.Cause != referee.CausePlay {
			t.Errorf("%+v", r)
		}
		synctest.Wait()
		told := slices.IndexFunc(seen.all(), func(e callback.Event) bool { return e.News == ludux.KindMatchEnd && e.Err != nil })
		if ends := p.all(ludux.KindMatchEnd); len(ends) != 0 || told < 0 {
			t.Errorf("%d ends came; %+v", len(ends), seen.all())
		}
	})
}

// TestNewsOfOthers: an agent that hangs keeps nobody else's news waiting, and the
// guard looks at the addresses of news as well.
func TestNewsOfOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen events
		names := resolver(map[string][]lookup{
			"agent.example": {{addrs: []string{"1.1.1.1"}}},
			"arena.example": {{addrs: []string{"1.1.1.2"}}},
			// Its name leads elsewhere once it is registered.
			"evil.example": {{addrs: []string{"1.1.1.1"}}, {addrs: []string{"169.254.169.254"}}},
		})
		tr, p := serveOver(t, newsOnly(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/slow" {
				<-r.Context().Done()
			}
		}, well()), callback.Options{Observe: seen.add, Resolver: names})
		slow, quick, evil := seat(t, tr, "slow", "http://agent.example/slow"), seat(t, tr, "quick", "http://agent.example/quick"), seat(t, tr, "evil", "http://evil.example/")
		played(t, signedSetup(t, "slow", "slow"), slow)
		played(t, signedSetup(t, "quick", "quick"), quick)
		synctest.Wait()
		ended := 0
		for _, x := range p.all(ludux.KindMatchEnd) {
			if x.match == "quick" {
				ended++
			}
		}
		r, faults := played(t, signedSetup(t, "evil", "evil"), evil)
		synctest.Wait()
		if r.Cause != referee.CauseForfeit || faults[0] != "unreachable: refused_address" {
			t.Errorf("got %v, faults %q", r.Cause, faults)
		}
		for _, x := range p.all("") {
			if x.match == "evil" {
				t.Errorf("%s reached an address that was refused", x.kind)
			}
		}
		refused := 0
		for _, e := range seen.all() {
			if e.Match == "evil" && e.News != "" {
				if e.Stage != callback.StageResolve || e.Err == nil || !strings.Contains(e.Err.Error(), "not a public address") {
					t.Errorf("%+v", e)
				}
				refused++
			}
		}
		if ended != 1 || refused != 2 {
			t.Errorf("%d ends came, %d were refused", ended, refused)
		}
	})
}

// TestNewsAfterResume: a referee that takes a match over tells of it again, under
// the same id, and asks the open request again, with its seq and its whole time.
func TestNewsAfterResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, p := serveOver(t, scripted(func(n int, w http.ResponseWriter, r *http.Request, m *ludux.ActionRequest) bool {
			if n == 3 {
				<-r.Context().Done()
			}
			return n == 3
		}), callback.Options{})
		player := seat(t, tr, "agent", "http://agent.example/")
		s, log := signedSetup(t, "m", "agent"), new(referee.Memory)
		local := referee.Local{Config: referee.Config{Log: log}}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if _, err := local.Play(ctx, s, player, leftmost()); err == nil {
			t.Fatal("it ended")
		}
		<-time.After(time.Hour / 2)
		r, err := local.Play(t.Context(), s, player, leftmost())
		if err != nil || r.Cause != referee.CausePlay {
			t.Fatalf("%v, %+v", err, r)
		}
		tr.Close()
		starts, asked := p.all(ludux.KindMatchStart), p.all(ludux.KindActionRequest)
		if len(starts) != 2 || starts[0].id != starts[1].id || starts[0].signature == starts[1].signature || len(p.all(ludux.KindMatchEnd)) != 1 {
			t.Errorf("%+v", starts)
		}
		if a, b := asked[2], asked[3]; a.id != b.id || a.asked.Seq != 3 || b.asked.Seq != 3 || b.asked.Deadline != 15*time.Second {
			t.Errorf("%s, seq %d; %s, seq %d, %v left", a.id, a.asked.Seq, b.id, b.asked.Seq, b.asked.Deadline)
		}
	})
}
