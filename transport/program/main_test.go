package program_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// mode is the variable that turns the test binary into a program to be run.
const mode = "PROGRAM_TEST"

func TestMain(m *testing.M) {
	if how := os.Getenv(mode); how != "" {
		behave(how)
		return
	}
	goleak.VerifyTestMain(m)
}

// look is what programs read of an observation.
type look struct {
	Status     string            `json:"status"`
	Revision   int               `json:"revision"`
	LegalMoves []json.RawMessage `json:"legalMoves"`
	Scores     []int             `json:"scores"`
	View       json.RawMessage   `json:"view"`
}

// behave is a program that plays first moves, or does something else.
func behave(how string) {
	switch how {
	case "bridge":
		bridge(os.Getenv(bridgeTo))
		return
	case "silent":
		select {}
	case "exits at once":
		os.Exit(3)
	case "closed":
		os.Stdout.Close()
		select {}
	case "endless":
		for {
			if _, err := os.Stdout.WriteString(strings.Repeat("x", 1<<16)); err != nil {
				return
			}
		}
	case "complains":
		fmt.Fprint(os.Stderr, strings.Repeat("x", 100_000), "the end")
	case "stubborn":
		signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	case "parent":
		child := exec.Command(os.Args[0])
		child.Env = []string{mode + "=silent"}
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Fprintln(os.Stderr, "child", child.Process.Pid)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		var o look
		if err := json.Unmarshal(in.Bytes(), &o); err != nil {
			panic(err)
		}
		if o.Status != "agent" {
			fmt.Fprintf(os.Stderr, "%s %v %q", o.Status, o.Scores, os.Environ())
			continue
		}
		if n == 3 && misbehave(how, o) {
			continue // that was its answer
		}
		answer(how, o)
		switch how {
		case "chatty":
			fmt.Println(`{"row":0,"col":0}`)
		case "flood":
			for {
				if _, err := fmt.Println(`{"row":0,"col":0}`); err != nil {
					return
				}
			}
		}
	}
	if how == "stubborn" || how == "parent" {
		select {}
	}
}

// misbehave does so in the third turn, and tells whether it has answered.
func misbehave(how string, o look) (skip bool) {
	switch how {
	case "garbage":
		fmt.Println("e5, I think")
		skip = true
	case "illegal":
		fmt.Println(`{"row":9,"col":9}`)
		skip = true
	case "exits":
		os.Exit(4)
	case "stops":
		select {}
	case "twice":
		fmt.Printf("%s\n%s\n", o.LegalMoves[0], o.LegalMoves[1])
		skip = true
	case "stale":
		fmt.Printf(`{"revision":%d,"row":0,"col":0}`+"\n", o.Revision-1)
		skip = true
	case "half":
		fmt.Printf(`{"row":`)
		os.Exit(0)
	}
	return skip
}

// answer gives the first legal move.
func answer(how string, o look) {
	move := string(o.LegalMoves[0])
	if !strings.HasPrefix(move, `{"row"`) {
		move = `{"action":` + move + `}`
	}
	if how == "careful" || how == "stale" {
		move = fmt.Sprintf(`{"revision":%d,%s`, o.Revision, move[1:])
	}
	fmt.Println(move)
}
