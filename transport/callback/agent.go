package callback

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
)

// AgentOptions configure the handlers of Agent and SignedAgent. The zero value works.
type AgentOptions struct {
	// Remember is how many answers are kept, the newest ones. 0: 1024.
	Remember int
	// Linger is how long thinking goes on when nobody waits for it any more,
	// which is what a deadline looks like from here: the next request for the
	// same position then gets what this one found. 0: 5 s.
	Linger time.Duration
	// Concurrent is how many positions are thought about at once; more are
	// refused with 503. 0: 64.
	Concurrent int
}

func (o *AgentOptions) validate() error {
	var errs []error
	for _, f := range []struct {
		name string
		bad  bool
	}{{"Remember", o.Remember < 0}, {"Linger", o.Linger < 0}, {"Concurrent", o.Concurrent < 0}} {
		if f.bad {
			errs = append(errs, fmt.Errorf("callback: %s: is negative", f.name))
		}
	}
	return errors.Join(errs...)
}

// filled is the options with the defaults in their places.
func (o AgentOptions) filled() AgentOptions {
	if o.Remember == 0 {
		o.Remember = 1024
	}
	if o.Linger == 0 {
		o.Linger = 5 * time.Second
	}
	if o.Concurrent == 0 {
		o.Concurrent = 64
	}
	return o
}

// Agent makes an agent of a function that finds a move: a handler for the URL
// that the agent registers. The reply's Nonce is filled in.
//
// It answers a repeated request alike, as the format asks: the function is called
// once for requests that differ in nonce and strikes alone, however many there
// are at the same time or later, and each gets that answer with its own nonce. It
// is called again where the answer was no good: the function failed or panicked
// (the request gets status 500), or the answer went out in time and the next
// request tells of more strikes, unless the move is listed and came without a
// reason, so that only the network can have lost it. Anybody can send requests
// who knows the URL, with the id and number of a match that is at play: those
// that are not the referee's own to the letter do not change what it is answered.
// An answer of more bytes than a reply may have is not kept.
//
// A body that takes longer than 10 s to come is given up.
//
// The function's context ends when it has returned, or when nobody has been
// waiting for Linger. What it is asked comes from the network, Opponent above
// all: untrusted text. Errors of Agent name the bad options.
func Agent(play func(context.Context, agentarena.MoveRequest) (agentarena.Reply, error), o AgentOptions) (http.Handler, error) {
	err := o.validate()
	if play == nil {
		err = errors.Join(err, errors.New("callback: play: is nil"))
	}
	if err != nil {
		return nil, err
	}
	h := new(agentHandler)
	h.o, h.thoughts, h.keep = o.filled(), map[thoughtKey]*thought[agentarena.Reply]{}, keepReply
	h.play = func(ctx context.Context, q moveQuestion) (agentarena.Reply, error) { return play(ctx, q.MoveRequest) }
	return h, nil
}

// agentHandler is the handler of Agent.
type agentHandler struct {
	thinker[moveQuestion, agentarena.Reply]
}

// moveQuestion is the question that a request of agentarena/1 asks.
type moveQuestion struct{ agentarena.MoveRequest }

// key tells requests apart by all but nonce and strikes.
func (m moveQuestion) key() (k thoughtKey) {
	h := hashed{sha256.New()}
	for _, s := range [...]string{m.MatchID, m.Game, m.You, m.Opponent, m.Board, m.ReplayURL} {
		h.text(s)
	}
	h.number(uint64(m.MoveNumber))
	h.number(uint64(m.Deadline))
	for _, s := range m.Legal {
		h.text(s)
	}
	h.Sum(k[:0])
	return k
}

func (m moveQuestion) limit() time.Duration { return m.Deadline }

func (m moveQuestion) strikes() int { return m.Strikes }

func (m moveQuestion) taken(r agentarena.Reply) bool {
	return r.Reason == "" && slices.Contains(m.Legal, r.Move)
}

// keepReply clones an answer, so that no whole request is kept for a word of it.
func keepReply(r agentarena.Reply) (agentarena.Reply, bool) {
	r = agentarena.Reply{Move: strings.Clone(r.Move), Reason: strings.Clone(r.Reason)}
	return r, len(r.Move)+len(r.Reason) <= agentarena.MaxReply
}

// ServeHTTP answers one request of a referee.
func (h *agentHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	limitBody(w)
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "POST a move request", http.StatusMethodNotAllowed)
		return
	}
	arrived := time.Now()
	body, status := readRequest(w, r, agentarena.MaxRequest)
	if status != http.StatusOK {
		http.Error(w, "the request cannot be read", status)
		return
	}
	m, err := agentarena.DecodeRequest(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	reply, err := h.answer(r.Context(), moveQuestion{m}, arrived)
	switch {
	case errors.Is(err, errBusy):
		http.Error(w, "too many positions at once", http.StatusServiceUnavailable)
	case err != nil:
		http.Error(w, "no move was found", http.StatusInternalServerError)
	default:
		reply.Nonce = m.Nonce
		w.Header()["Content-Type"] = contentType
		w.Write(agentarena.AppendReply(make([]byte, 0, 128), reply))
	}
}

var contentType = []string{agentarena.ContentType}
