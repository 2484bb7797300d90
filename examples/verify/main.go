// Verify proves records of matches: it checks the chain of each, plays the game
// again, and says what it found. With the public keys of a host, as it publishes
// them, it also checks who attests to them. It exits with 1 when one is not valid.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/replay"
)

func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: verify [-keys FILE] FILE...")
		flag.PrintDefaults()
	}
	keys := flag.String("keys", "", "public keys, as GET /api/v1/audit/public-keys gives them: records without a good attestation are refused")
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	os.Exit(run(*keys, flag.Args(), os.Stdout))
}

// run verifies each file and gives the exit code.
func run(keysPath string, paths []string, out io.Writer) int {
	v := verifier{rules: replay.Verifier{Resolve: replay.Rules(connectfour.New(), chess.New(), werewolf.New(), grid.New())}}
	if keysPath != "" {
		text, err := os.ReadFile(keysPath)
		if err == nil {
			v.keys, err = replay.ReadKeys(text)
		}
		if err != nil {
			fmt.Fprintln(out, err)
			return 2
		}
	}
	code := 0
	for _, path := range paths {
		if err := v.verify(path, out); err != nil {
			fmt.Fprintf(out, "%s: %v\n", path, err)
			code = 1
		}
	}
	return code
}

type verifier struct {
	rules replay.Verifier
	keys  *replay.Keys // nil: nobody asks
}

func (v *verifier) verify(path string, out io.Writer) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	report, err := v.rules.Verify(f)
	if err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: %v\n", path, report)
	if v.keys == nil {
		return nil
	}
	attested, err := v.keys.Check(report)
	if errors.Is(err, replay.ErrUnattested) {
		return errors.New("nobody attests to it")
	}
	for _, a := range attested {
		fmt.Fprintf(out, "%s: attested by %s\n", path, a.KeyID)
	}
	return err
}
