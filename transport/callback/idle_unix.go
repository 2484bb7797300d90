//go:build unix

package callback

import (
	"net"
	"syscall"
)

// isSocket reports whether quiet can tell something about a connection.
func isSocket(c net.Conn) bool {
	_, ok := c.(syscall.Conn)
	return ok
}

// quiet reports whether a socket is open with nothing to read. It does not wait.
func quiet(c net.Conn) bool {
	raw, err := c.(syscall.Conn).SyscallConn()
	if err != nil {
		return false
	}
	var failed error
	err = raw.Read(func(fd uintptr) bool {
		for {
			var b [1]byte
			if _, _, failed = syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK); failed != syscall.EINTR {
				return true
			}
		}
	})
	return err == nil && (failed == syscall.EAGAIN || failed == syscall.EWOULDBLOCK) // nil: a byte, or the end
}
