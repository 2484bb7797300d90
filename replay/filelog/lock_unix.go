//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package filelog

import (
	"os"
	"syscall"
)

// careful are the flags that open no symbolic link, and do not wait for the
// other end of a pipe.
const careful = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// owned reports whether a file belongs to the user whom this process acts for.
func owned(info os.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
