package uci

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Environment of the test program when it plays an engine.
const (
	fakeVariable = "UCI_FAKE"     // how it misbehaves
	lifeVariable = "UCI_FAKE_TCP" // an address to be connected to as long as it lives
	moveVariable = "UCI_FAKE_MOVE"
)

func TestMain(m *testing.M) {
	if kind := os.Getenv(fakeVariable); kind != "" {
		if address := os.Getenv(lifeVariable); address != "" {
			c, err := net.Dial("tcp", address)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(2)
			}
			fmt.Fprintln(c, kind)
		}
		f := fake{in: bufio.NewScanner(os.Stdin), out: os.Stdout, kind: kind}
		f.in.Buffer(nil, 1<<20)
		f.run()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// fake is an engine that knows nothing of chess. It behaves, but for what its kind says.
type fake struct {
	in       *bufio.Scanner
	out      io.Writer
	kind     string
	searches int
	heard    []string // first words, for the kind "echo"
}

func (f *fake) say(lines ...string) {
	for _, s := range lines {
		end := "\n"
		if f.kind == "crlf" {
			end = "\r\n"
		}
		if _, err := io.WriteString(f.out, s+end); err != nil {
			os.Exit(0)
		}
	}
}

// flood writes a text until nobody reads it.
func (f *fake) flood(text string) {
	text = strings.Repeat(text, 32<<10/len(text))
	for {
		if _, err := io.WriteString(f.out, text); err != nil {
			os.Exit(0)
		}
	}
}

// stay outlives everything but being killed.
func stay() {
	for {
		<-time.After(time.Hour)
	}
}

func (f *fake) is(kinds ...string) bool {
	for _, k := range kinds {
		if f.kind == k {
			return true
		}
	}
	return false
}

func (f *fake) run() {
	switch f.kind {
	case "dies at once":
		fmt.Fprintln(os.Stderr, "cannot find my net")
		os.Exit(3)
	case "environment":
		fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), "\n"))
		os.Exit(5)
	case "silent":
		stay()
	case "garbage":
		f.say("", "\x00\xff\xfe", strings.Repeat("x", 3*MaxLine), "uciokay", " option", "option name", "id", "info", "bestmove e2e4")
	case "noisy start":
		f.flood("who knows what this is\n")
	case "long line":
		f.flood("y")
	case "stderr":
		fmt.Fprint(os.Stderr, strings.Repeat("z", 1<<20), "the end")
	case "forks", "forks and dies":
		r, w, err := os.Pipe()
		if err == nil {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), fakeVariable+"=child")
			child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
			child.ExtraFiles = []*os.File{w}
			err = child.Start()
		}
		if err == nil {
			_, err = r.Read(make([]byte, 1)) // until it lives
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if f.kind == "forks and dies" {
			os.Exit(4)
		}
	case "child":
		os.NewFile(3, "parent").Write([]byte{1})
		stay()
	}
	for f.in.Scan() {
		f.command(f.in.Text())
	}
	if f.is("ignores quit") {
		stay()
	}
}

func (f *fake) command(line string) {
	first, rest := word(line)
	if first != "isready" && first != "uci" {
		f.heard = append(f.heard, line)
	}
	switch first {
	case "uci":
		f.say("id name Fake 1.0", "id author Nobody in Particular")
		f.say("option name Hash type spin default 16 min 1 max 64", "option name Clear Hash type button",
			"option name Skill Level type spin default 20 min 0 max 20", "option name Style type combo default Solid var Solid var Very Wild",
			"option name Ponder type check default false", "option name Book File type string default <empty>",
			"option name Huge type spin default 0 min 0 max 99999999999999999999", "option broken", "option name Odd type dial default 1")
		f.say("uciok")
		if f.is("deaf") {
			stay()
		}
	case "isready":
		if f.is("repeats itself") && f.searches == 1 {
			f.say("info depth 3 score cp 5 pv h2h4", "bestmove h2h4")
		}
		if f.is("never ready") {
			return
		}
		f.say("readyok")
		if f.is("dies when idle") && f.searches > 0 {
			os.Exit(0)
		}
	case "quit":
		if !f.is("ignores quit") {
			os.Exit(0)
		}
	case "stop":
		if f.is("thinks on", "repeats itself") {
			f.say("bestmove a2a3")
			if f.is("repeats itself") {
				f.say("info depth 9 score cp 9 pv g2g4", "bestmove g2g4")
			}
		}
	case "go":
		f.searches++
		f.search(rest)
	}
}

func (f *fake) search(rest string) {
	switch f.kind {
	case "dies in thought":
		f.say("info depth 1 score cp 30 pv e2e4")
		fmt.Fprintln(os.Stderr, "segmentation fault")
		os.Exit(11)
	case "answers and dies":
		f.say("bestmove e2e4")
		os.Exit(0)
	case "floods":
		f.flood("info depth 1 nodes 1 score cp 1 pv e2e4\n")
	case "floods in a line":
		f.flood("y")
	case "mute", "thinks on":
		return
	case "repeats itself":
		if f.searches == 1 {
			return
		}
	case "moves":
		f.say("bestmove" + strings.TrimSuffix(" "+os.Getenv(moveVariable), " "))
		return
	case "echo":
		for _, s := range f.heard {
			fmt.Fprintln(os.Stderr, s)
		}
		f.heard = nil
	}
	f.say("info depth 1 seldepth 2 multipv 1 score cp 13 nodes 20 nps 20000 time 1 pv e2e4 e7e5", "info string thinking of e2e4")
	f.say("info depth 2 seldepth 4 multipv 2 score cp 99 nodes 70 pv d2d4", "info depth 2 currmove e2e4 currmovenumber 1")
	f.say("bestmove e2e4 ponder e7e5")
}
