//go:build !unix

package callback

import "net"

// isSocket reports whether quiet can tell something about a connection.
func isSocket(net.Conn) bool { return false }

// quiet is not called where nothing is a socket.
func quiet(net.Conn) bool { return false }
