package callback

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

// Signed are the options of a Transport that speaks ludux/1 (package
// [github.com/matchreferee/arena/protocol/ludux]) in requests that are signed by
// Standard Webhooks.
type Signed struct {
	// Secrets gives the secrets that an agent shares with the host, 1 to 8, all
	// of which sign what it is sent, in that order; while the agent changes from
	// one to another, both. What it gives is used for a minute, or until the
	// agent is registered again. An error refuses a Player to an agent whose
	// secrets were never known; else, and where it takes more than a second, those
	// from before go on. Safe for concurrent use. Required.
	Secrets func(context.Context, referee.Agent) ([]Secret, error)
}

const (
	secretsAge  = time.Minute // after which they are asked for again
	secretsTime = time.Second // for that

	// Between a request and its repetition: doubled each time, from the one to the other.
	pauseFrom, pauseTo = 250 * time.Millisecond, 4 * time.Second
	// The first one where there is no deadline: no time that is left makes a
	// difference between requests of the same second, and the second is a replay.
	pauseUntimed = time.Second
)

// secrets are those of one agent, as the host gave them last.
type secrets struct {
	mu      sync.Mutex
	list    []Secret
	asked   time.Time // zero: never, or not since the agent was registered
	renewed int       // how often it was registered
}

// renew has them asked for when they are needed next.
func (k *secrets) renew() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.asked = time.Time{}
	k.renewed++
}

// secrets gives those that sign now.
func (p *player) secrets(ctx context.Context) ([]Secret, error) {
	k := &p.a.keys
	k.mu.Lock()
	list, fresh, renewed := k.list, time.Since(k.asked) < secretsAge, k.renewed
	if !fresh && list != nil {
		k.asked = time.Now() // others need not ask at the same time
	}
	k.mu.Unlock()
	if fresh && list != nil {
		return list, nil
	}
	asking := ctx
	if list != nil {
		var cancel func()
		asking, cancel = context.WithTimeout(ctx, secretsTime)
		defer cancel()
	}
	now, err := p.t.o.Signed.Secrets(asking, p.who)
	if err == nil {
		if bad := checkSecrets(now); bad != nil {
			err = fmt.Errorf("%w: %w", ErrSecret, bad)
		}
	}
	if err != nil {
		if list != nil {
			return list, nil
		}
		return nil, fmt.Errorf("callback: the secrets of %s: %w", p.a.slug, err)
	}
	now = append([]Secret(nil), now...)
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.renewed == renewed:
		k.list, k.asked = now, time.Now()
	case k.list == nil: // these may be from before: whoever comes next asks again
		k.list = now
	}
	return now, nil
}

// signed makes a request of a message. Each time that a message is sent it is
// signed anew, for that moment; its id stays.
func (p *player) signed(to *target, id string, body []byte, list []Secret) []byte {
	now := time.Now()
	signed := appendSigned(make([]byte, 0, 64), id, now.Unix())
	headers := make([]byte, 0, 512)
	headers = append(append(headers, "user-agent: ludux-arena/1\r\nwebhook-id: "...), id...)
	headers = append(headers, "\r\nwebhook-timestamp: "...)
	headers = strconv.AppendInt(headers, now.Unix(), 10)
	headers = append(headers, "\r\nwebhook-signature: "...)
	headers = append(appendSignatures(headers, signed, body, list), "\r\n"...)
	return to.appendRequest(nil, headers, body)
}

// messageID gives the webhook-id of a message: the same whenever it is sent, by
// whichever process of the host. number tells messages of a kind apart.
func messageID(kind ludux.Kind, match string, seat game.Seat, number int32) string {
	h := sha256.Sum256(fmt.Appendf(make([]byte, 0, 256), "%s %d %d %s", kind, seat, number, match))
	return "msg_" + hex.EncodeToString(h[:16])
}

// askSigned brings one request to the agent, again and again until there is an
// answer that counts one way or the other, or the request closes.
func (p *player) askSigned(ctx context.Context, s *referee.Seat, r *referee.Request) {
	m := &actionRequest{p: p, s: s, r: r, id: messageID(ludux.KindActionRequest, s.Match(), r.Seat, r.Ask)}
	pause := pauseFrom
	if r.Limit == 0 {
		pause = pauseUntimed
	}
	for n := 1; p.attempt(ctx, m, n); n++ {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		pause = min(2*pause, pauseTo)
	}
}

// attempt sends the request once; false: it need not be sent again.
func (p *player) attempt(ctx context.Context, m *actionRequest, n int) (again bool) {
	tr := trip{began: time.Now()}
	a, err, ok := p.exchange(ctx, &tr, m.s, m.r, m, p.a.to.Load())
	var v referee.Verdict
	if ok {
		var failed error
		v, failed = m.s.Submit(context.WithoutCancel(ctx), a)
		again = failed == nil && v.Do == referee.DoReject && (v.Code == referee.Refused || v.Code == referee.WasStale)
	}
	p.observe(&tr, Event{
		Match: m.s.Match(), Seat: m.r.Seat, Ask: m.r.Ask, Strikes: m.r.Strikes, Attempt: n,
		Closed: !ok, Fault: a.Fault, Detail: a.Detail, Verdict: v, Err: err,
	})
	return again
}

// actionRequest is a request as it goes over the wire in ludux/1.
type actionRequest struct {
	p  *player
	s  *referee.Seat
	r  *referee.Request
	id string
}

func (m *actionRequest) write(ctx context.Context, to *target) ([]byte, error) {
	list, err := m.p.secrets(ctx)
	if err != nil {
		return nil, &ownFault{"secrets", err}
	}
	body, err := ludux.AppendRequest(make([]byte, 0, 2048), m.r, ludux.Delivery{Now: m.s.Now(), MoveTime: m.s.Info().Clock.Move})
	if err != nil {
		return nil, &ownFault{"request", err}
	}
	return m.p.signed(to, m.id, body, list), nil
}

// sent notes when an answer is due where the clock starts by sending.
func (m *actionRequest) sent(deadline referee.Time) { m.r.Deadline = deadline }

func (m *actionRequest) read(status int, reply []byte) referee.Answer {
	if status == 200 {
		return ludux.DecodeReply(reply, m.r)
	}
	detail := "status "
	switch status {
	case 301, 302, 303, 307, 308:
		detail = "redirect "
	}
	return referee.Answer{To: to(m.r), Fault: referee.BadProtocol, Detail: detail + strconv.Itoa(status)}
}

var errBacklog = errors.New("callback: the agent has too many messages to come")
