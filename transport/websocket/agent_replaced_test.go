package websocket

import (
	"context"
	"errors"
	"testing"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
)

// TestReplacedReader: what a connection has read in the moment in which a newer one took over counts for nothing, and is not answered.
func TestReplacedReader(t *testing.T) {
	older, newer := new(conn), new(conn)
	a := &agent{conn: newer}
	response := &ludux.ActionResponse{MatchID: "m-1", Seq: 1, Action: "3"}
	bad := &ludux.FrameError{Code: ludux.CodeMalformed, Err: errors.New("no message")}
	for c, counts := range map[*conn]bool{older: false, newer: true} {
		if _, e := a.respond(c, response); (e != nil) != counts {
			t.Errorf("a response that counts: %v; %+v", counts, e)
		}
		if _, e := a.fault(c, bad); (e != nil) != counts {
			t.Errorf("a fault that counts: %v; %+v", counts, e)
		}
	}
}

type nobody struct{}

func (nobody) Authenticate(context.Context, string) (*transport.Grant, error) {
	return nil, transport.ErrKey
}

// TestEndedBeforeItEntered: a connection that ended between its welcome and its place leaves nothing behind.
func TestEndedBeforeItEntered(t *testing.T) {
	tr, err := New(Options{Auth: nobody{}})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	ended := func() *conn {
		return &conn{t: tr, match: "m-1", grant: &transport.Grant{Agent: referee.Agent{Slug: "ann"}, Key: "k"}, ending: &ending{}}
	}
	tr.attach(ended())
	if tr.Connected("ann") {
		t.Error("an agent is there without a connection")
	}
	w := &watch{t: tr, o: WatchOptions{PerKey: 1, Views: func(context.Context, string) (<-chan referee.Public, error) {
		return make(chan referee.Public), nil
	}}, keys: map[string]int{}}
	for range 2 {
		w.enter(ended())
	}
	if len(w.keys) != 0 || len(tr.feeds) != 0 {
		t.Errorf("%d keys and %d feeds of spectators that are gone", len(w.keys), len(tr.feeds))
	}
}
