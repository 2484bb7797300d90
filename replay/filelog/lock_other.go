//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package filelog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
)

// careful is empty, and owned is not asked: lockFile refuses before.
const careful = 0

func owned(os.FileInfo) bool { return false }

// lockFile refuses: without a lock that ends with its process, two referees could
// write to one record.
func lockFile(context.Context, *os.File) error {
	return fmt.Errorf("no file locks on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}
