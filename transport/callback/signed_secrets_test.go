package callback_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

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
		synctest.Wait() // the end is told after it
		mu.Lock()
		defer mu.Unlock()
		if asked < 4 || asked > len(p.all("")) {
			t.Errorf("asked %d times for %d messages", asked, len(p.all("")))
		}
	})
}

// TestSecretsHang: a store that hangs costs a second, and the next one no sooner
// than a minute later.
func TestSecretsHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		var mu sync.Mutex
		tr, p := serveOver(t, well(), callback.Options{Signed: &callback.Signed{Secrets: func(ctx context.Context, _ referee.Agent) ([]callback.Secret, error) {
			mu.Lock()
			asked++
			first := asked == 1
			mu.Unlock()
			if !first {
				<-ctx.Done()
			}
			return []callback.Secret{theSecret}, ctx.Err()
		}}})
		player := seat(t, tr, "agent", "http://agent.example/")
		for i := range 3 {
			<-time.After(2 * time.Minute) // whoever of a match asked first, and however long that took
			begun := time.Now()
			r, faults := played(t, signedSetup(t, fmt.Sprint("m", i), "agent"), player)
			if took := time.Since(begun); r.Cause != referee.CausePlay || len(faults) != 0 || took > time.Second {
				t.Errorf("got %v after %v, faults %q", r.Cause, took, faults)
			}
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if n := len(p.all(ludux.KindActionRequest)); asked != 4 || n < 9 {
			t.Errorf("asked %d times for %d requests", asked, n)
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
		list[0] = callback.NewSecret() // the transport has its own copy
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

// TestSecretsRenewedMeanwhile registers an agent again while its secrets are being
// asked for: what comes of that is from before, and is not used for a minute more.
func TestSecretsRenewedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		list := []callback.Secret{callback.NewSecret()}
		tr, p := serveOver(t, well(), callback.Options{Signed: &callback.Signed{Secrets: func(context.Context, referee.Agent) ([]callback.Secret, error) {
			mu.Lock()
			now := list
			mu.Unlock()
			<-time.After(time.Second / 2)
			return now, nil
		}}})
		player := seat(t, tr, "agent", "http://agent.example/")
		<-time.After(time.Minute)
		change := time.AfterFunc(time.Second/4, func() {
			mu.Lock()
			list = []callback.Secret{callback.NewSecret()}
			mu.Unlock()
			if err := tr.Register(context.Background(), referee.Agent{Slug: "agent", Name: "agent"}, "http://agent.example/"); err != nil {
				t.Error(err)
			}
		})
		defer change.Stop()
		played(t, signedSetup(t, "a", "agent"), player)
		<-time.After(2 * time.Second) // the end of a asks again, and takes its time
		played(t, signedSetup(t, "b", "agent"), player)
		mu.Lock()
		defer mu.Unlock()
		for _, x := range p.all(ludux.KindActionRequest) {
			if x.match == "b" && x.signature != callback.Sign(x.id, x.at, x.body, list...) {
				t.Errorf("match %s, seq %d: signed by the old secret", x.match, x.asked.Seq)
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
