package transporttest

import (
	"context"
	"io"
	"net/http"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/protocol/ludux"
)

// AgentArenaHandler is the agent of a Harness that is asked by POSTs of agentarena/1.
// The context of a play is that of the request. Where it gives no reply, the
// connection is closed.
func AgentArenaHandler(play Play) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, err := agentarena.DecodeRequest(body(w, r, agentarena.MaxRequest))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, reply := range play(r.Context(), AgentArenaTurn(&m)) {
			w.Write(reply.AgentArena(&m))
			return
		}
		panic(http.ErrAbortHandler)
	})
}

// LuduxHandler is the agent of a Harness that is asked by POSTs of ludux/1; it looks
// at no signature. Otherwise it is as [AgentArenaHandler].
func LuduxHandler(play Play) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, err := ludux.DecodeFromArena(body(w, r, ludux.MaxFrame))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		q, asked := m.(*ludux.ActionRequest)
		if !asked {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		for _, reply := range play(r.Context(), LuduxTurn(q)) {
			w.Write(reply.Ludux(q))
			return
		}
		panic(http.ErrAbortHandler)
	})
}

func body(w http.ResponseWriter, r *http.Request, most int64) []byte {
	b, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return b
}

// LuduxSession is the agent of a Harness on one connection that carries messages of
// ludux/1, until read fails or gives what is no message. The context of a play
// ends with the connection, at the deadline, or as the next request to the seat
// or the end of its match comes; those that go on nevertheless are not waited for. write may
// be called by several goroutines at once. The error is never nil.
func LuduxSession(ctx context.Context, play Play, read func(context.Context) ([]byte, error), write func(context.Context, []byte) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type seat struct {
		match string
		num   game.Seat
	}
	thinking := map[seat]func(){}
	for {
		frame, err := read(ctx)
		if err != nil {
			return err
		}
		m, err := ludux.DecodeFromArena(frame)
		if err != nil {
			return err
		}
		switch m := m.(type) {
		case *ludux.ActionRequest:
			s := seat{m.MatchID, m.Seat}
			if end := thinking[s]; end != nil {
				end()
			}
			think, end := context.WithTimeout(ctx, m.Deadline)
			thinking[s] = end
			go func() {
				for _, r := range play(think, LuduxTurn(m)) {
					if write(ctx, r.Ludux(m)) != nil {
						return
					}
				}
			}()
		case *ludux.MatchEnd:
			s := seat{m.MatchID, m.Seat}
			if end := thinking[s]; end != nil {
				end()
				delete(thinking, s)
			}
		}
	}
}
