package polling_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/polling"
)

// outage lets one of the calls of the stores fail, the one after which left is 0: having done nothing, or all of it.
type outage struct {
	left  atomic.Int64
	stays bool // all calls after it fail too
	done  bool // what was asked for is done all the same
	hits  atomic.Int64
}

// call makes a call, or fails.
func (o *outage) call(f func() error) error {
	if left := o.left.Add(-1); left > 0 || left < 0 && !o.stays {
		return f()
	}
	o.hits.Add(1)
	if o.done {
		_ = f()
	}
	return errNoSpace
}

type outMatches struct {
	polling.Store
	o *outage
}

func (s outMatches) Put(ctx context.Context, e polling.Entry) error {
	return s.o.call(func() error { return s.Store.Put(ctx, e) })
}

func (s outMatches) Remove(ctx context.Context, matches ...string) error {
	return s.o.call(func() error { return s.Store.Remove(ctx, matches...) })
}

type outRecords struct {
	referee.Store
	o *outage
}

func (s outRecords) Open(ctx context.Context, id string) (log referee.Log, err error) {
	err = s.o.call(func() error {
		log, err = s.Store.Open(ctx, id)
		return err
	})
	return outLog{log, s.o}, err
}

type outLog struct {
	referee.Log
	o *outage
}

func (l outLog) Append(ctx context.Context, at int64, lines [][]byte) error {
	return l.o.call(func() error { return l.Log.Append(ctx, at, lines) })
}

func (l outLog) Read(ctx context.Context, from int64) iter.Seq2[[]byte, error] {
	if err := l.o.call(func() error { return nil }); err != nil {
		return func(yield func([]byte, error) bool) { yield(nil, err) }
	}
	return l.Log.Read(ctx, from)
}

// TestOutages has each call of the stores fail in turn while an agent plays two matches, sends each request until it is answered,
// and the host begins again: no answer, no match and no quota is lost or had twice.
func TestOutages(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for _, stays := range []bool{false, true} {
		for _, done := range []bool{false, true} {
			for n := 1; ; n += step {
				o := &outage{stays: stays, done: done}
				t.Run(fmt.Sprintf("%v %v %d", stays, done, n), func(t *testing.T) { bubble(t, func(t *testing.T) { o.play(t, n) }) })
				if o.hits.Load() == 0 || t.Failed() { // there are no more calls
					break
				}
			}
		}
	}
}

func (o *outage) play(t *testing.T, n int) {
	records, matches := outRecords{new(referee.MemoryStore), o}, outMatches{new(polling.MemoryStore), o}
	var h *host
	begin := func() {
		o.left.Store(math.MaxInt64)
		h = newHost(t, nil, func(p *polling.Options) {
			p.Records, p.Store = records, matches
			p.Limits.Starts, p.Limits.Active = 2, 1
		})
	}
	begin()
	o.left.Store(int64(n))
	type sent struct{ path, body, answer string }
	var all []sent
	fails := 0
	send := func(method, path, body string) answer {
		for try := range 30 {
			a := h.as("ann", method, path, body, "Prefer", "wait=20")
			switch {
			case a.status >= 500:
				if a.status == 500 {
					fails++
				}
				if !o.stays && fails > 1 {
					t.Fatalf("%s %s: %d %s", path, body, a.status, a.body) // of what failed once, the others hear 503
				}
				if time.Sleep(100 * time.Millisecond); o.stays {
					h.close()
					begin()
				}
			case a.status == 429: // the pace
				time.Sleep(2 * time.Second)
			case a.status >= 300:
				t.Fatalf("%s %s: %d %s", path, body, a.status, a.body)
			case method == "POST":
				all = append(all, sent{path, body, a.body})
				return a
			case a.observation(t).Status != "ai":
				return a
			case try > 10 && o.stays: // it stands still since its log failed
				h.close()
				begin()
			}
		}
		t.Fatalf("%s %s is never answered: %v", path, body, h.failed())
		return answer{}
	}
	for m := range 2 {
		path := "/matches/" + send("POST", "/matches", fmt.Sprintf(`{"opponent":"quick","requestId":%q,"agentSeat":%d}`, uuid(m), m)).observation(t).MatchID
		for k := range 3 {
			now := send("GET", path, "").observation(t)
			if now.Status == "failed" { // the host's
				break
			}
			send("POST", path+"/moves", moveOf(now, 100*m+k))
		}
		if now := send("POST", path+"/abandon", "{}").observation(t); now.Status != "expired" && now.Status != "failed" {
			t.Errorf("%+v", now)
		}
	}
	h.close()
	begin()
	for _, s := range all {
		if a := h.as("ann", "POST", s.path, s.body); a.body != s.answer && s.body != "{}" {
			t.Errorf("%s was answered\n%s\nis\n%s", s.body, s.answer, a.body)
		}
	}
	if a := h.create(9, "quick", ""); a.code() != "quota_account" {
		t.Errorf("a third match: %d %s", a.status, a.body)
	}
}
