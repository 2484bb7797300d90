//go:build unix

package websocket_test

import "syscall"

// files sees to it that this process may open n files.
func files(n uint64) bool {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return false
	}
	if uint64(limit.Cur) >= n {
		return true
	}
	if uint64(limit.Max) < n {
		return false
	}
	limit.Cur = limit.Max
	return syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit) == nil
}
