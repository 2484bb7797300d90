package callback_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/callback"
)

// padded is a good reply of exactly n bytes.
func padded(m agentarena.MoveRequest, n int) []byte {
	b := goodBody(m)
	return append(b, bytes.Repeat([]byte(" "), n-len(b))...)
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(b)
	w.Close()
	return out.Bytes()
}

// dribble writes a byte a second until it is cut off.
func dribble(c net.Conn, b []byte) bool {
	for i := range b {
		if _, err := c.Write(b[i : i+1]); err != nil {
			return false
		}
		<-time.After(time.Second)
	}
	return true
}

// flood writes without end.
func flood(c net.Conn, first, again string) bool {
	_, err := c.Write([]byte(first))
	for err == nil {
		_, err = c.Write([]byte(again))
	}
	return false
}

func raw(c net.Conn, s string) bool {
	_, err := c.Write([]byte(s))
	return err == nil
}

// TestHostile has agents that misbehave once and then play well: one strike,
// and the match goes on. The same agents, misbehaving always, forfeit.
func TestHostile(t *testing.T) {
	type request = agentarena.MoveRequest
	for _, c := range []struct {
		name  string
		conn  func(c net.Conn) bool // where set: on the connection, before anything is read
		reply func(c net.Conn, m request) bool
		fault string // "": none
		stage callback.Stage
	}{
		{"never answers", nil, func(c net.Conn, m request) bool { untilClosed(c); return false }, "late", callback.StageFirstByte},
		{"accepts and does not read", func(c net.Conn) bool { <-time.After(time.Hour); return false }, nil, "late", callback.StageWrite},
		{"slow header", nil, func(c net.Conn, m request) bool { return dribble(c, []byte("HTTP/1.1 200 OK\r\n")) }, "late", callback.StageBody},
		{"slow body", nil, func(c net.Conn, m request) bool {
			return raw(c, "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n") && dribble(c, goodBody(m))
		}, "late", callback.StageBody},
		{"body never ends", nil, func(c net.Conn, m request) bool {
			raw(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
			fmt.Fprintf(c, "%x\r\n%s\r\n", len(goodBody(m)), goodBody(m))
			untilClosed(c)
			return false
		}, "late", callback.StageBody},
		{"huge header", nil, func(c net.Conn, m request) bool {
			return flood(c, "HTTP/1.1 200 OK\r\n", "X-A: "+strings.Repeat("a", 500)+"\r\n")
		}, "bad_protocol: http", callback.StageBody},
		{"one long header line", nil, func(c net.Conn, m request) bool {
			return flood(c, "HTTP/1.1 200 OK\r\nX-A: ", strings.Repeat("a", 500))
		}, "bad_protocol: http", callback.StageBody},
		{"header at its limit", nil, func(c net.Conn, m request) bool {
			return write(c, "200 OK", "X-A: "+strings.Repeat("a", 8000)+"\r\n", goodBody(m))
		}, "", callback.StageDone},
		{"endless informational replies", nil, func(c net.Conn, m request) bool { return flood(c, "", "HTTP/1.1 103 Early Hints\r\n\r\n") }, "bad_protocol: http", callback.StageBody},
		{"16384 bytes", nil, func(c net.Conn, m request) bool { return write(c, "200 OK", "", padded(m, 16384)) }, "", callback.StageDone},
		{"16385 bytes", nil, func(c net.Conn, m request) bool { return write(c, "200 OK", "", padded(m, 16385)) }, "oversized: ", callback.StageDone},
		{"16385 bytes in chunks", nil, func(c net.Conn, m request) bool {
			return raw(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4001\r\n%s\r\n0\r\n\r\n", padded(m, 16385)))
		}, "oversized: ", callback.StageDone},
		{"16384 bytes in chunks", nil, func(c net.Conn, m request) bool {
			return raw(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4000\r\n%s\r\n0\r\n\r\n", padded(m, 16384)))
		}, "", callback.StageDone},
		{"a terabyte announced", nil, func(c net.Conn, m request) bool {
			raw(c, "HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n")
			untilClosed(c)
			return false
		}, "oversized: ", callback.StageDone},
		{"endless chunks", nil, func(c net.Conn, m request) bool {
			return flood(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n")
		}, "oversized: ", callback.StageDone},
		{"bad chunk", nil, func(c net.Conn, m request) bool {
			raw(c, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
			untilClosed(c)
			return false
		}, "bad_protocol: http", callback.StageBody},
		{"redirect", nil, func(c net.Conn, m request) bool {
			return write(c, "302 Found", "Location: http://169.254.169.254/\r\n", goodBody(m))
		}, "bad_protocol: redirect 302", callback.StageDone},
		{"redirect 308", nil, func(c net.Conn, m request) bool {
			return write(c, "308 Permanent Redirect", "Location: https://agent.example/\r\n", nil)
		}, "bad_protocol: redirect 308", callback.StageDone},
		{"201", nil, func(c net.Conn, m request) bool { return write(c, "201 Created", "", goodBody(m)) }, "bad_protocol: status 201", callback.StageDone},
		{"204", nil, func(c net.Conn, m request) bool { return raw(c, "HTTP/1.1 204 No Content\r\n\r\n") }, "bad_protocol: status 204", callback.StageDone},
		{"304", nil, func(c net.Conn, m request) bool { return raw(c, "HTTP/1.1 304 Not Modified\r\n\r\n") }, "bad_protocol: status 304", callback.StageDone},
		{"101", nil, func(c net.Conn, m request) bool {
			raw(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n")
			untilClosed(c)
			return false
		}, "bad_protocol: status 101", callback.StageDone},
		{"500 and a body without end", nil, func(c net.Conn, m request) bool {
			return flood(c, "HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n")
		}, "bad_protocol: status 500", callback.StageDone},
		{"gzip", nil, func(c net.Conn, m request) bool {
			return write(c, "200 OK", "Content-Encoding: gzip\r\n", gzipped(goodBody(m)))
		}, "malformed: ", callback.StageDone},
		{"empty body", nil, func(c net.Conn, m request) bool { return write(c, "200 OK", "", nil) }, "malformed: ", callback.StageDone},
		{"half a body", nil, func(c net.Conn, m request) bool {
			b := goodBody(m)
			raw(c, fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(b), b[:len(b)/2]))
			return false
		}, "disconnected: body", callback.StageBody},
		{"half a header", nil, func(c net.Conn, m request) bool { raw(c, "HTTP/1.1 200 OK\r\nContent-Type: ap"); return false }, "disconnected: body", callback.StageBody},
		{"hangs up", nil, func(c net.Conn, m request) bool { return false }, "disconnected: first_byte", callback.StageFirstByte},
		{"hangs up without reading", func(c net.Conn) bool { return false }, nil, "disconnected: write", callback.StageWrite},
		{"no HTTP", nil, func(c net.Conn, m request) bool { return raw(c, "SSH-2.0-OpenSSH_9.9\r\n") }, "bad_protocol: http", callback.StageBody},
		{"invalid UTF-8 outside strings", nil, func(c net.Conn, m request) bool { return write(c, "200 OK", "", []byte("\xff\xfe{}")) }, "malformed: ", callback.StageDone},
		{"invalid UTF-8 in the reason", nil, func(c net.Conn, m request) bool {
			b := bytes.TrimSuffix(goodBody(m), []byte("}"))
			return write(c, "200 OK", "", append(b, ",\"reason\":\"\xff\"}"...))
		}, "", callback.StageDone},
		{"wrong nonce", nil, func(c net.Conn, m request) bool {
			m.Nonce = strings.Repeat("0", len(m.Nonce))
			return writeGood(c, m)
		}, "bad_nonce: ", callback.StageDone},
		{"illegal move", nil, func(c net.Conn, m request) bool { m.Legal = []string{"z"}; return writeGood(c, m) }, "illegal: ", callback.StageDone},
		{"HTTP/1.0", nil, func(c net.Conn, m request) bool {
			raw(c, fmt.Sprintf("HTTP/1.0 200 OK\r\n\r\n%s", goodBody(m)))
			return false
		}, "", callback.StageDone},
		{"another content type", nil, func(c net.Conn, m request) bool {
			return write(c, "200 OK", "Content-Type: text/html\r\nSet-Cookie: a=b\r\n", goodBody(m))
		}, "", callback.StageDone},
	} {
		for _, always := range []bool{false, true} {
			if always && c.fault == "" {
				continue
			}
			t.Run(fmt.Sprintf("%s, always %v", c.name, always), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var got events
					p := &pipes{reply: func(n int, conn net.Conn, _ *http.Request, m request) bool {
						if c.reply != nil && (always || n == 1) {
							return c.reply(conn, m)
						}
						return writeGood(conn, m)
					}}
					if c.conn != nil {
						p.conn = func(n int, conn net.Conn) bool {
							if always || n == 1 {
								return c.conn(conn)
							}
							return true
						}
					}
					tr := p.over(t, plain(&got))
					r, faults, _ := playedOver(t, seat(t, tr, "agent", "http://agent.example/play"), "m")
					check(t, r, faults, got.all(), c.fault, c.stage, always)
				})
			})
		}
	}
}

// check compares what a match of a hostile agent brought with what should come of it.
func check(t *testing.T, r *referee.Result, faults []string, es []callback.Event, fault string, stage callback.Stage, always bool) {
	t.Helper()
	want := 0
	if fault != "" {
		want = 1
	}
	if always {
		want = 3
	}
	cause := referee.CausePlay
	if always {
		cause = referee.CauseForfeit
	}
	if r.Cause != cause || r.Seats[0].Strikes != want || len(faults) != want {
		t.Errorf("got %v with %d strikes, faults %q", r.Cause, r.Seats[0].Strikes, faults)
	}
	for _, f := range faults {
		if f != fault && !(strings.HasSuffix(fault, ": ") && strings.HasPrefix(f, fault)) {
			t.Errorf("fault %q, want %q", f, fault)
		}
	}
	for i, e := range es {
		bad := fault != "" && (always || i == 0)
		switch {
		case bad && e.Stage != stage, !bad && e.Stage != callback.StageDone:
			t.Errorf("event %d stopped at %v", i, e.Stage)
		case bad && e.Closed != (fault == "late"):
			t.Errorf("event %d: closed %v", i, e.Closed)
		case bad && !e.Closed && e.Fault.String() != strings.Split(fault, ":")[0] && e.Verdict.Fault.String() != strings.Split(fault, ":")[0]:
			t.Errorf("event %d: fault %v, verdict %+v", i, e.Fault, e.Verdict)
		case !bad && (e.Fault != referee.NoFault || e.Verdict.Code != referee.OK || e.Status != 200):
			t.Errorf("event %d: %+v", i, e)
		}
	}
	if always && len(es) != 3 || !always && len(es) < 4 {
		t.Errorf("%d events", len(es))
	}
}

// TestHostileTLS has servers whose TLS is not right.
func TestHostileTLS(t *testing.T) {
	for _, c := range []struct {
		name  string
		conn  func(c net.Conn) bool
		cert  string // of which name the certificate is; "": none
		trust bool
		fault string
		stage callback.Stage
	}{
		{"good", nil, "agent.example", true, "", callback.StageDone},
		{"self-signed", nil, "agent.example", false, "unreachable: tls", callback.StageTLS},
		{"another name", nil, "other.example", true, "unreachable: tls", callback.StageTLS},
		{"plain HTTP", func(c net.Conn) bool {
			c.Read(make([]byte, 4096))
			raw(c, "HTTP/1.1 400 Bad Request\r\n\r\n")
			return false
		}, "", true, "unreachable: tls", callback.StageTLS},
		{"stalls", func(c net.Conn) bool { untilClosed(c); return false }, "", true, "late", callback.StageTLS},
		{"hangs up", func(c net.Conn) bool { return false }, "", true, "unreachable: tls", callback.StageTLS},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var got events
				p := &pipes{reply: func(_ int, conn net.Conn, _ *http.Request, m agentarena.MoveRequest) bool { return writeGood(conn, m) }}
				o := callback.Options{Observe: got.add}
				if c.cert != "" {
					server, roots := certificate(t, c.cert)
					p.tls = server
					if c.trust {
						o.TLS = clientTLS(roots)
					}
				}
				if c.conn != nil {
					p.conn = func(_ int, conn net.Conn) bool { return c.conn(conn) }
				}
				tr := p.over(t, o)
				r, faults, _ := playedOver(t, seat(t, tr, "agent", "https://agent.example/play"), "m")
				if c.fault == "" {
					if r.Cause != referee.CausePlay || len(faults) != 0 {
						t.Errorf("got %v, faults %q", r.Cause, faults)
					}
					return
				}
				if !slices.Equal(faults, slices.Repeat([]string{c.fault}, 3)) {
					t.Errorf("faults %q", faults)
				}
				for i, e := range got.all() {
					if e.Stage != c.stage {
						t.Errorf("event %d stopped at %v", i, e.Stage)
					}
				}
			})
		})
	}
}
