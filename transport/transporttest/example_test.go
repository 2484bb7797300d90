package transporttest_test

import (
	"testing"

	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/local"
	"github.com/matchreferee/arena/transport/transporttest"
)

// ExampleRun is the test of a transport. The agents of this one are players in the
// same process, which [transporttest.Player] makes; those of one with a wire
// format read requests and write replies: see [transporttest.LuduxTurn] and
// [transporttest.Reply.Ludux] for a format that is there already.
func ExampleRun() {
	setup := func(t *testing.T) transporttest.Harness {
		tr := new(local.Transport)
		return transporttest.Harness{Transport: tr, Agent: func(a referee.Agent, play transporttest.Play) {
			if err := tr.Add(a.Slug, transporttest.Player(play)); err != nil {
				t.Fatal(err)
			}
		}}
	}
	_ = func(t *testing.T) { // func TestKit(t *testing.T)
		transporttest.Run(t, setup, transporttest.Options{
			Virtual: true, // no sockets
			Skip:    map[string]string{"reconnect": "there are no connections"},
		})
	}
}
