package gametest

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// TestMain has rapid draw the same games each time unless a seed is given, shrink failures briefly, since they are meant, and keep no files of them.
func TestMain(m *testing.M) {
	flag.Parse()
	set := map[string]string{"rapid.nofailfile": "true", "rapid.shrinktime": "20ms"}
	if flag.Lookup("rapid.seed").Value.String() == "0" {
		set["rapid.seed"] = "1"
	}
	for name, value := range set {
		if err := flag.Set(name, value); err != nil {
			panic(err)
		}
	}
	goleak.VerifyTestMain(m)
}
