package callback_test

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// TestFamilies is a host that has no IPv6, and whose own names resolve: an agent
// that has other addresses too is reached, one that has not is to blame.
func TestFamilies(t *testing.T) {
	const v6, v4, w4 = "2606:4700::1111", "1.1.1.1", "8.8.8.8"
	refused := &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	for _, c := range []struct {
		name    string
		addrs   []string
		fails   map[string]error // IPv4 addresses; without an error the pipe is there
		fault   string           // of the first request; "": none
		dialled []string
	}{
		{"IPv6 first", []string{v6, v4}, nil, "", []string{v6, v4}},
		{"IPv4 first", []string{v4, v6}, nil, "", []string{v4}},
		{"IPv6 alone", []string{v6}, nil, "unreachable: connect", []string{v6}},
		{"IPv6 alone, several", []string{v6, "2606:4700::1112"}, nil, "unreachable: connect", []string{v6, "2606:4700::1112"}},
		{"IPv4 is refused", []string{v6, v4}, map[string]error{v4: refused}, "unreachable: connect", []string{v6, v4}},
		{"the second IPv4 is there", []string{v6, w4, v4}, map[string]error{w4: refused}, "", []string{v6, w4, v4}},
	} {
		for _, errno := range []syscall.Errno{syscall.EADDRNOTAVAIL, syscall.ENETUNREACH, syscall.EAFNOSUPPORT} {
			t.Run(c.name+" "+errno.Error(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					p := &pipes{reply: func(_ int, conn net.Conn, _ *http.Request, m agentarena.MoveRequest) bool { return writeGood(conn, m) }}
					t.Cleanup(p.wg.Wait)
					var mu sync.Mutex
					var dialled []string
					tr := newTransport(t, callback.Options{
						AllowHTTP: true,
						Resolver:  resolver(map[string][]lookup{"agent.example": {{addrs: []string{v4}}, {addrs: c.addrs}}, "arena.example": {{addrs: []string{v4}}}}),
						Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
							host, _, _ := net.SplitHostPort(address)
							mu.Lock()
							dialled = append(dialled, host)
							mu.Unlock()
							if network == "tcp6" {
								return nil, &net.OpError{Op: "dial", Net: network, Err: errno}
							}
							if err := c.fails[host]; err != nil {
								return nil, err
							}
							return p.dial(ctx, network, "1.1.1.1:80")
						},
					})
					r, faults, _ := playedOver(t, seat(t, tr, "agent", "http://agent.example/"), "m")
					if c.fault == "" && (r.Cause != referee.CausePlay || len(faults) != 0) {
						t.Errorf("got %v, faults %q", r.Cause, faults)
					}
					if c.fault != "" && (r.Cause != referee.CauseForfeit || !r.Rated() || !slices.Equal(faults, slices.Repeat([]string{c.fault}, 3))) {
						t.Errorf("got %v, faults %q", r.Cause, faults)
					}
					mu.Lock()
					defer mu.Unlock()
					if !slices.Equal(dialled[:min(len(dialled), len(c.dialled))], c.dialled) {
						t.Errorf("dialled %q, want %q first", dialled, c.dialled)
					}
				})
			})
		}
	}
}
