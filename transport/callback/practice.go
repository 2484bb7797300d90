package callback

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/internal/web"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
)

// PracticeOptions configure the handler of Practice. Transport, Games and House
// are required.
type PracticeOptions struct {
	// Transport calls the agents, under its own address rules, and speaks agentarena/1. Requests of
	// practice matches give way: where the URL is that of a registered agent, its
	// own matches go first, and of all practice matches at one host and port one has
	// a request open at a time. Waiting costs no time of the agent's clock.
	Transport *Transport
	// Games are what can be practised, by the names that requests use, each with its default ruleset and
	// its fewest seats, two if it allows.
	Games map[string]game.Game
	// House gives the player on every other seat; false: there is no such one.
	House func(game, name string) (referee.Player, bool)
	// Config is what the matches need of the host. Log is not used.
	Config referee.Config
	// Source says who sent a request; each source has one match at a time. nil:
	// the address that it came from, of IPv6 the first 64 bits. Behind a proxy
	// that is the proxy's: give a function that knows better.
	Source func(*http.Request) string
	// MaxTime ends a match, whole seconds up to an hour. 0: 10 minutes.
	MaxTime time.Duration
	// Concurrent is how many matches run at once. 0: 16.
	Concurrent int
}

func (o *PracticeOptions) validate() error {
	var errs []error
	bad := func(field, format string, args ...any) {
		errs = append(errs, fmt.Errorf("callback: %s: %s", field, fmt.Sprintf(format, args...)))
	}
	if o.Transport == nil {
		bad("Transport", "required")
	} else if o.Transport.o.Signed != nil {
		bad("Transport", "signs its requests, and strangers have no secrets")
	}
	if len(o.Games) == 0 {
		bad("Games", "required")
	}
	for _, name := range slices.Sorted(maps.Keys(o.Games)) {
		if g := o.Games[name]; g == nil {
			bad("Games", "%s is nil", name)
		} else if _, err := practiceSetup(g, time.Minute, 0, ""); err != nil {
			bad("Games", "%s: %v", name, err)
		}
	}
	if o.House == nil {
		bad("House", "required")
	}
	if o.MaxTime < 0 || o.MaxTime > time.Hour || o.MaxTime%time.Second != 0 {
		bad("MaxTime", "%v is not whole seconds up to an hour", o.MaxTime)
	}
	if o.Concurrent < 0 {
		bad("Concurrent", "%d is negative", o.Concurrent)
	}
	return errors.Join(errs...)
}

// Practice makes the handler of POST /practice: it plays one match, unrated, of
// the agent at a URL against house players, and answers with its record.
//
// The request is a JSON object with the members url, game, house and seat (0
// where left out). Its Content-Type must be application/json, and its body come
// within 10 s. The answer has status 200 and the record as
// application/jsonl, however the match ended; it comes when the match has. The
// match ends with the client's request, and after MaxTime. Errors are problem documents (RFC
// 9457) with a code, and one entry in errors for each bad member. Errors of
// Practice name the bad options.
func Practice(o PracticeOptions) (http.Handler, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Source == nil {
		o.Source = func(r *http.Request) string { return web.Source(r) }
	}
	if o.MaxTime == 0 {
		o.MaxTime = 10 * time.Minute
	}
	if o.Concurrent == 0 {
		o.Concurrent = 16
	}
	return &practiceHandler{o: o, busy: map[string]bool{}}, nil
}

type practiceHandler struct {
	o PracticeOptions

	mu   sync.Mutex
	busy map[string]bool // sources with a match
}

// ServeHTTP plays one match.
func (h *practiceHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, bad := h.read(w, r)
	if bad == nil {
		var free func()
		if free, bad = h.admit(h.o.Source(r)); bad == nil {
			defer free()
		}
	}
	if bad != nil {
		bad.Write(w)
		return
	}
	u, err := h.o.Transport.check(r.Context(), p.url)
	if err != nil {
		if r.Context().Err() == nil {
			urlProblem(err).Write(w)
		}
		return
	}
	// The server's deadlines are meant for shorter requests.
	c, end := http.NewResponseController(w), time.Now().Add(h.o.MaxTime+time.Minute)
	_, _ = c.SetReadDeadline(end), c.SetWriteDeadline(end) // some servers have none
	record, err := h.play(r.Context(), p, u)
	if err != nil {
		if r.Context().Err() == nil {
			(&web.Problem{Status: http.StatusServiceUnavailable, Code: "unavailable", Detail: "the match could not be played"}).Write(w)
		}
		return
	}
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Cache-Control", "no-store")
	w.Write(record)
}

// admit takes a place for a source.
func (h *practiceHandler) admit(source string) (free func(), bad *web.Problem) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.busy[source] {
		return nil, &web.Problem{Status: http.StatusTooManyRequests, Code: "busy", Detail: "one practice match at a time; yours is still running", Retry: 10 * time.Second}
	}
	if len(h.busy) >= h.o.Concurrent {
		return nil, &web.Problem{Status: http.StatusServiceUnavailable, Code: "full", Detail: "too many practice matches at the moment", Retry: 30 * time.Second}
	}
	h.busy[source] = true
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.busy, source)
	}, nil
}

// play gives the record of a match.
func (h *practiceHandler) play(ctx context.Context, p practiceRequest, u *url.URL) ([]byte, error) {
	s, err := practiceSetup(h.o.Games[p.game], h.o.MaxTime, p.seat, p.house)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, h.o.MaxTime+30*time.Second) // the clock's expiry comes first
	defer cancel()
	players := make([]referee.Player, len(s.Seats))
	guest := h.o.Transport.guest(u)
	defer h.o.Transport.guests.drop(guest.a)
	for i := range players {
		if i == p.seat {
			players[i] = guest
		} else if house, ok := h.o.House(p.game, p.house); ok && house != nil {
			players[i] = house
		} else {
			return nil, fmt.Errorf("callback: there is no house player %q any more", p.house)
		}
	}
	log := new(referee.Memory)
	c := h.o.Config
	c.Log = log
	if _, err := (&referee.Local{Config: c}).Play(ctx, s, players...); err != nil {
		return nil, err
	}
	return log.Bytes(), nil
}

// practiceSetup is a match with the agent on seat.
func practiceSetup(g game.Game, maxTime time.Duration, seat int, house string) (referee.Setup, error) {
	table, err := g.Table(nil)
	if err != nil {
		return referee.Setup{}, err
	}
	var id [10]byte
	rand.Read(id[:])
	s := referee.Setup{ID: "practice-" + hex.EncodeToString(id[:]), Table: table, Seats: make([]referee.SeatInfo, practiceSeats(table.Info()))}
	rand.Read(s.Secret[:])
	rand.Read(s.Salt[:])
	policy, clock := agentarena.Policy(len(s.Seats))
	clock.Expiry = maxTime
	for i := range s.Seats {
		if i == seat {
			s.Seats[i] = referee.SeatInfo{Agent: referee.Agent{Slug: "practice", Name: "practice"}, Transport: "callback", Policy: policy, Clock: clock}
		} else {
			s.Seats[i] = referee.SeatInfo{Agent: referee.Agent{Slug: "house", Name: house, House: true}, Transport: "local"}
		}
	}
	_, err = referee.New(s)
	return s, err
}

func practiceSeats(i game.Info) int { return max(i.MinSeats, min(2, i.MaxSeats)) }

// guest gives a player for a URL that was checked.
func (t *Transport) guest(u *url.URL) *player {
	a := &agent{slug: "practice", guest: true, gate: make(chan struct{}, 1), pool: &t.guests}
	a.to.Store(newTarget(u))
	return &player{t, a, referee.Agent{Slug: a.slug}}
}
