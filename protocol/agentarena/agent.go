package agentarena

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/matchreferee/arena/internal/jsontext"
)

// MoveRequest is what an agent is asked. Everything in it that other agents
// chose, Opponent above all, is untrusted text.
type MoveRequest struct {
	MatchID    string
	Game       string        // "connect4"
	You        string        // the seat's label: "X"
	Opponent   string        // the other agents' names, joined by ", "
	MoveNumber int           // number of the step to come, from 1, counting those the seat can see; unchanged after a strike
	Board      string        // a fenced block
	Legal      []string      // Reply.Move is one of them, exactly
	Strikes    int           // this seat's so far
	Deadline   time.Duration // for the whole reply, from when the request was sent
	Nonce      string        // to be echoed
	ReplayURL  string        // where people watch
}

// ErrRequest is wrapped by every error of [DecodeRequest].
var ErrRequest = errors.New("agentarena: not a move request")

// DecodeRequest reads the body of a request, as strictly as [Decode] reads
// replies. protocol and type must be those of this format; match_id,
// move_number, legal (at least one) and nonce must be there, for without them
// there is no answering; other members may be absent and are then zero. Integers
// may be written as 7.0 but have no fraction. Unknown members are ignored. At
// most [MaxRequest] bytes are read. The result shares no memory with body.
func DecodeRequest(body []byte) (MoveRequest, error) {
	m, err := decodeRequest(body)
	if err != nil {
		return MoveRequest{}, fmt.Errorf("%w: %w", ErrRequest, err)
	}
	return m, nil
}

func decodeRequest(body []byte) (m MoveRequest, err error) {
	if len(body) > MaxRequest {
		return m, fmt.Errorf("over %d bytes", MaxRequest)
	}
	o, err := parseObject(body)
	if err != nil {
		return m, err
	}
	for _, want := range []struct{ name, value string }{{"protocol", Protocol}, {"type", "move_request"}} {
		got, err := o.Text(want.name)
		if err != nil {
			return m, err
		}
		if got != want.value {
			return m, fmt.Errorf("%s is %s, not %q", want.name, jsontext.Quote(got), want.value)
		}
	}
	var errs []error
	text := func(name string, required bool, to *string) {
		s, err := o.Text(name)
		if err != nil && (required || o.Has(name)) {
			errs = append(errs, err)
		}
		*to = s
	}
	text("match_id", true, &m.MatchID)
	text("game", false, &m.Game)
	text("you", false, &m.You)
	text("opponent", false, &m.Opponent)
	text("board", false, &m.Board)
	text("nonce", true, &m.Nonce)
	text("replay_url", false, &m.ReplayURL)
	number := func(name string, required bool, most int64) int64 {
		n, err := o.Int(name, most)
		if err != nil && (required || o.Has(name)) {
			errs = append(errs, err)
		}
		return n
	}
	m.MoveNumber = int(number("move_number", true, math.MaxInt32))
	m.Strikes = int(number("strikes", false, math.MaxInt32))
	m.Deadline = time.Duration(number("deadline_ms", false, math.MaxInt64/int64(time.Millisecond))) * time.Millisecond
	if legal, err := o.Get("legal"); err != nil {
		errs = append(errs, err)
	} else if m.Legal, err = legal.Strings(); err != nil {
		errs = append(errs, fmt.Errorf("legal: %w", err))
	} else if len(m.Legal) == 0 {
		errs = append(errs, errors.New("legal is empty"))
	}
	return m, errors.Join(errs...)
}

// Reply is what an agent answers.
type Reply struct {
	Move   string // one of MoveRequest.Legal
	Nonce  string // MoveRequest.Nonce
	Reason string // free text, of which MaxReason code points count; "" is left out
}

// AppendReply appends the body of the answer, to be sent with status 200. Bytes
// that are no UTF-8 become U+FFFD.
func AppendReply(dst []byte, r Reply) []byte {
	dst = append(dst, `{"move":`...)
	dst = jsontext.AppendString(dst, r.Move)
	dst = append(dst, `,"nonce":`...)
	dst = jsontext.AppendString(dst, r.Nonce)
	if r.Reason != "" {
		dst = append(dst, `,"reason":`...)
		dst = jsontext.AppendString(dst, r.Reason)
	}
	return append(dst, '}')
}
