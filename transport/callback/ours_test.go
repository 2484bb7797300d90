package callback

import (
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"testing"
)

// TestWhose has one failure or several, and whose they are.
func TestWhose(t *testing.T) {
	op := func(e error) error { return fmt.Errorf("dial: %w", &net.OpError{Op: "dial", Err: e}) }
	refused, noRoute, noFiles, noIPv6 := op(syscall.ECONNREFUSED), op(syscall.ENETUNREACH), op(syscall.EMFILE), op(syscall.EADDRNOTAVAIL)
	for _, c := range []struct {
		name string
		err  error
		want blame
	}{
		{"refused", refused, theirs},
		{"reset", op(syscall.ECONNRESET), theirs},
		{"anything else", io.ErrUnexpectedEOF, theirs},
		{"their address", fmt.Errorf("%w: 10.0.0.1", ErrAddress), theirs},
		{"no such name", &lookupError{&net.DNSError{IsNotFound: true}}, theirs},
		{"no answer about a name", &lookupError{&net.DNSError{IsTimeout: true}}, unsure},
		{"no route", noRoute, unsure},
		{"no IPv6", noIPv6, unsure},
		{"no files", noFiles, our},
		{"no files for any", dialError{noFiles, noFiles}, our},
		{"no route to any", dialError{noRoute, noIPv6}, unsure},
		{"no route to one, refused by the other", dialError{noRoute, refused}, theirs},
		{"refused by one, no route to the other", dialError{refused, noRoute}, theirs},
		{"refused by one, no files for the other", dialError{refused, noFiles}, theirs},
		{"no route to one, no files for the other", dialError{noRoute, noFiles}, our},
	} {
		if got := whose(c.err); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if err := error(dialError{refused, noRoute}); err.Error() != refused.Error() || !errors.Is(err, syscall.ENETUNREACH) {
		t.Errorf("%v", err)
	}
}
