//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package flock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
)

// Lock refuses with an error that wraps [errors.ErrUnsupported].
func Lock(context.Context, *os.File) error {
	return fmt.Errorf("no file locks on %s: %w", runtime.GOOS, errors.ErrUnsupported)
}
