// Verify proves records of matches: it checks the chain of each, plays the game
// again, and says what it found. It exits with 1 when one is not valid.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/replay"
)

func main() {
	flag.Usage = func() { fmt.Fprintln(os.Stderr, "usage: verify FILE...") }
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(run(flag.Args(), os.Stdout))
}

// run verifies each file and gives the exit code.
func run(paths []string, out io.Writer) int {
	code := 0
	for _, path := range paths {
		if err := verify(path, out); err != nil {
			fmt.Fprintf(out, "%s: %v\n", path, err)
			code = 1
		}
	}
	return code
}

func verify(path string, out io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	report, err := replay.Verify(f, replay.Rules(connectfour.New()))
	if err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %v\n", path, report)
	return nil
}
