//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package flock

import (
	"context"
	"os"
	"syscall"
	"time"
)

// Lock waits for the exclusive lock of an open file, which closing it gives back,
// or for the end of the context, whose error it then gives.
func Lock(ctx context.Context, f *os.File) error {
	conn, err := f.SyscallConn()
	if err != nil {
		return err
	}
	for wait := 100 * time.Microsecond; ; wait = min(2*wait, 20*time.Millisecond) {
		var locked error
		err := conn.Control(func(fd uintptr) { locked = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) })
		switch {
		case err != nil:
			return err
		case locked == nil:
			return nil
		case locked != syscall.EWOULDBLOCK && locked != syscall.EINTR:
			return os.NewSyscallError("flock", locked)
		}
		t := time.NewTimer(wait)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return ctx.Err()
		}
	}
}
