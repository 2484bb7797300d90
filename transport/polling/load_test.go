package polling_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/games/grid/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/polling"
)

// latencies collects how long requests took.
type latencies struct {
	mu   sync.Mutex
	list []time.Duration
}

func (l *latencies) add(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, d)
}

// at gives the one that so much of all are not longer than, in milliseconds.
func (l *latencies) at(share float64) float64 {
	slices.Sort(l.list)
	return float64(l.list[int(share*float64(len(l.list)-1))]) / float64(time.Millisecond)
}

// accounts is how many poll at once.
const accounts = 1000

// BenchmarkAccounts has a thousand accounts look at a match of their own and move, all at once, each over a connection of
// its own; an op is all of their looks and moves, ten of each.
func BenchmarkAccounts(b *testing.B) {
	h := newHost(b, nil, func(o *polling.Options) {
		o.Auth, o.Limits.Pace = many{}, time.Nanosecond
		o.Opponents["light"] = polling.Opponent{Light: true, Player: referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: r.Listed()[0]} })}
	})
	server := httptest.NewServer(h.polls)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: accounts}}
	defer client.CloseIdleConnections()
	var took latencies
	var errors, requests int
	var mu sync.Mutex
	fail := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		if errors++; errors < 5 {
			b.Logf(format, args...)
		}
	}
	send := func(who, method, path, body string) (status int, o observation) {
		r, err := http.NewRequest(method, server.URL+prefix+path, strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer lcb_"+who)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Prefer", "wait=30")
		began := time.Now()
		resp, err := client.Do(r)
		if err != nil {
			fail("%s: %v", path, err)
			return 0, o
		}
		defer resp.Body.Close()
		answer, err := io.ReadAll(resp.Body)
		took.add(time.Since(began))
		if err != nil || json.Unmarshal(answer, &o) != nil || resp.StatusCode >= 300 {
			fail("%s: %d %s %v", path, resp.StatusCode, answer, err)
		}
		return resp.StatusCode, o
	}
	for n := range b.N {
		b.StopTimer()
		paths := make([]string, accounts)
		for i := range paths {
			who := fmt.Sprint("a", i)
			_, o := send(who, "POST", "/matches", fmt.Sprintf(`{"opponent":"light","control":"untimed","requestId":%q}`, uuid(n)))
			paths[i] = "/matches/" + o.MatchID
		}
		took.list = nil
		b.StartTimer()
		var wg sync.WaitGroup
		for i, path := range paths {
			wg.Go(func() {
				who := fmt.Sprint("a", i)
				for k := range 10 {
					_, o := send(who, "GET", path, "")
					if o.Status != "agent" {
						fail("%s: status %s", path, o.Status)
						return
					}
					send(who, "POST", path+"/moves", moveOf(o, k))
				}
			})
		}
		wg.Wait()
		b.StopTimer()
		requests += len(took.list)
		for i, path := range paths {
			send(fmt.Sprint("a", i), "POST", path+"/abandon", "{}")
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(errors), "errors")
	b.ReportMetric(took.at(0.50), "p50-ms")
	b.ReportMetric(took.at(0.99), "p99-ms")
	b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
}

// BenchmarkPollUnderSearch has one agent look at its match again and again, in its own turn, while a heavy opponent computes in another
// match; an op is one look.
func BenchmarkPollUnderSearch(b *testing.B) {
	began := time.Now()
	hell, err := house.New("hell_v2", house.Options{Nodes: house.MaxNodes, Now: func() time.Duration { return time.Since(began) }})
	if err != nil {
		b.Fatal(err)
	}
	h := newHost(b, nil, func(o *polling.Options) {
		o.Limits.Pace = time.Nanosecond
		o.Opponents["hell_v2"] = polling.Opponent{Player: hell, Heavy: true, Game: "grid"}
	})
	server := httptest.NewServer(h.polls)
	defer server.Close()
	path, _ := h.begun(1, "quick", `,"control":"untimed"`)
	search, o := h.begun(2, "hell_v2", `,"control":"untimed"`)
	over := make(chan struct{})
	var searching sync.WaitGroup
	searching.Go(func() {
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			default:
			}
			if o.Status == "agent" {
				h.play(search, o, n)
			}
			o = h.as("ann", "GET", search, "", "Prefer", "wait=1").observation(b)
		}
	})
	var took latencies
	for b.Loop() {
		r, err := http.NewRequest("GET", server.URL+prefix+path, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer lcb_ann")
		at := time.Now()
		resp, err := server.Client().Do(r)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != 200 {
			b.Fatal(resp.Status, err)
		}
		resp.Body.Close()
		took.add(time.Since(at))
		time.Sleep(time.Millisecond) // as between the looks of many
	}
	close(over)
	h.as("ann", "POST", search+"/abandon", "")
	searching.Wait()
	b.ReportMetric(took.at(0.50), "p50-ms")
	b.ReportMetric(took.at(0.99), "p99-ms")
}
