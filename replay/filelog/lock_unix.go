//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelog

import (
	"context"
	"os"
	"syscall"
	"time"
)

// careful are the flags that open no symbolic link, and do not wait for the
// other end of a pipe.
const careful = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// owned reports whether a file belongs to the user whom this process acts for.
func owned(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// lockFile waits for the exclusive lock of an open file, which closing it gives
// back, or for the end of the context.
func lockFile(ctx context.Context, f *os.File) error {
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
