package gametest

import (
	"flag"
	"os"
	"testing"
)

// TestMain has rapid write no files of failures, which are meant here, and shrink them briefly.
func TestMain(m *testing.M) {
	flag.Parse()
	for name, value := range map[string]string{"rapid.nofailfile": "true", "rapid.shrinktime": "200ms"} {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
