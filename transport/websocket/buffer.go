package websocket

import (
	"sync"

	"github.com/matchreferee/arena/protocol/ludux"
)

// buffers are shared by all connections: who waits has none.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

func getBuffer() []byte {
	p := buffers.Get().(*[]byte)
	if cap(*p) == 0 {
		*p = make([]byte, 0, 2048)
	}
	return (*p)[:0]
}

// putBuffer takes a buffer back, unless it is nil or has grown beyond any frame.
func putBuffer(b []byte) {
	if b != nil && cap(b) <= 2*ludux.MaxFrame {
		buffers.Put(&b)
	}
}
