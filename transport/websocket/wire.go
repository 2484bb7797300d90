package websocket

import (
	"bufio"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Sizes of the buffers of a connection. A request of most games fits the second.
const (
	readBuffer  = 1 << 10
	writeBuffer = 2 << 10
)

// mostWire is how many bytes may come for one message, or between two pings:
// one of the largest messages in frames of one byte each fits.
const mostWire = 8 * 32_768

var errFlood = errors.New("too many bytes that belong to no message")

// wire is the connection below a WebSocket. It bounds how long a write takes, and
// how much comes in that makes no message. What failed first is kept.
type wire struct {
	net.Conn
	patience time.Duration // for a write
	early    []byte        // came with the upgrade
	read     atomic.Int64  // bytes since reset
	mu       sync.Mutex
	err      error // of the first Read or Write that failed
	written  bool  // it was a Write
}

// reset allows mostWire bytes again, and gives how many came.
func (w *wire) reset() int64 { return w.read.Swap(0) }

// Read reads what came early, then the connection.
func (w *wire) Read(p []byte) (n int, err error) {
	if len(w.early) > 0 {
		n = copy(p, w.early)
		if w.early = w.early[n:]; len(w.early) == 0 {
			w.early = nil
		}
	} else if n, err = w.Conn.Read(p); err != nil {
		w.note(err, false)
	}
	if w.read.Add(int64(n)) > mostWire {
		w.note(errFlood, false)
		return 0, errFlood
	}
	return n, err
}

// Write ends by a deadline of its own.
func (w *wire) Write(p []byte) (int, error) {
	if err := w.Conn.SetWriteDeadline(time.Now().Add(w.patience)); err != nil {
		w.note(err, true)
		return 0, err
	}
	n, err := w.Conn.Write(p)
	if err != nil {
		w.note(err, true)
	}
	return n, err
}

func (w *wire) note(err error, written bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err, w.written = err, written
	}
}

// failure gives what failed first; nil: nothing did.
func (w *wire) failure() (err error, written bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err, w.written
}

// hijacker gives the WebSocket library a wire with small buffers: those of
// net/http are four times as large, and an agent that thinks needs none.
type hijacker struct {
	http.ResponseWriter
	wire   *wire
	status int // of the reply; 0: none yet
}

// WriteHeader keeps the status.
func (h *hijacker) WriteHeader(status int) {
	h.status = status
	h.ResponseWriter.WriteHeader(status)
}

// Hijack is of [http.Hijacker].
func (h *hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	c, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	early, _ := rw.Reader.Peek(rw.Reader.Buffered())
	h.wire.Conn, h.wire.early = c, append([]byte(nil), early...)
	c.SetDeadline(time.Time{}) // of the server, for requests
	return h.wire, bufio.NewReadWriter(bufio.NewReaderSize(h.wire, readBuffer), bufio.NewWriterSize(h.wire, writeBuffer)), nil
}
