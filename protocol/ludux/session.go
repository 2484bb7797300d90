package ludux

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/matchreferee/arena/internal/jsontext"
)

// Hello is an agent's first message on a WebSocket whose upgrade named no key.
type Hello struct {
	Key string `json:"-"` // secret: 1 to [MaxKey] bytes; encoding/json leaves it out, so that no log has it
}

// Kind is [KindHello].
func (*Hello) Kind() Kind { return KindHello }

// Append appends the message; see [Message].
func (m *Hello) Append(dst []byte) []byte {
	dst = head(dst, KindHello)
	dst = append(dst, `,"key":`...)
	return append(jsontext.AppendString(dst, m.Key), '}')
}

// String does not tell the key, so that no log does.
func (Hello) String() string { return "hello" }

// GoString does not tell the key, so that no log does.
func (Hello) GoString() string { return "ludux.Hello" }

func (m *Hello) read(r *reader) {
	m.Key = r.text("key", true)
	if n := len(m.Key); len(r.errs) == 0 && (n == 0 || n > MaxKey) {
		r.fail(fmt.Errorf("key has %d bytes, not 1 to %d", n, MaxKey))
	}
}

// Welcome tells an agent that its key counts, and what it may rely on. The open
// requests of its seats follow by themselves.
type Welcome struct {
	Agent    Identity      // whose key it is
	MaxFrame int           // bytes of a message
	Ping     time.Duration // between pings
	Replaced bool          // another connection of this agent, by whichever key, was closed for this one
}

// Kind is [KindWelcome].
func (*Welcome) Kind() Kind { return KindWelcome }

// Append appends the message; see [Message].
func (m *Welcome) Append(dst []byte) []byte {
	dst = m.Agent.append(head(dst, KindWelcome))
	dst = append(dst, `,"max_frame_bytes":`...)
	dst = jsontext.AppendInt(dst, m.MaxFrame)
	dst = append(dst, `,"ping_ms":`...)
	dst = appendMS(dst, m.Ping)
	dst = append(dst, `,"replaced":`...)
	return append(strconv.AppendBool(dst, m.Replaced), '}')
}

func (m *Welcome) read(r *reader) {
	m.Agent = r.identity()
	m.MaxFrame = int(r.int("max_frame_bytes", false, math.MaxInt32))
	m.Ping = r.ms("ping_ms", false)
	m.Replaced = r.bool("replaced")
}
