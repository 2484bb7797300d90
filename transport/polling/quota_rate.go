package polling

import (
	"container/list"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// throttle bounds the requests of many, each by its name. Safe for concurrent use.
type throttle struct {
	rate Rate
	max  int

	mu      sync.Mutex
	buckets map[string]*list.Element
	order   *list.List // of *bucket, the one that was silent longest last
}

type bucket struct {
	who string
	*rate.Limiter
}

// newThrottle keeps at most so many in mind. Whoever is forgotten begins anew,
// which is no more than a new name gives anybody.
func newThrottle(r Rate, tracked int) *throttle {
	return &throttle{rate: r, max: tracked, buckets: map[string]*list.Element{}, order: list.New()}
}

// take says how long to wait with a request, 0 where it is granted; one that is
// not granted does not count.
func (t *throttle) take(now time.Time, who string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.bucket(who)
	if b.AllowN(now, 1) {
		return 0
	}
	missing := 1 - b.TokensAt(now)
	return max(1, time.Duration(math.Ceil(missing/t.rate.PerSecond*float64(time.Second))))
}

func (t *throttle) bucket(who string) *bucket {
	if e := t.buckets[who]; e != nil {
		t.order.MoveToFront(e)
		return e.Value.(*bucket)
	}
	if t.order.Len() >= t.max {
		last := t.order.Remove(t.order.Back()).(*bucket)
		delete(t.buckets, last.who)
	}
	b := &bucket{who, rate.NewLimiter(rate.Limit(t.rate.PerSecond), t.rate.Burst)}
	t.buckets[who] = t.order.PushFront(b)
	return b
}
