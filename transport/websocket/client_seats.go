package websocket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
)

type seatKey struct {
	match string
	seat  game.Seat
}

// thought is about the last request of a seat: being played, or played. The
// client's mutex guards it.
type thought struct {
	seq   int64
	asked time.Time // last
	until time.Time // when the time for it is over; zero: no limit is known
	end   *time.Timer
	drop  context.CancelCauseFunc

	owed   *link                // on which an answer is waited for; nil: nowhere
	frame  []byte               // the answer; nil: none yet
	failed bool                 // there will be none
	again  *ludux.ActionRequest // came with more time after the time was over; nil: none did
}

// asked takes up a request that came on l.
func (c *Client) asked(l *link, m *ludux.ActionRequest) {
	key, now := seatKey{m.MatchID, m.Seat}, time.Now()
	c.mu.Lock()
	t := c.seats[key]
	if t != nil && t.seq == m.Seq && !t.failed {
		t.asked, t.owed = now, l
		t.extend(now, m)
		l.offer(t)
		c.mu.Unlock()
		return
	}
	if t == nil && !c.room() {
		c.mu.Unlock()
		c.o.Failed(&PlayError{m, fmt.Errorf("%d matches are open already", c.o.Matches)})
		return
	}
	if t != nil {
		c.remove(key, t)
	}
	ctx, cancel := context.WithCancelCause(c.ctx)
	t = &thought{seq: m.Seq, asked: now, drop: cancel, owed: l}
	var timed context.Context = ctx
	if m.Deadline > 0 {
		t.until = now.Add(m.Deadline)
		t.end = time.AfterFunc(m.Deadline, func() { cancel(context.DeadlineExceeded) })
		timed = deadlineContext{ctx, t.until}
	}
	c.seats[key] = t
	c.wg.Add(1)
	c.mu.Unlock()
	go c.think(timed, t, m)
}

// deadlineContext tells a deadline that its maker keeps.
type deadlineContext struct {
	context.Context
	deadline time.Time
}

func (c deadlineContext) Deadline() (time.Time, bool) { return c.deadline, true }

// extend gives a thought the time that is left by a later delivery, which is more
// than was known where the arena was down meanwhile and started the clock anew.
// One that is over already, and has not noticed yet, is to be had again.
func (t *thought) extend(now time.Time, m *ludux.ActionRequest) {
	until := now.Add(m.Deadline)
	if t.end == nil || t.frame != nil || !until.After(t.until) {
		return
	}
	t.until = until
	if t.again == nil && t.end.Stop() {
		t.end.Reset(m.Deadline)
		return
	}
	t.again = m
}

// think plays a request, and hands the answer to whoever waits for it.
func (c *Client) think(ctx context.Context, t *thought, m *ludux.ActionRequest) {
	defer c.wg.Done()
	frame, err := c.answer(ctx, m)
	c.mu.Lock()
	if t.end != nil {
		t.end.Stop()
	}
	t.frame, t.failed = frame, err != nil
	withdrawn := c.seats[seatKey{m.MatchID, m.Seat}] != t || c.ctx.Err() != nil
	if !withdrawn {
		c.link.offer(t)
	}
	again, owed, left := t.again, t.owed, time.Until(t.until)
	c.mu.Unlock()
	t.drop(nil)
	if err == nil || withdrawn {
		return
	}
	c.o.Failed(&PlayError{m, err})
	if again != nil && left > 0 {
		m := *again
		m.Deadline = left
		c.asked(owed, &m)
	}
}

// answer plays a request when it is its turn, and gives the frame that answers it.
func (c *Client) answer(ctx context.Context, m *ludux.ActionRequest) (frame []byte, err error) {
	select {
	case c.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { <-c.slots }()
	defer func() {
		if p := recover(); p != nil {
			frame, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	if ctx.Err() != nil { // it may have ended together with the wait
		return nil, context.Cause(ctx)
	}
	r, err := c.play(ctx, m)
	if err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return responseFrame(m, r)
}

// responseFrame makes a frame of what was played, for the request that it answers.
func responseFrame(m *ludux.ActionRequest, r *ludux.ActionResponse) ([]byte, error) {
	switch {
	case r == nil:
		return nil, errors.New("no response, and no error")
	case !json.Valid([]byte(r.Action)):
		return nil, errors.New("the action is no JSON")
	}
	frame := m.Respond(r.Action, cut(r.Commentary, ludux.MaxCommentary)).Append(nil)
	if _, err := ludux.DecodeFromAgent(frame); err != nil { // as the arena would
		return nil, err
	}
	return frame, nil
}

// cut gives the first n code points of a text.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// forget drops the seats of a match that has ended.
func (c *Client) forget(match string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, t := range c.seats {
		if key.match == match {
			c.remove(key, t)
		}
	}
}

// remove drops a seat. The mutex is held.
func (c *Client) remove(key seatKey, t *thought) {
	t.drop(ErrWithdrawn)
	delete(c.seats, key)
	if l := c.link; l != nil {
		l.queue = slices.DeleteFunc(l.queue, func(q *thought) bool { return q == t })
	}
}

// room reports whether one more seat can be kept in mind, after the one that was
// answered longest ago is forgotten if need be. The mutex is held.
func (c *Client) room() bool {
	if len(c.seats) < c.o.Matches {
		return true
	}
	var oldest seatKey
	var found *thought
	for key, t := range c.seats {
		if done := t.failed || t.frame != nil; done && (found == nil || t.asked.Before(found.asked)) {
			oldest, found = key, t
		}
	}
	if found == nil {
		return false
	}
	c.remove(oldest, found)
	return true
}

// held is how long nothing is to be sent.
func (c *Client) held() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return max(0, time.Until(c.hold))
}

// slower holds back what is sent for as long as the arena asks, and sends the
// answer again that it did not take.
func (c *Client) slower(l *link, m *ludux.Error) {
	wait := min(m.RetryAfter, longest)
	if wait <= 0 {
		wait = unspoken
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = time.Now().Add(wait)
	for key, t := range c.seats {
		if key.match == m.MatchID && t.seq == m.Seq && t.frame != nil {
			t.owed = l
			l.offer(t)
		}
	}
}
