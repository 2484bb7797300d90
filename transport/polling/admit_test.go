package polling

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/protocol/gridarena"
)

// desk is an admission with a clock that is set.
type desk struct {
	*Admission
	t     testing.TB
	store Store
	now   time.Time
}

func newDesk(t testing.TB, l Limits, s Store) *desk {
	t.Helper()
	d := &desk{t: t, store: s, now: noon}
	d.open(l)
	return d
}

// open begins with what the store holds, as after a restart.
func (d *desk) open(l Limits) {
	d.t.Helper()
	if err := l.validate(); err != nil {
		d.t.Fatal(err)
	}
	l.fill()
	a, err := newAdmission(d.t.Context(), l, d.store, func() time.Time { return d.now })
	if err != nil {
		d.t.Fatal(err)
	}
	d.Admission = a
}

// want is a request, at the time that it is.
func (d *desk) want(account, request, opponent string) Entry {
	e := entryOf(account, request)
	e.Opponent, e.Heavy = opponent, strings.HasPrefix(opponent, "hell")
	e.Created, e.Expires = d.now, d.now.Add(time.Hour)
	return e
}

// begin begins a match, or says why not: "code, seconds until it is worth trying again".
func (d *desk) begin(account, request, opponent string) string {
	d.t.Helper()
	r, err := d.reserve(d.t.Context(), d.want(account, request, opponent), opponent == "hell_v3")
	if p := (*gridarena.Problem)(nil); errors.As(err, &p) {
		return fmt.Sprintf("%d %s %v", p.Status, p.Code, p.RetryAfter)
	}
	if err != nil {
		d.t.Fatal(err)
	}
	if r.again {
		return "again " + r.Match
	}
	if err := r.commit(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	return "begun"
}

// end ends a match of an account.
func (d *desk) end(account, request string) {
	d.t.Helper()
	if err := d.ended(d.t.Context(), account+"-"+request, "completed"); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) expect(got, want string) {
	d.t.Helper()
	if got != want {
		d.t.Errorf("%s, not %s", got, want)
	}
}

// bothStores runs a test with each store; again opens it as a new process does.
func bothStores(t *testing.T, f func(t *testing.T, s Store, again func() Store)) {
	t.Run("memory", func(t *testing.T) {
		s := new(MemoryStore)
		f(t, s, func() Store { return s })
	})
	t.Run("file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "matches.jsonl")
		s := openStore(t, path, nil)
		f(t, s, func() Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s = openStore(t, path, nil)
			return s
		})
	})
}

// TestDefaults: the limits of the document are those of the zero value, and a restart forgets none of what was counted.
func TestDefaults(t *testing.T) {
	bothStores(t, func(t *testing.T, s Store, again func() Store) {
		d := newDesk(t, Limits{Heavy: true}, s)
		restart := func() {
			d.store = again()
			d.open(Limits{Heavy: true})
		}
		d.expect(d.begin("ann", "1", "casual"), "begun")
		d.expect(d.begin("ann", "2", "casual"), "429 active_account 1m0s")
		restart()
		d.expect(d.begin("ann", "2", "casual"), "429 active_account 1m0s")
		d.expect(d.begin("ann", "1", "casual"), "again ann-1")
		d.end("ann", "1")
		d.expect(d.begin("ann", "2", "casual"), "begun")
		restart()
		d.end("ann", "2")
		d.end("ann", "2") // again: nothing
		d.expect(d.begin("ann", "3", "casual"), "429 quota_account 12h0m0s")
		restart()
		d.expect(d.begin("ann", "3", "casual"), "429 quota_account 12h0m0s")

		d.expect(d.begin("bob", "1", "hell_v2"), "begun")
		d.expect(d.begin("cat", "1", "hell_v2"), "begun")
		restart()
		d.expect(d.begin("dan", "1", "hell_v2"), "429 quota_heavy 12h0m0s")
		d.expect(d.begin("dan", "1", "hard"), "begun")
		d.expect(d.begin("eve", "1", "hard"), "begun")
		d.expect(d.begin("fay", "1", "hard"), "503 full 1m0s")
		d.now = d.now.Add(59*time.Minute + 50*time.Second)
		d.expect(d.begin("fay", "1", "hard"), "503 full 10s")
		d.now = noon.Add(time.Hour + 59*time.Second)
		d.expect(d.begin("fay", "1", "hard"), "503 full 1s")
		d.now = noon.Add(time.Hour + time.Minute) // nobody said that they are over, but they must be
		d.expect(d.begin("fay", "1", "hard"), "begun")
		for _, account := range []string{"gus", "hal", "ida"} {
			d.expect(d.begin(account, "1", "hard"), "begun")
		}
		for _, account := range []string{"fay", "gus", "hal", "ida"} {
			d.end(account, "1")
		}
		d.expect(d.begin("jim", "1", "hard"), "begun")
		d.expect(d.begin("jon", "1", "hard"), "begun")
		d.end("jon", "1")
		d.expect(d.begin("kim", "1", "hard"), "429 quota_global 10h59m0s")
		restart()
		d.now = time.Date(2026, 11, 30, 23, 59, 59, 0, time.UTC)
		d.expect(d.begin("kim", "1", "hard"), "429 quota_global 1s")
		d.now = d.now.Add(time.Second) // the next day
		d.expect(d.begin("kim", "1", "hell_v2"), "begun")
		d.expect(d.begin("ann", "3", "casual"), "begun")
	})
}

// TestSwitches: who may begin nothing hears why, but of what was granted before.
func TestSwitches(t *testing.T) {
	d := newDesk(t, Limits{Gate: func(account, opponent string) bool { return account == "ann" && opponent == "hell_v3" }}, new(MemoryStore))
	d.expect(d.begin("ann", "1", "hell_v2"), "503 heavy_off 1h0m0s")
	d.AllowHeavy(true)
	d.expect(d.begin("bob", "1", "hell_v3"), "403 gated 0s")
	d.expect(d.begin("ann", "1", "hell_v3"), "begun")
	d.AllowHeavy(false)
	d.expect(d.begin("cat", "1", "hell_v2"), "503 heavy_off 1h0m0s")
	d.Pause(time.Time{})
	d.expect(d.begin("cat", "1", "casual"), "503 paused 5m0s")
	d.Pause(d.now.Add(20 * time.Minute))
	d.expect(d.begin("cat", "1", "casual"), "503 paused 20m0s")
	d.now = d.now.Add(30 * time.Minute) // it is still paused
	d.expect(d.begin("cat", "1", "casual"), "503 paused 5m0s")
	d.expect(d.begin("ann", "1", "hell_v3"), "again ann-1")
	other := d.want("ann", "1", "hell_v3")
	other.Payload = "beef"
	if _, err := d.reserve(t.Context(), other, true); err == nil || err.(*gridarena.Problem).Code != gridarena.CodeIDReused || err.(*gridarena.Problem).Status != 409 {
		t.Error(err)
	}
	d.Resume()
	d.expect(d.begin("cat", "1", "casual"), "begun")
	d.open(Limits{Paused: true})
	d.expect(d.begin("bob", "1", "casual"), "503 paused 5m0s")
	d.expect(newDesk(t, Limits{Heavy: true}, new(MemoryStore)).begin("ann", "1", "hell_v3"), "403 gated 0s")
}

// TestCancel: what did not begin costs nothing, also when the store fails.
func TestCancel(t *testing.T) {
	bothStores(t, func(t *testing.T, s Store, again func() Store) {
		d := newDesk(t, Limits{}, s)
		for i := range 5 {
			r, err := d.reserve(t.Context(), d.want("ann", fmt.Sprint(i), "casual"), false)
			if err != nil {
				t.Fatal(err)
			}
			if got := d.begin("ann", "x", "casual"); got != "429 active_account 1m0s" {
				t.Errorf("while it begins: %s", got)
			}
			if err := r.cancel(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if kept := loaded(t, again()); len(kept) > 0 {
			t.Errorf("%v", kept)
		}
		store := &failing{Store: again()}
		d.store = store
		d.open(Limits{})
		store.fails = true
		for i := range 5 {
			if _, err := d.reserve(t.Context(), d.want("ann", fmt.Sprint(i), "casual"), false); !errors.Is(err, errFull) {
				t.Error(err)
			}
		}
		store.fails = false
		d.expect(d.begin("ann", "1", "casual"), "begun")
		store.fails = true
		if err := d.ended(t.Context(), "ann-1", "completed"); !errors.Is(err, errFull) {
			t.Error(err)
		}
		store.fails = false
		d.expect(d.begin("ann", "2", "casual"), "begun")
	})
}

// failing is a store that fails when it is told to.
type failing struct {
	Store
	fails bool
}

var errFull = errors.New("disk full")

func (s *failing) Put(ctx context.Context, e Entry) error {
	if s.fails {
		return errFull
	}
	return s.Store.Put(ctx, e)
}

func (s *failing) Remove(ctx context.Context, matches ...string) error {
	if s.fails {
		return errFull
	}
	return s.Store.Remove(ctx, matches...)
}

// slow is a store that takes a second.
type slow struct{ MemoryStore }

func (s *slow) Put(ctx context.Context, e Entry) error {
	<-time.After(time.Second)
	return s.MemoryStore.Put(ctx, e)
}

// TestParallel: of one account's requests at once one begins, and one request begins one match however often it is sent.
func TestParallel(t *testing.T) {
	for _, test := range []struct {
		name  string
		ids   int // different requests among 50
		fails int // of the attempts to begin, the first ones
		begun int
	}{{"one request", 1, 0, 1}, {"one request that fails at first", 1, 3, 4}, {"two requests", 2, 0, 1}, {"50 requests", 50, 0, 1}} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk(t, Limits{}, new(slow))
				d.now = time.Now()
				var mu sync.Mutex
				var begun, again, refused int
				ids := map[string]bool{}
				var wg sync.WaitGroup
				for i := range 50 {
					wg.Go(func() {
						want := d.want("ann", fmt.Sprint(i%test.ids), "casual")
						want.Match = fmt.Sprint("match-", i)
						r, err := d.reserve(t.Context(), want, false)
						mu.Lock()
						defer mu.Unlock()
						switch {
						case err != nil:
							if err.(*gridarena.Problem).Code != gridarena.CodeActiveAccount {
								t.Error(err)
							}
							refused++
							return
						case r.again:
							again++
							ids[r.Match] = true
							return
						}
						begun++
						n := begun
						mu.Unlock()
						time.Sleep(time.Second) // it takes time to begin
						if n <= test.fails {
							err = r.cancel(t.Context())
						} else {
							err = r.commit(t.Context())
						}
						mu.Lock()
						if err != nil {
							t.Error(err)
						}
						if n > test.fails {
							ids[r.Match] = true
						}
					})
				}
				wg.Wait()
				if begun != test.begun || len(ids) != 1 || begun+again+refused != 50 || again == 0 && test.ids == 1 || refused > 0 && test.ids == 1 {
					t.Errorf("%d begun, %d again, %d refused, matches %v", begun, again, refused, ids)
				}
				kept := loaded(t, d.store)
				if len(kept) != 1 || d.today.total != 1 || d.today.starts["ann"] != 1 {
					t.Errorf("%d kept, %+v", len(kept), d.today)
				}
				for id, e := range kept {
					if !ids[id] || e.State != Begun {
						t.Errorf("%+v, not %v", e, ids)
					}
				}
			})
		})
	}
}

// TestWaits: who waits for what becomes of the same request stops with its context.
func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, Limits{}, new(MemoryStore))
		r, err := d.reserve(t.Context(), d.want("ann", "1", "casual"), false)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := d.reserve(ctx, d.want("ann", "1", "casual"), false); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		other := d.want("ann", "1", "casual")
		other.Payload = "beef"
		if _, err := d.reserve(t.Context(), other, false); err == nil || err.(*gridarena.Problem).Code != gridarena.CodeIDReused {
			t.Error(err)
		}
		if err := r.commit(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// TestEndedFirst: a match may be over before its beginning is committed, and stays so.
func TestEndedFirst(t *testing.T) {
	for _, finish := range []func(*reservation, context.Context) error{(*reservation).commit, (*reservation).cancel} {
		store := new(MemoryStore)
		d := newDesk(t, Limits{}, store)
		r, err := d.reserve(t.Context(), d.want("ann", "1", "casual"), false)
		if err != nil {
			t.Fatal(err)
		}
		d.end("ann", "1")
		if err := finish(r, t.Context()); err != nil {
			t.Fatal(err)
		}
		if e := loaded(t, store)["ann-1"]; e.State != Over || e.Outcome != "completed" || !e.Ended.Equal(noon) {
			t.Errorf("%+v", e)
		}
		if e, ok := d.entry("ann-1"); !ok || e.State != Over || d.today.total != 1 {
			t.Errorf("%+v %v %+v", e, ok, d.today)
		}
		if r := d.recent(10); len(r) != 1 {
			t.Errorf("%+v", r)
		}
	}
}

// TestSettle: after a restart the records say what became of each match.
func TestSettle(t *testing.T) {
	bothStores(t, func(t *testing.T, s Store, again func() Store) {
		states := map[string]State{"reserved": Reserved, "begun": Begun, "over": Over}
		for was, from := range states {
			if from == Over {
				continue
			}
			for is := range states {
				e := entryOf(was, is)
				e.State = from
				if err := s.Put(t.Context(), e); err != nil {
					t.Fatal(err)
				}
			}
			e := entryOf(was, "unknown")
			e.State = from
			if err := s.Put(t.Context(), e); err != nil {
				t.Fatal(err)
			}
		}
		d := newDesk(t, Limits{}, s)
		unreadable := errors.New("unreadable")
		err := d.settle(t.Context(), func(_ context.Context, e Entry) (State, time.Time, string, error) {
			if e.Request == "unknown" {
				return 0, time.Time{}, "", unreadable
			}
			return states[e.Request], noon.Add(time.Minute), "expired", nil
		})
		if !errors.Is(err, unreadable) || strings.Count(err.Error(), "unreadable") != 2 {
			t.Error(err)
		}
		want := map[string]Entry{}
		for _, id := range []string{"reserved-begun", "reserved-over", "reserved-unknown", "begun-begun", "begun-over", "begun-unknown"} {
			was, is, _ := strings.Cut(id, "-")
			e := entryOf(was, is)
			switch is {
			case "unknown":
				e.State = states[was]
			case "over":
				e.State, e.Ended, e.Outcome = Over, noon.Add(time.Minute), "expired"
			default:
				e.State = Begun
			}
			want[id] = e
		}
		if diff := cmp.Diff(want, loaded(t, again())); diff != "" {
			t.Error(diff)
		}
		if n, _ := d.playing(noon, ""); n != 4 {
			t.Errorf("%d play", n)
		}
	})
}

// TestSweep: matches go when their retention is over, and not before; one whose record cannot be removed stays.
func TestSweep(t *testing.T) {
	bothStores(t, func(t *testing.T, s Store, again func() Store) {
		d := newDesk(t, Limits{Starts: 100, Active: 100, ActiveTotal: 100, StartsTotal: 100}, s)
		for i := range 4 {
			d.now = noon.Add(time.Duration(i) * time.Minute)
			d.expect(d.begin("ann", fmt.Sprint(i), "casual"), "begun")
		}
		for _, i := range []string{"2", "0", "1"} { // 3 never ends, as far as anybody heard
			d.now = d.now.Add(time.Minute)
			d.end("ann", i)
		}
		var recent []string
		for _, e := range d.recent(2) {
			recent = append(recent, e.Request)
		}
		if !slices.Equal(recent, []string{"1", "0"}) {
			t.Error(recent)
		}
		sweep := func(at time.Time, fails string) string {
			d.now = at
			var asked []string
			n, err := d.sweep(t.Context(), func(_ context.Context, e Entry) error {
				asked = append(asked, e.Request)
				if e.Request == fails {
					return errFull
				}
				return nil
			})
			return fmt.Sprintf("%d of %v, %v", n, asked, errors.Is(err, errFull))
		}
		month := 30 * 24 * time.Hour
		d.expect(sweep(noon.Add(month+4*time.Minute), ""), "0 of [], false")
		d.expect(sweep(noon.Add(month+4*time.Minute+1), "2"), "0 of [2], true")
		d.expect(sweep(noon.Add(month+6*time.Minute), "2"), "1 of [2 0], true")
		d.expect(sweep(noon.Add(month+7*time.Minute), ""), "2 of [2 1], false")
		d.expect(sweep(noon.Add(month+time.Hour+2*time.Minute), ""), "0 of [], false")
		d.store = again()
		d.open(Limits{})
		if kept := loaded(t, d.store); len(kept) != 1 || kept["ann-3"].State != Begun {
			t.Errorf("%+v", kept)
		}
		d.expect(sweep(noon.Add(month+time.Hour+4*time.Minute), ""), "1 of [3], false")
	})
}

// TestRecent: the order is that of the ends, as the records tell them after a restart, and not that of hearing of them.
func TestRecent(t *testing.T) {
	d := newDesk(t, Limits{Starts: 9, Active: 9, ActiveTotal: 9}, new(MemoryStore))
	for i := range 3 {
		d.expect(d.begin("ann", fmt.Sprint(i), "casual"), "begun")
	}
	d.now = noon.Add(2 * time.Minute)
	d.end("ann", "2")
	err := d.settle(t.Context(), func(_ context.Context, e Entry) (State, time.Time, string, error) {
		return Over, noon.Add(map[string]time.Duration{"0": 3 * time.Minute, "1": time.Minute}[e.Request]), "completed", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got []string
		for _, e := range d.recent(9) {
			got = append(got, e.Request)
		}
		if !slices.Equal(got, []string{"0", "2", "1"}) {
			t.Error(got)
		}
		d.open(Limits{})
	}
}

// TestLoad: a store that holds what cannot be is refused.
func TestLoad(t *testing.T) {
	for _, bad := range []func(*MemoryStore){
		func(s *MemoryStore) { s.entries = map[string]Entry{"x": {Match: "x"}} },
		func(s *MemoryStore) {
			a, b := entryOf("ann", "1"), entryOf("ann", "1")
			b.Match = "other"
			a.State, b.State = Begun, Begun // one of two that are reserved may be left over
			s.entries = map[string]Entry{"a": a, "b": b}
		},
	} {
		s := new(MemoryStore)
		bad(s)
		if a, err := newAdmission(t.Context(), Limits{}, s, time.Now); err == nil {
			t.Errorf("%+v", a)
		}
	}
}

// TestQuotas holds the counting against a list of all that happened.
func TestQuotas(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		store := new(MemoryStore)
		l := Limits{Starts: 3, Active: 2, ActiveTotal: 3, StartsTotal: 6, HeavyTotal: 2, Heavy: true}
		d := newDesk(t, l, store)
		type begun struct {
			Entry
			over bool
		}
		var all []*begun
		n := 0
		count := func(f func(*begun) bool) (n int) {
			for _, b := range all {
				if f(b) {
					n++
				}
			}
			return n
		}
		today := func(b *begun) bool { return b.Created.Format(time.DateOnly) == d.now.Format(time.DateOnly) }
		plays := func(b *begun) bool { return !b.over && d.now.Before(b.Expires.Add(time.Minute)) }
		rt.Repeat(map[string]func(*rapid.T){
			"begin": func(rt *rapid.T) {
				n++
				account := rapid.SampledFrom([]string{"ann", "bob", "cat"}).Draw(rt, "account")
				opponent := rapid.SampledFrom([]string{"casual", "hell_v2"}).Draw(rt, "opponent")
				heavy := opponent == "hell_v2"
				want := "begun"
				switch {
				case count(func(b *begun) bool { return today(b) && b.Account == account }) >= 3:
					want = "quota_account"
				case count(today) >= 6:
					want = "quota_global"
				case heavy && count(func(b *begun) bool { return today(b) && b.Heavy }) >= 2:
					want = "quota_heavy"
				case count(func(b *begun) bool { return plays(b) && b.Account == account }) >= 2:
					want = "active_account"
				case count(plays) >= 3:
					want = "full"
				}
				got := d.begin(account, fmt.Sprint(n), opponent)
				if !strings.Contains(got, want) {
					rt.Fatalf("%s, not %s", got, want)
				}
				if got == "begun" {
					all = append(all, &begun{d.want(account, fmt.Sprint(n), opponent), false})
				}
			},
			"end": func(rt *rapid.T) {
				if len(all) == 0 {
					rt.Skip()
				}
				b := rapid.SampledFrom(all).Draw(rt, "match")
				d.end(b.Account, b.Request)
				b.over = true
			},
			"pass": func(rt *rapid.T) {
				d.now = d.now.Add(time.Duration(rapid.SampledFrom([]int{1, 30, 62, 600}).Draw(rt, "minutes")) * time.Minute)
			},
			"restart": func(*rapid.T) { d.open(l) },
		})
	})
}
