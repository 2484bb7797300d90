package uci

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/matchreferee/arena/referee"
)

// options are those of a fake engine with waits that are long enough for a busy machine.
func options(t testing.TB, kind string) Options {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{
		Path: exe, Env: []string{fakeVariable + "=" + kind, "GORACE=atexit_sleep_ms=0"},
		MoveTime: time.Minute, Handshake: time.Minute, StopGrace: time.Minute, QuitGrace: time.Minute,
	}
}

// patiently calls f with ever more time until that was enough, which is the machine's affair.
func patiently(t *testing.T, f func(d time.Duration) (enough bool)) {
	t.Helper()
	for d := 500 * time.Millisecond; !f(d); d *= 4 {
		if d > time.Minute {
			t.Fatalf("%v is not enough", d)
		}
	}
}

// open opens an engine that is closed with the test.
func open(t testing.TB, o Options) *Engine {
	t.Helper()
	e, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func (p *process) ended() bool {
	select {
	case <-p.killed:
		return true
	default:
		return false
	}
}

func unlimited() (time.Duration, bool) { return 0, false }

// from is a search of the starting position for a seat.
func from(seat string) *search {
	return &search{seat: seat, position: "position startpos", left: unlimited}
}

// failures collects what Failed is told.
type failures struct {
	mu   sync.Mutex
	list []*Failure
}

func (x *failures) add(f *Failure) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, f)
}

func (x *failures) codes() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	var l []string
	for _, f := range x.list {
		l = append(l, f.Code)
	}
	return strings.Join(l, " ")
}

func (x *failures) stderr() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := ""
	for _, f := range x.list {
		s += f.Stderr
	}
	return s
}

func TestSearch(t *testing.T) {
	const short = 50 * time.Millisecond
	tests := []struct {
		kind   string
		change func(*Options)
		move   string // "": a failure
		code   string
		fault  referee.Fault
		stderr string // part of it
	}{
		{kind: "good", move: "e2e4"},
		{kind: "crlf", move: "e2e4"},
		{kind: "garbage", move: "e2e4"},
		{kind: "stderr", move: "e2e4"},
		{kind: "answers and dies", move: "e2e4"},
		{kind: "forks", move: "e2e4"},
		{kind: "thinks on", change: func(o *Options) { o.MoveTime, o.Nodes, o.Cap = 0, 5, short }, move: "a2a3"},
		{kind: "dies in thought", code: "exited", fault: referee.Disconnected, stderr: "segmentation fault"},
		{kind: "floods", code: "flood", fault: referee.BadProtocol},
		{kind: "floods in a line", code: "flood", fault: referee.BadProtocol},
		{kind: "mute", change: func(o *Options) { o.MoveTime, o.StopGrace = short, short }, code: "mute", fault: referee.BadProtocol},
	}
	for _, tt := range tests {
		t.Run(tt.kind, func(t *testing.T) {
			t.Parallel()
			var told failures
			o := options(t, tt.kind)
			o.Failed = told.add
			if tt.change != nil {
				tt.change(&o)
			}
			e := open(t, o)
			times := 2 // a failure is followed by a new process, and that by the same failure
			if tt.code == "flood" {
				times = 1 // a long one
			}
			for range times {
				x, f := e.search(t.Context(), from("m 0"))
				switch {
				case tt.move != "" && (f != nil || x.move != tt.move):
					t.Errorf("%q, %v; want %s", x.move, f, tt.move)
				case tt.move == "" && (f == nil || f.Code != tt.code || f.Fault != tt.fault || !strings.Contains(f.Stderr, tt.stderr)):
					t.Errorf("%q, %+v; want %s, %v, %q", x.move, f, tt.code, tt.fault, tt.stderr)
				}
			}
			if want := strings.TrimSpace(strings.Repeat(tt.code+" ", times)); tt.kind != "answers and dies" && told.codes() != want {
				t.Errorf("told of %q, not %q", told.codes(), want)
			}
		})
	}
}

// TestOverdrawn: an engine that thinks on after its time is told to stop.
func TestOverdrawn(t *testing.T) {
	t.Parallel()
	patiently(t, func(grace time.Duration) bool {
		o := options(t, "thinks on")
		o.MoveTime, o.StopGrace = 50*time.Millisecond, grace
		x, f := open(t, o).search(t.Context(), from("m 0"))
		if f != nil && f.Code == "mute" {
			return false
		}
		if f != nil || x.move != "a2a3" {
			t.Errorf("%q, %v", x.move, f)
		}
		return true
	})
}

func TestFigures(t *testing.T) {
	e := open(t, options(t, "good"))
	if e.Name() != "Fake 1.0" || e.Author() != "Nobody in Particular" || len(e.Declared()) != 6 {
		t.Errorf("%q by %q, %+v", e.Name(), e.Author(), e.Declared())
	}
	e.Declared()[3].Vars[0] = "changed"
	if e.Declared()[3].Vars[0] != "Solid" {
		t.Error("Declared gives memory of its own")
	}
	x, f := e.search(t.Context(), from("m 0"))
	if f != nil {
		t.Fatal(f)
	}
	if want := `{"cp":13,"depth":1,"nodes":20,"pv":"e2e4 e7e5","seldepth":2}`; string(x.info.meta()) != want {
		t.Errorf("%s, not %s", x.info.meta(), want)
	}
}

func TestGoLine(t *testing.T) {
	const s, ms = time.Second, time.Millisecond
	tests := []struct {
		name    string
		o       Options
		left    time.Duration
		limited bool
		line    string
		soft    time.Duration
	}{
		{"nothing said", Options{}, 0, false, "go movetime 100", 1100 * ms},
		{"nodes", Options{Nodes: 9}, 0, false, "go nodes 9", DefaultCap},
		{"nodes and a deadline", Options{Nodes: 9}, 10 * s, true, "go nodes 9", 9950 * ms},
		{"depth and a cap", Options{Depth: 3, Cap: 2 * s}, 10 * s, true, "go depth 3", 2 * s},
		{"time", Options{MoveTime: 2 * s}, 10 * s, true, "go movetime 2000", 3 * s},
		{"time to the deadline", Options{MoveTime: 20 * s}, 10 * s, true, "go movetime 9950", 9950 * ms},
		{"little time", Options{MoveTime: 20 * s}, 80 * ms, true, "go movetime 40", 40 * ms},
		{"no time", Options{MoveTime: 20 * s}, 0, true, "go movetime 1", ms},
		{"margin", Options{MoveTime: 20 * s, Margin: 3 * s}, 10 * s, true, "go movetime 7000", 7 * s},
		{"all", Options{MoveTime: s, Nodes: 5, Depth: 4}, 0, false, "go depth 4 nodes 5 movetime 1000", 2 * s},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.fill()
			if line, soft := tt.o.goLine(tt.left, tt.limited); line != tt.line || soft != tt.soft {
				t.Errorf("%q, %v; want %q, %v", line, soft, tt.line, tt.soft)
			}
		})
	}
}
