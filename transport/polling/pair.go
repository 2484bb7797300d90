package polling

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/matchreferee/arena/protocol/gridarena"
	"github.com/matchreferee/arena/transport"
)

// Swapped gives the other request of a comparable pair: the same match with the
// agent on the other one of the first two seats. Its id follows from that of the
// first, so that whoever asks twice for the pair has it once.
func Swapped(c gridarena.Create) gridarena.Create {
	c.AgentSeat = 1 - c.AgentSeat
	sum := sha256.Sum256([]byte("swapped " + c.RequestID))
	c.RequestID = uuid([16]byte(sum[:16]), 8)
	return c
}

// Pair begins the match that a request asks for, as POST matches does, and when it
// has ended the one with swapped seats, for an agent that was promised a fair
// comparison: it may be better off on one of the seats. Each match counts towards the account's quotas. begun is told of
// each as it begins, so that the agent can be told; it may be nil.
//
// It gives the results of both, or of those that have ended by then. The error is
// the context's, or a [*gridarena.Problem] where a match is refused. The matches
// themselves go on when the context ends; the same request, given to Pair again after a
// restart or to another process later, finds them again.
func (t *Transport) Pair(ctx context.Context, g *transport.Grant, first gridarena.Create, begun func(gridarena.Create, string)) ([]gridarena.Result, error) {
	if first.AgentSeat < 0 || first.AgentSeat > 1 {
		return nil, field(gridarena.CodeMalformed, "agentSeat", "a pair takes the seats 0 and 1")
	}
	var results []gridarena.Result
	for _, c := range []gridarena.Create{first, Swapped(first)} {
		id, err := t.ask(ctx, g, &c)
		if err != nil {
			return results, err
		}
		if begun != nil {
			begun(c, id)
		}
		r, err := t.outcome(ctx, id)
		if err != nil {
			return results, err
		}
		results = append(results, r)
	}
	return results, nil
}

// outcome waits for the end of a match.
func (t *Transport) outcome(ctx context.Context, id string) (r gridarena.Result, err error) {
	m, e, ok := t.find(id)
	if !ok {
		return r, fmt.Errorf("polling: match %s is gone", id)
	}
	select {
	case <-m.over:
	case <-ctx.Done():
		return r, ctx.Err()
	}
	err = m.story.read(ctx, func() (err error) {
		r, err = m.story.outline(e)
		return err
	})
	return r, err
}
