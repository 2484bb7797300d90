package polling

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/web"
	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/referee"
)

// mine finds the match of a request and the seat that its account has there.
func (t *Transport) mine(c *call) (*match, game.Seat, error) {
	id := c.r.PathValue("match")
	m, e, ok := t.find(id)
	if !ok {
		return nil, 0, gridarena.NewProblem(gridarena.CodeNotFound, "there is no such match")
	}
	if e.Match != "" {
		if e.Account != c.grant.Owner() {
			return nil, 0, gridarena.NewProblem(gridarena.CodeNotYourMatch, "this is a match of another account")
		}
		return m, game.Seat(e.Seat), nil
	}
	// One that the host began by itself: it is the agent's who sits there.
	m.mu.Lock()
	defer m.mu.Unlock()
	first := game.Spectator // of its seats the lowest, if it has several
	for i, s := range m.seats {
		if slug := s.Info().Agent.Slug; slug != "" && slug == c.grant.Agent.Slug && (first == game.Spectator || i < first) {
			first = i
		}
	}
	if first != game.Spectator {
		return m, first, nil
	}
	return nil, 0, gridarena.NewProblem(gridarena.CodeNotYourMatch, "this is a match of another agent")
}

// present gives what a seat may know of a match now. changed closes when that may
// be different; nil: it will not be any more.
func (t *Transport) present(ctx context.Context, m *match, seat game.Seat) (o *gridarena.Observation, changed <-chan struct{}, err error) {
	if s := m.comes(ctx, seat, comeTime); s != nil && !m.isOver() {
		if o, changed, err = m.look(ctx, s); err != nil || o.Status.Over() || !s.Running() {
			changed = nil
		}
		return o, changed, err
	}
	err = m.story.read(ctx, func() error {
		if m.story.play.End() == nil && !m.isOver() {
			return later(gridarena.CodeClosing, "the match does not run at the moment", 5*time.Second)
		}
		p, err := m.story.final(seat)
		if err != nil {
			return err
		}
		o, err = m.story.present(seat, p, referee.Time(t.o.Now().UnixMilli()))
		return err
	})
	return o, nil, err
}

// observe shows a seat its match. See [Transport] for how long.
func (t *Transport) observe(c *call) (*reply, error) {
	m, seat, err := t.mine(c)
	if err != nil {
		return nil, err
	}
	ctx := c.r.Context()
	o, changed, err := t.present(ctx, m, seat)
	if err != nil {
		return nil, err
	}
	if o.Status == gridarena.StatusAI {
		if wait := m.early(seat, c.now, t.o.Limits.Pace, o.Revision); wait > 0 {
			return nil, later(gridarena.CodePollPace, "while the opponent thinks, look every "+t.o.Limits.Pace.String(), wait)
		}
	}
	if wait := min(wish(c.r.Header), t.o.MaxWait); wait > 0 && changed != nil && t.waiters.enter(c.grant.Owner()) {
		defer t.waiters.leave(c.grant.Owner())
		c.w.Header().Set("Preference-Applied", "wait="+strconv.Itoa(int(wait/time.Second)))
		// The server's deadline is meant for shorter requests. One that has none sets none
		// for the next request either.
		if s, ok := c.r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.WriteTimeout > 0 {
			_ = http.NewResponseController(c.w).SetWriteDeadline(time.Now().Add(wait + s.WriteTimeout))
		}
		if o, err = t.hold(c, m, seat, o, changed, wait); err != nil {
			return nil, err
		}
	}
	return shown(http.StatusOK, o), nil
}

// hold waits until there is something new to show: another observation than the
// one that the request names, or, where it names none, the agent's turn or the end.
func (t *Transport) hold(c *call, m *match, seat game.Seat, o *gridarena.Observation, changed <-chan struct{}, wait time.Duration) (*gridarena.Observation, error) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	named := c.r.Header.Values("If-None-Match")
	fresh := func() bool {
		if len(named) > 0 {
			return !web.Matches(named, tagOf(o))
		}
		return o.Status != gridarena.StatusAI
	}
	for up := false; !up && !fresh() && changed != nil; {
		select {
		case <-changed:
		case <-timer.C:
			up = true
		case <-t.drained:
			up = true
		case <-c.r.Context().Done():
			return nil, c.r.Context().Err()
		}
		var err error
		if o, changed, err = t.present(c.r.Context(), m, seat); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// wish reads how long a request asks to be held: Prefer: wait=20 (RFC 7240). What
// cannot be read is no wish.
func wish(h http.Header) time.Duration {
	for _, field := range h.Values("Prefer") {
		for one := range strings.SplitSeq(field, ",") {
			one, _, _ = strings.Cut(one, ";")
			name, value, _ := strings.Cut(one, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "wait") {
				continue
			}
			n, err := strconv.ParseUint(strings.Trim(strings.TrimSpace(value), `"`), 10, 16)
			if err != nil && !errors.Is(err, strconv.ErrRange) { // which gives the most there is
				return 0
			}
			return time.Duration(n) * time.Second // the first one counts
		}
	}
	return 0
}

// tagOf is the entity tag of an observation: of all in it but serverTime and
// remainingMs, which never stand still. So it is a weak one (RFC 9110, section 8.8.1).
func tagOf(o *gridarena.Observation) string {
	h := fnv.New64a()
	var b []byte
	b = append(b, o.MatchID...)
	b = binary.BigEndian.AppendUint32(b, uint32(o.Revision))
	b = append(append(append(b, o.Status...), '/'), o.Reason...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(o.History)))
	h.Write(b)
	h.Write(o.View)
	return `W/"` + strconv.FormatUint(h.Sum64(), 36) + `"`
}

// maxHeld bounds the requests that are held at once.
const maxHeld = 16_384

// waiters counts the requests that are held.
type waiters struct {
	each int

	mu   sync.Mutex
	held map[string]int // by account
	all  int
}

// enter reports whether a request may be held; then leave must follow.
func (w *waiters) enter(account string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[account] >= w.each || w.all >= maxHeld {
		return false
	}
	w.held[account]++
	w.all++
	return true
}

func (w *waiters) leave(account string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all--
	if w.held[account]--; w.held[account] == 0 {
		delete(w.held, account)
	}
}
