package callback

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
)

// SignedAgentOptions configure the handler of SignedAgent. Only Verifier has no
// default.
type SignedAgentOptions struct {
	AgentOptions
	// Verifier tells the arena's requests from those of others. Required.
	Verifier *Verifier
	// Started and Ended, where set, are told that a match of the agent's begins,
	// which may come again, and after the first request, and how it ended. The
	// arena waits for neither. They are called from the goroutines of requests.
	Started func(*ludux.MatchStart)
	Ended   func(*ludux.MatchEnd)
}

// SignedAgent makes an agent of a function that finds an action: a handler for
// the URL that the agent registers, which speaks ludux/1 and lets nobody in but
// who signs with the agent's secret. The same function plays over a WebSocket.
// MatchID and Seq of what it returns are filled in, and Seat is left out.
//
// A repeated request is answered alike: the function is called once for requests
// that differ in nothing but the time that is left, however many there are at the
// same time or later. It is called again where it failed, panicked, or gave what
// is no message: then the request gets status 500, after which the arena asks
// again. Requests of several matches come at the same time.
//
// The function's context ends when it has returned, or when nobody has been
// waiting for Linger. What it is asked comes from the network, what the
// opponents have chosen above all: untrusted text. Errors of SignedAgent name
// the bad options.
func SignedAgent(play func(context.Context, *ludux.ActionRequest) (*ludux.ActionResponse, error), o SignedAgentOptions) (http.Handler, error) {
	err := o.validate()
	if o.Verifier == nil {
		err = errors.Join(err, errors.New("callback: Verifier: required"))
	}
	if play == nil {
		err = errors.Join(err, errors.New("callback: play: is nil"))
	}
	if err != nil {
		return nil, err
	}
	h := &signedAgent{started: o.Started, ended: o.Ended}
	h.o, h.thoughts = o.filled(), map[thoughtKey]*thought[[]byte]{}
	h.keep = func(reply []byte) ([]byte, bool) { return reply, true }
	h.play = func(ctx context.Context, q actionQuestion) ([]byte, error) {
		answer, err := play(ctx, q.ActionRequest)
		if err != nil {
			return nil, err
		}
		return respond(q.ActionRequest, answer)
	}
	return o.Verifier.Handler(h), nil
}

// respond writes an answer, unless it is no message.
func respond(m *ludux.ActionRequest, a *ludux.ActionResponse) ([]byte, error) {
	if a == nil {
		return nil, errors.New("callback: no answer")
	}
	action, err := game.Canonical([]byte(a.Action))
	if err != nil || action == "null" {
		return nil, errors.New("callback: the action is no JSON, or null")
	}
	r := m.Respond(a.Action, a.Commentary)
	r.Seat = nil // the arena knows what its POST asked
	reply := r.Append(make([]byte, 0, 256))
	if len(reply) > ludux.MaxReply {
		return nil, fmt.Errorf("callback: an answer has at most %d bytes", ludux.MaxReply)
	}
	return reply, nil
}

// signedAgent is the handler of SignedAgent, behind its Verifier.
type signedAgent struct {
	thinker[actionQuestion, []byte]
	started func(*ludux.MatchStart)
	ended   func(*ludux.MatchEnd)
}

// ServeHTTP answers one message of an arena.
func (h *signedAgent) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", "POST")
		http.Error(w, "POST a message", http.StatusMethodNotAllowed)
		return
	}
	arrived := time.Now()
	body, err := io.ReadAll(r.Body) // the verifier has read and bounded it
	if err != nil {
		http.Error(w, "the request cannot be read", http.StatusBadRequest)
		return
	}
	m, err := ludux.DecodeFromArena(body)
	if err != nil && !errors.Is(err, ludux.ErrUnknownKind) {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	switch m := m.(type) {
	case *ludux.ActionRequest:
		h.act(w, r, m, arrived)
		return
	case *ludux.MatchStart:
		if h.started != nil {
			h.started(m)
		}
	case *ludux.MatchEnd:
		if h.ended != nil {
			h.ended(m)
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

func (h *signedAgent) act(w http.ResponseWriter, r *http.Request, m *ludux.ActionRequest, arrived time.Time) {
	reply, err := h.answer(r.Context(), actionQuestion{m}, arrived)
	switch {
	case errors.Is(err, errBusy):
		http.Error(w, "too many positions at once", http.StatusServiceUnavailable)
	case err != nil:
		http.Error(w, "no action was found", http.StatusInternalServerError)
	default:
		w.Header()["Content-Type"] = contentType
		w.Write(reply)
	}
}

// actionQuestion is the question that a request of ludux/1 asks.
type actionQuestion struct{ *ludux.ActionRequest }

// key tells requests apart by all but the times.
func (m actionQuestion) key() (k thoughtKey) {
	h := hashed{sha256.New()}
	for _, s := range [...]string{m.MatchID, m.Game, m.GameVersion, string(m.Ruleset), m.Agent.Slug, m.Agent.Version, m.Phase, string(m.State), string(m.ActionSchema)} {
		h.text(s)
	}
	h.number(uint64(m.Seat))
	h.number(uint64(m.Seq))
	for _, a := range m.LegalActions {
		h.text(string(a))
	}
	h.Sum(k[:0])
	return k
}

func (m actionQuestion) limit() time.Duration { return m.Deadline }

func (actionQuestion) strikes() int { return 0 } // an answer that is no good is judged, and not asked for again

func (actionQuestion) taken([]byte) bool { return true }
