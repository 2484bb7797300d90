package clienttest

import (
	"flag"
	"os"
	"testing"
)

// Main runs the tests of a package. Clients wait most of the time, so that many of them run at once, however few processors there are.
func Main(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "12"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
