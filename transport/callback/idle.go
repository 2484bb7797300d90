package callback

import (
	"errors"
	"os"
	"time"
)

// longAgo is a deadline that has passed.
var longAgo = time.Unix(1, 0)

// rest is called when a connection begins to lie idle. Where its socket cannot
// be looked at, a read waits for what should not come.
func (c *conn) rest() {
	if c.socket {
		return
	}
	c.came = make(chan error, 1)
	came, in := c.came, c.in
	go func() {
		_, err := in.Peek(1)
		came <- err
	}()
}

// wake is called when it is to be used again, and reports whether it is as it
// was left. Whatever came meanwhile answers no request: a second reply, a server
// that gives up waiting (status 408), the end.
func (c *conn) wake() bool {
	if !c.socket {
		c.raw.SetReadDeadline(longAgo)
		err := <-c.came
		c.raw.SetReadDeadline(time.Time{})
		return errors.Is(err, os.ErrDeadlineExceeded)
	}
	if c.target.tls { // it may hold bytes that the socket has given
		c.raw.SetReadDeadline(longAgo)
		_, err := c.in.Peek(1)
		c.raw.SetReadDeadline(time.Time{})
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return false
		}
	}
	return quiet(c.raw)
}
