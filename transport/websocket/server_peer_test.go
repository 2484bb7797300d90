package websocket_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
)

// Opcodes of RFC 6455.
const (
	opContinuation, opText, opBinary, opClose, opPing, opPong = 0, 1, 2, 8, 9, 10
	fin                                                       = 0x80
)

// peer is the other side of a WebSocket, byte by byte.
type peer struct {
	t testing.TB
	net.Conn
	br     *bufio.Reader
	frames chan frame  // what came, until the connection ended
	silent atomic.Bool // answers no pings
}

type frame struct {
	head    byte // fin and opcode
	payload []byte
}

// upgrade asks for a WebSocket and gives the response. Headers are lines.
func upgrade(t testing.TB, c net.Conn, path string, headers ...string) (*bufio.Reader, *http.Response) {
	t.Helper()
	request := "GET " + path + " HTTP/1.1\r\nHost: arena.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
	for _, h := range headers {
		request += h + "\r\n"
	}
	if _, err := io.WriteString(c, request+"\r\n"); err != nil {
		t.Fatal(err)
	}
	br := bufio.NewReader(c)
	resp, err := http.ReadResponse(br, nil)
	if err != nil {
		t.Fatal(err)
	}
	return br, resp
}

// refused asks for a WebSocket that is not to be had, and gives status and body.
func (h *hall) refused(path string, headers ...string) (*http.Response, string) {
	h.Helper()
	c := h.connect()
	defer c.Close()
	_, resp := upgrade(h, c, path, append(headers, "X-Close: yes")...)
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode == http.StatusSwitchingProtocols {
		h.Fatalf("%s: %v %v", path, resp.Status, err)
	}
	return resp, string(body)
}

// open connects and upgrades.
func (h *hall) open(path string, headers ...string) *peer {
	h.Helper()
	c := h.connect()
	br, resp := upgrade(h, c, path, headers...)
	if resp.StatusCode != http.StatusSwitchingProtocols {
		h.Fatalf("%s: %s", path, resp.Status)
	}
	return &peer{t: h.T, Conn: c, br: br}
}

// join connects an agent by its slug, and reads the welcome.
func (h *hall) join(slug string) *peer {
	h.Helper()
	p := h.open("/agents", "Authorization: Bearer key-"+slug)
	p.listen()
	if w, ok := p.message().(*ludux.Welcome); !ok || w.Agent.Slug != slug || w.MaxFrame != ludux.MaxFrame {
		h.Fatalf("welcome: %+v", w)
	}
	return p
}

// listen reads from now on, answering pings.
func (p *peer) listen() *peer {
	p.frames = make(chan frame, 4096)
	go func() {
		defer close(p.frames)
		for {
			f, err := readFrame(p.br)
			if err != nil {
				return
			}
			switch {
			case f.head&15 == opPing && !p.silent.Load():
				p.write(fin|opPong, f.payload)
			case f.head&15 == opPing:
			default:
				p.frames <- f
			}
		}
	}()
	return p
}

func readFrame(r io.Reader) (f frame, err error) {
	var h [8]byte
	if _, err = io.ReadFull(r, h[:2]); err != nil {
		return f, err
	}
	f.head = h[0]
	n := uint64(h[1])
	switch n {
	case 126:
		_, err = io.ReadFull(r, h[:2])
		n = uint64(binary.BigEndian.Uint16(h[:]))
	case 127:
		_, err = io.ReadFull(r, h[:8])
		n = binary.BigEndian.Uint64(h[:])
	}
	if err != nil || n > 1<<20 {
		return f, fmt.Errorf("a frame of %d bytes: %v", n, err)
	}
	f.payload = make([]byte, n)
	_, err = io.ReadFull(r, f.payload)
	return f, err
}

// encode gives a frame as it goes over the wire, masked as a client's must be.
func encode(head byte, payload []byte, masked bool) []byte {
	b := []byte{head}
	var mask byte
	if masked {
		mask = 0x80
	}
	switch n := len(payload); {
	case n < 126:
		b = append(b, mask|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, mask|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, mask|127), uint64(n))
	}
	if !masked {
		return append(b, payload...)
	}
	key := [4]byte{0x12, 0xfe, 0x80, 0x07}
	b = append(b, key[:]...)
	for i, x := range payload {
		b = append(b, x^key[i&3])
	}
	return b
}

// write writes a frame. An error means that the other side has had enough.
func (p *peer) write(head byte, payload []byte) error {
	_, err := p.Conn.Write(encode(head, payload, true))
	return err
}

// send sends a message.
func (p *peer) send(m ludux.Message) {
	p.t.Helper()
	if err := p.write(fin|opText, m.Append(nil)); err != nil {
		p.t.Fatal(err)
	}
}

// next gives the next frame; false: there is none any more.
func (p *peer) next() (frame, bool) {
	p.t.Helper()
	select {
	case f, ok := <-p.frames:
		return f, ok
	case <-time.After(2 * time.Minute):
		p.t.Fatal("nothing came")
	}
	return frame{}, false
}

// message gives the next message, passing over pongs; nil: the connection is closed.
func (p *peer) message() ludux.Message {
	p.t.Helper()
	f, ok := p.next()
	for ok && f.head == fin|opPong {
		f, ok = p.next()
	}
	if !ok || f.head == fin|opClose {
		return nil
	}
	if f.head != fin|opText {
		p.t.Fatalf("frame %x %q", f.head, f.payload)
	}
	m, err := ludux.DecodeFromArena(f.payload)
	if err != nil {
		p.t.Fatalf("%v\n%s", err, f.payload)
	}
	return m
}

// expect gives the next message of a type, and fails on another one.
func expect[M ludux.Message](t testing.TB, p *peer) M {
	t.Helper()
	m := p.message()
	want, ok := m.(M)
	if !ok {
		t.Fatalf("%T %+v, want %T", m, m, want)
	}
	return want
}

// until gives the next message of a type, and passes over others.
func until[M ludux.Message](t testing.TB, p *peer) M {
	t.Helper()
	for {
		m := p.message()
		if want, ok := m.(M); ok || m == nil {
			if !ok {
				t.Fatalf("closed before a %T", want)
			}
			return want
		}
	}
}

// closed passes over what comes until the connection is closed, and gives the code, 0 for none, and the error that came last.
func (p *peer) closed() (code int, last *ludux.Error) {
	p.t.Helper()
	for {
		f, ok := p.next()
		switch {
		case !ok:
			return code, last
		case f.head == fin|opClose && len(f.payload) >= 2:
			code = int(binary.BigEndian.Uint16(f.payload))
			p.write(fin|opClose, f.payload[:2])
		case f.head == fin|opText:
			if m, err := ludux.DecodeFromArena(f.payload); err == nil {
				if e, ok := m.(*ludux.Error); ok {
					last = e
				}
			}
		}
	}
}

// quiet fails if anything comes before a time has passed.
func (p *peer) quiet(d time.Duration) {
	p.t.Helper()
	select {
	case f, ok := <-p.frames:
		p.t.Fatalf("%v %x %q", ok, f.head, f.payload)
	case <-time.After(d):
	}
}

// bye closes the connection as a client does.
func (p *peer) bye() {
	p.write(fin|opClose, []byte{3, 232})
	p.closed()
	p.Conn.Close()
}

// play answers every request, until the connection is closed or a match has ended, which it gives.
func (p *peer) play(choose func(*ludux.ActionRequest) game.Action) *ludux.MatchEnd {
	for {
		switch m := p.message().(type) {
		case *ludux.ActionRequest:
			if a := choose(m); a != "" {
				p.write(fin|opText, m.Respond(a, "").Append(nil))
			}
		case *ludux.MatchEnd:
			return m
		case nil:
			return nil
		}
	}
}

// leftmost takes the first action that is listed.
func leftmost(m *ludux.ActionRequest) game.Action { return m.LegalActions[0] }

// padded gives a response of exactly n bytes.
func padded(m *ludux.ActionRequest, n int) []byte {
	b := m.Respond(m.LegalActions[0], "").Append(nil)
	b = append(bytes.TrimSuffix(b, []byte("}")), `,"pad":"`...)
	return append(append(b, strings.Repeat("x", n-len(b)-2)...), `"}`...)
}
