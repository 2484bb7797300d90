//go:build unix

package keys

import "os"

// private reports whether nobody but its owner may write a file.
func private(info os.FileInfo) bool { return info.Mode().Perm()&0o022 == 0 }
