package websocket_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/websocket"
)

// TestWire sends frames as no client should, and some that every client may. After those that end the connection the request is
// still open, for the next one.
func TestWire(t *testing.T) {
	answer := []byte(`{"protocol":"ludux/1","type":"action_response","match_id":"m-1","seq":1,"action":3}`)
	text := func(b []byte) []byte { return encode(fin|opText, b, true) }
	closing := func(payload string) []byte { return encode(fin|opClose, []byte(payload), true) }
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	const next = "request"
	for _, c := range []struct {
		name   string
		bytes  []byte
		want   string // what comes first: a request, the code of an error; "": the connection closes
		code   int    // with which the connection is closed; 0: without a close frame
		reason websocket.Reason
	}{
		{name: "in one frame", bytes: text(answer), want: next},
		{name: "in three fragments", bytes: join(encode(opText, answer[:10], true), encode(opContinuation, answer[10:11], true), encode(fin|opContinuation, answer[11:], true)), want: next},
		{name: "with control frames between fragments", bytes: join(encode(opText, answer[:10], true), encode(fin|opPing, []byte("p"), true), encode(fin|opPong, nil, true), encode(fin|opContinuation, answer[10:], true)), want: next},
		{name: "with empty fragments", bytes: join(encode(opText, nil, true), encode(opContinuation, nil, true), encode(opContinuation, answer, true), encode(fin|opContinuation, nil, true)), want: next},
		{name: "unsolicited pongs", bytes: join(encode(fin|opPong, []byte("x"), true), text(answer)), want: next},
		{name: "a length in more bytes than needed", bytes: append([]byte{fin | opText, 0xfe, 0, byte(len(answer)), 0, 0, 0, 0}, answer...), want: next},
		{name: "a byte-order mark", bytes: text(append([]byte("\ufeff"), answer...)), want: next},
		{name: "no UTF-8 in a commentary", bytes: text(bytes.Replace(answer, []byte("}"), []byte(`,"commentary":"`+"\xff\xfe"+`"}`), 1)), want: next},
		{name: "no UTF-8 at all", bytes: text([]byte("\xff\xfe\xfd")), want: "malformed"},
		{name: "half a character at the end of a fragment", bytes: join(encode(opText, answer[:len(answer)-1], true), encode(opContinuation, []byte(",\"commentary\":\"\xc3"), true), encode(fin|opContinuation, []byte("\xa9\"}"), true)), want: next},
		{name: "binary", bytes: encode(fin|opBinary, answer, true), want: "malformed"},
		{name: "an empty message", bytes: text(nil), want: "malformed"},
		{name: "deep nesting", bytes: text([]byte(strings.Repeat("[", 30_000))), want: "malformed"},
		{name: "duplicate names", bytes: text(bytes.Replace(answer, []byte(`"seq"`), []byte(`"action":4,"seq"`), 1)), want: "malformed"},
		{name: "two objects", bytes: text(append(answer[:len(answer):len(answer)], answer...)), want: "malformed"},

		{name: "unmasked", bytes: encode(fin|opText, answer, false), code: 1002, reason: websocket.ReasonProtocol},
		{name: "first reserved bit", bytes: encode(fin|0x40|opText, answer, true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "second reserved bit", bytes: encode(fin|0x20|opText, answer, true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "third reserved bit on a ping", bytes: encode(fin|0x10|opPing, nil, true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "reserved data opcode", bytes: encode(fin|3, answer, true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "reserved control opcode", bytes: encode(fin|11, nil, true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "continuation of nothing", bytes: encode(fin|opContinuation, answer, true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "a message within a message", bytes: join(encode(opText, answer[:10], true), text(answer)), code: 1002, reason: websocket.ReasonProtocol},
		{name: "a fragmented ping", bytes: encode(opPing, nil, true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "a ping of 126 bytes", bytes: encode(fin|opPing, make([]byte, 126), true), code: 1002, reason: websocket.ReasonProtocol},
		{name: "a negative length", bytes: []byte{fin | opText, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3, 4}, code: 1002, reason: websocket.ReasonProtocol},
		{name: "the largest length", bytes: join([]byte{fin | opText, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 1, 2, 3, 4}, make([]byte, 40_000)), want: "frame_too_large", code: 1009, reason: websocket.ReasonTooLarge},

		{name: "close 1000", bytes: closing("\x03\xe8bye"), code: 1000, reason: websocket.ReasonPeer},
		{name: "close 1001", bytes: closing("\x03\xe9"), code: 1001, reason: websocket.ReasonPeer},
		{name: "close 3000", bytes: closing("\x0b\xb8"), code: 3000, reason: websocket.ReasonPeer},
		{name: "close 4999", bytes: closing("\x13\x87"), code: 4999, reason: websocket.ReasonPeer},
		{name: "close without a code", bytes: closing(""), code: 0, reason: websocket.ReasonPeer},
		{name: "close with half a code", bytes: closing("\x03"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "close 999", bytes: closing("\x03\xe7"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "close 1004", bytes: closing("\x03\xec"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "close 1005", bytes: closing("\x03\xed"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "close 1006", bytes: closing("\x03\xee"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "close 1015", bytes: closing("\x03\xf7"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "close 2000", bytes: closing("\x07\xd0"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "close 5000", bytes: closing("\x13\x88"), code: 1002, reason: websocket.ReasonProtocol},
		{name: "a message after close", bytes: join(closing("\x03\xe8"), text(answer)), code: 1000, reason: websocket.ReasonPeer},
	} {
		t.Run(c.name, func(t *testing.T) {
			virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
				ann := h.join("ann")
				b := h.start("m-1", connectFour, "", noClock, "ann", "house")
				until[*ludux.ActionRequest](t, ann)
				go ann.Conn.Write(c.bytes)
				if c.want != "" {
					switch m := ann.message().(type) {
					case *ludux.ActionRequest:
						if c.want != next || m.Seq != 2 {
							t.Errorf("%+v", m)
						}
					case *ludux.Error:
						if c.want != string(m.Code) || m.MatchID != "m-1" && c.code == 0 {
							t.Errorf("%+v", m)
						}
					default:
						t.Errorf("%T", m)
					}
				}
				if c.reason == "" {
					ann.quiet(time.Second)
					if len(h.told(websocket.Closed)) != 0 {
						t.Errorf("%+v", h.lastClosed())
					}
					b.stop()
					return
				}
				if code, _ := ann.closed(); code != c.code {
					t.Errorf("closed with %d", code)
				}
				time.Sleep(2 * time.Second)
				e := h.lastClosed()
				code := c.code
				if c.name == "close without a code" {
					code = 1005
				}
				if e.Reason != c.reason || e.Code != code {
					t.Errorf("%+v", e)
				}
				ann = h.join("ann")
				if r := until[*ludux.ActionRequest](t, ann); r.Seq != 1 {
					t.Errorf("%+v", r)
				}
				b.stop()
			})
		})
	}
}

// TestPingFlood: pings are answered, but not any number of them, and a flood closes the connection.
func TestPingFlood(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		ann := h.join("ann")
		for i := range 64 {
			ann.write(fin|opPing, []byte{byte(i)})
			if f, ok := ann.next(); !ok || f.head != fin|opPong || len(f.payload) != 1 || f.payload[0] != byte(i) {
				t.Fatalf("%x %q", f.head, f.payload)
			}
		}
		ann.write(fin|opPing, nil)
		ann.quiet(time.Second)
		time.Sleep(15 * time.Second)
		ann.write(fin|opPing, []byte("again"))
		if f, ok := ann.next(); !ok || f.head != fin|opPong || string(f.payload) != "again" {
			t.Fatalf("%x %q", f.head, f.payload)
		}
		go func() {
			for ann.write(fin|opPing, nil) == nil {
			}
		}()
		if code, _ := ann.closed(); code != 1008 {
			t.Error(code)
		}
		time.Sleep(2 * time.Second)
		if e := h.lastClosed(); e.Reason != websocket.ReasonFlood {
			t.Errorf("%+v", e)
		}
	})
}

// TestHalfClosed: a peer that says no more, without closing its connection, is gone, and what it said before counts.
func TestHalfClosed(t *testing.T) {
	h, dial := wired(t, websocket.Options{})
	b := h.start("m-1", connectFour, "", noClock, "ann", "house")
	soon(t, "that it is not there yet is told", func() bool { return len(b.recorded(referee.KindGone)) == 1 })
	c := dial().(*net.TCPConn)
	ann := h.meet(c, "ann").listen()
	r := until[*ludux.ActionRequest](t, ann)
	ann.send(r.Respond("3", ""))
	until[*ludux.ActionRequest](t, ann)
	if err := c.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	ann.closed()
	soon(t, "the seat is gone", func() bool { return len(b.recorded(referee.KindGone)) == 2 })
	soon(t, "why", func() bool { return len(h.told(websocket.Closed)) == 1 })
	if e := h.lastClosed(); e.Reason != websocket.ReasonLost || e.Err != io.ErrUnexpectedEOF {
		t.Errorf("%+v", e)
	}
	c.Close()
}

// TestSlowUpgrade: a request that comes byte by byte has the time of the host's server and no more.
func TestSlowUpgrade(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		c := h.connect()
		go io.Copy(io.Discard, c)
		began := time.Now()
		for _, b := range []byte("GET /agents HTTP/1.1\r\nHost: arena.example\r\nConnection: Upgrade\r\n") {
			if _, err := c.Write([]byte{b}); err != nil {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if d := time.Since(began); d > 6*time.Second {
			t.Errorf("read for %v", d)
		}
	})
}

// TestSlowMessage: a message that comes byte by byte holds up nothing, and when no ping is answered meanwhile, its connection ends.
func TestSlowMessage(t *testing.T) {
	virtual(t, websocket.Options{}, func(t *testing.T, h *hall) {
		b := h.start("m-1", connectFour, "", noClock, "ann", "house")
		ann := h.join("ann")
		ann.silent.Store(true)
		r := until[*ludux.ActionRequest](t, ann)
		whole := encode(fin|opText, r.Respond("3", "").Append(nil), true)
		for _, x := range whole[:len(whole)-1] {
			if _, err := ann.Conn.Write([]byte{x}); err != nil {
				break
			}
			time.Sleep(time.Second)
		}
		synctest.Wait()
		if e := h.lastClosed(); e.Reason != websocket.ReasonPing {
			t.Errorf("%+v", e)
		}
		if got := fmt.Sprint(b.recordedMoves()); got != "[]" {
			t.Error(got)
		}
		b.stop()
	})
}
