package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const (
	hold    = 20 * time.Second // that the server is asked to hold a poll
	slowest = 15 * time.Second // between two attempts, at most
	maxBody = 4 << 20          // bytes of an answer
	day     = 24 * time.Hour   // the longest Retry-After that is believed
)

// API sends requests, each again and again until the server has answered it or
// patience is over.
type API struct {
	state             *State
	key               string
	timeout, patience time.Duration
	client            http.Client
}

func newAPI(s *State, key string, timeout, patience time.Duration) *API {
	a := &API{state: s, key: key, timeout: timeout, patience: patience}
	// A redirect would carry the key to wherever it points.
	a.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return a
}

// answer is what the server says.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// good tells whether the server has done what it was asked.
func (a *answer) good() bool { return a.status == http.StatusOK || a.status == http.StatusCreated }

// once sends a request once. The error says why there was no whole answer.
func (a *API) once(ctx context.Context, path string, payload []byte, wait time.Duration) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, a.timeout+wait)
	defer cancel()
	method := http.MethodGet
	if payload != nil {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, a.state.Base+"/api/benchmarks/matches"+path, bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+a.key)
	r.Header.Set("User-Agent", "grid-client-go/1")
	if payload != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if wait > 0 {
		r.Header.Set("Prefer", fmt.Sprintf("wait=%d", int(wait.Seconds())))
	}
	resp, err := a.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxBody {
		return nil, stop{strange, fmt.Sprintf("the server answered with more than %d bytes", maxBody)}
	}
	return &answer{resp.StatusCode, resp.Header, b}, nil
}

// call gives the answer to a request: JSON with the status 200 or 201, or one that
// trying again does not change.
func (a *API) call(ctx context.Context, path string, payload []byte, wait time.Duration) (*answer, error) {
	if err := a.keepAway(ctx); err != nil {
		return nil, err
	}
	began := time.Now()
	for tries := 1; ; tries++ {
		got, err := a.once(ctx, path, payload, wait)
		var why string
		var delay time.Duration
		var told bool
		var s stop
		switch {
		case errors.As(err, &s) || ctx.Err() != nil:
			return nil, errors.Join(err, ctx.Err())
		case err != nil:
			var u *url.Error
			if errors.As(err, &u) {
				err = u.Err
			}
			why = "no answer: " + plain(err.Error())
		case got.status == http.StatusTooManyRequests || got.status == http.StatusServiceUnavailable:
			why = fmt.Sprintf("the server says %d %s", got.status, complaint(got.body))
			delay, told = retryAfter(got.header, time.Now())
		case got.status == http.StatusRequestTimeout || got.status == http.StatusTooEarly || got.status >= 500:
			why = fmt.Sprintf("the server says %d %s", got.status, complaint(got.body))
		case got.good() && !json.Valid(got.body):
			why = "the server's answer is no JSON"
		default:
			return got, nil
		}
		if told {
			if err := a.remember(delay); err != nil {
				return nil, err
			}
		}
		delay = max(delay, pause(250*time.Millisecond, tries)) // 0 would be at once, again and again
		if time.Since(began)+delay > a.patience {
			return nil, stop{later, fmt.Sprintf("%s; run the same command again in %.0f s or later", why, math.Ceil(delay.Seconds()))}
		}
		say("%s; again in %.1f s", why, delay.Seconds())
		if err := sleep(ctx, delay); err != nil {
			return nil, err
		}
	}
}

// remember keeps a Retry-After for the next run.
func (a *API) remember(delay time.Duration) error {
	a.state.NotBefore = time.Now().Add(delay + time.Millisecond).UnixMilli()
	return a.state.save()
}

// keepAway keeps a Retry-After that an earlier run was given.
func (a *API) keepAway(ctx context.Context) error {
	left := min(time.Until(time.UnixMilli(a.state.NotBefore)), day)
	if left > a.patience {
		return stop{later, fmt.Sprintf("the server asked for patience; run the same command again in %.0f s or later", math.Ceil(left.Seconds()))}
	}
	return sleep(ctx, left)
}

// pause is how long to wait before try number n: ever longer, and somewhat random,
// so that not all clients of a server that comes back come at once.
func pause(first time.Duration, n int) time.Duration {
	longest := min(slowest, first<<min(n, 10))
	return longest/2 + rand.N(longest/2)
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// retryAfter reads a Retry-After header, seconds or a date; false where it is neither.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value != "" && strings.Trim(value, "0123456789") == "" {
		n, _ := strconv.ParseUint(value, 10, 64) // the largest there is where it is larger
		return time.Duration(min(n, uint64(day/time.Second))) * time.Second, true
	}
	then, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if t, err := http.ParseTime(h.Get("Date")); err == nil {
		now = t // the server's own clock counts, whatever ours says
	}
	return min(max(0, min(then.Sub(now), day)+time.Second), day), true // dates have whole seconds
}

// complaint gives the code and detail of a problem document, as far as there are any.
func complaint(body []byte) string {
	var p struct{ Code, Detail string }
	if json.Unmarshal(body, &p) != nil {
		return ""
	}
	return plain(strings.TrimSpace(p.Code + " " + p.Detail))
}

// plain makes one printable line of what came from outside.
func plain(s string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > 300 {
			return -1
		}
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
