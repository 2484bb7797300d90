package uci

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/referee"
)

// options are those of a fake engine with waits that are long enough for a busy machine.
func options(t testing.TB, kind string) Options {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Options{Path: exe, Env: []string{fakeVariable + "=" + kind, "GORACE=atexit_sleep_ms=0"}, MoveTime: time.Minute, StopGrace: time.Minute, QuitGrace: time.Minute}
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
		stderr string // the end of it
	}{
		{kind: "good", move: "e2e4"},
		{kind: "crlf", move: "e2e4"},
		{kind: "garbage", move: "e2e4"},
		{kind: "stderr", move: "e2e4"},
		{kind: "answers and dies", move: "e2e4"},
		{kind: "forks", move: "e2e4"},
		{kind: "thinks on", change: func(o *Options) { o.MoveTime, o.Nodes, o.Cap = 0, 5, short }, move: "a2a3"},
		{kind: "thinks on", change: func(o *Options) { o.MoveTime, o.StopGrace = short, short }, move: "a2a3"},
		{kind: "dies in thought", code: "exited", fault: referee.Disconnected, stderr: "segmentation fault\n"},
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
				case tt.move == "" && (f == nil || f.Code != tt.code || f.Fault != tt.fault || !strings.HasSuffix(f.Stderr, tt.stderr)):
					t.Errorf("%q, %+v; want %s, %v, %q", x.move, f, tt.code, tt.fault, tt.stderr)
				}
			}
			if want := strings.TrimSpace(strings.Repeat(tt.code+" ", times)); tt.kind != "answers and dies" && told.codes() != want {
				t.Errorf("told of %q, not %q", told.codes(), want)
			}
		})
	}
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

// TestOpen: what is wrong with an engine or its settings is an error of Open.
func TestOpen(t *testing.T) {
	const short = 50 * time.Millisecond
	tests := []struct {
		kind   string
		change func(*Options)
		want   []string // parts of the error
	}{
		{"dies at once", nil, []string{"handshake", "exit status 3"}},
		{"silent", func(o *Options) { o.Handshake = short }, []string{"handshake", "no uciok within"}},
		{"noisy start", nil, []string{"flood"}},
		{"long line", nil, []string{"flood"}},
		{"never ready", func(o *Options) { o.Handshake = 500 * time.Millisecond }, []string{"handshake", "no readyok within"}},
		{"deaf", func(o *Options) { o.Handshake = 500 * time.Millisecond }, []string{"handshake", "no readyok within"}},
		{"forks and dies", nil, []string{"handshake", "exit status 4"}},
		{"good", func(o *Options) { o.Path += "-not-there" }, []string{"start", "no such file"}},
		{"good", func(o *Options) { o.Set = []Setting{{"Hash", "65"}, {"Wings", "2"}, {"Ponder", "true"}} }, []string{"Set: option Hash takes", `no option "Wings"`}},
		{"good", func(o *Options) { o.Set = []Setting{{"Huge", "1"}} }, []string{`no option "Huge"`}},
		{"", func(o *Options) {
			*o = Options{Nodes: -1, Depth: MaxDepth + 1, Processes: -1, MoveTime: time.Microsecond, Cap: -1, Margin: MaxWait + 1, Set: []Setting{{"", ""}, {"a", "b\nquit"}}}
		}, []string{"Path:", "Nodes:", "Depth:", "Processes:", "MoveTime:", "Cap:", "Margin:", "Set[0]:", "Set[1]:"}},
		{"", func(o *Options) { o.Set = make([]Setting, MaxSettings+1) }, []string{"Set: 257"}},
	}
	for _, tt := range tests {
		t.Run(tt.kind+" "+tt.want[0], func(t *testing.T) {
			t.Parallel()
			o := options(t, tt.kind)
			if tt.change != nil {
				tt.change(&o)
			}
			e, err := Open(t.Context(), o)
			if err == nil {
				e.Close()
				t.Fatal("no error")
			}
			for _, s := range tt.want {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%v; want %s", err, s)
				}
			}
		})
	}
	t.Run("context", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if _, err := Open(ctx, options(t, "silent")); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// TestSettings: the engine hears the settings in order, and what is to be searched.
func TestSettings(t *testing.T) {
	var told failures
	o := options(t, "echo")
	o.Set = []Setting{{"skill level", "3"}, {"Clear Hash", ""}, {"Style", "very wild"}, {"Book File", ""}}
	o.MoveTime, o.Nodes, o.Depth, o.Failed = 2*time.Second, 500, 7, told.add
	e := open(t, o)
	for _, seat := range []string{"m 0", "m 0", "m 1"} {
		if _, f := e.search(t.Context(), from(seat)); f != nil {
			t.Fatal(f)
		}
	}
	p := e.take("m 1")
	if p == nil {
		t.Fatal("its process is gone")
	}
	e.discard(p, failed("mute", nil))
	want := `setoption name Skill Level value 3
setoption name Clear Hash
setoption name Style value Very Wild
setoption name Book File value <empty>
ucinewgame
position startpos
go depth 7 nodes 500 movetime 2000
position startpos
go depth 7 nodes 500 movetime 2000
ucinewgame
position startpos
go depth 7 nodes 500 movetime 2000
`
	if diff := cmp.Diff(want, told.stderr()); diff != "" {
		t.Error(diff)
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

// TestLateAnswer: the answer to a search that was given up is never taken for that to the next, of whatever match.
func TestLateAnswer(t *testing.T) {
	t.Run("B54", func(t *testing.T) {
		for _, next := range []string{"m 0", "another 0"} {
			e := open(t, options(t, "repeats itself"))
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(50*time.Millisecond, cancel)
			if x, f := e.search(ctx, from("m 0")); f != nil || x.move != "a2a3" {
				t.Fatal(x, f)
			}
			x, f := e.search(t.Context(), from(next))
			if f != nil || x.move != "e2e4" || x.info.depth != 1 {
				t.Error(x, f)
			}
		}
	})
}

// TestIdleDeath: a process that ends while nothing is asked of it costs nobody anything.
func TestIdleDeath(t *testing.T) {
	e := open(t, options(t, "dies when idle"))
	if x, f := e.search(t.Context(), from("m 0")); f != nil || x.move != "e2e4" {
		t.Fatal(x, f)
	}
	// The process ends as it is asked whether it is ready, which it still says.
	p := e.take("m 0")
	p.ready(t.Context(), time.Minute)
	<-p.killed
	e.mu.Lock()
	e.idle = append(e.idle, p)
	e.mu.Unlock()
	if x, f := e.search(t.Context(), from("m 0")); f != nil || x.move != "e2e4" {
		t.Error(x, f)
	}
}

// TestAffinity: seats keep their processes while there are enough, and no process is searching twice.
func TestAffinity(t *testing.T) {
	o := options(t, "good")
	o.Processes = 2
	e := open(t, o)
	pids := map[string]int{}
	look := func(seat string) int {
		t.Helper()
		if _, f := e.search(t.Context(), from(seat)); f != nil {
			t.Fatal(f)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		for _, p := range e.idle {
			if p.seat == seat {
				return p.cmd.Process.Pid
			}
		}
		t.Fatal("no process")
		return 0
	}
	for range 2 {
		for _, seat := range []string{"a 0", "b 0"} {
			pid := look(seat)
			if pids[seat] == 0 {
				pids[seat] = pid
			}
			if pids[seat] != pid {
				t.Errorf("%s has changed its process", seat)
			}
		}
	}
	if pids["a 0"] == pids["b 0"] {
		t.Error("two seats on one process, where there may be two")
	}
	if pid := look("c 0"); pid != pids["a 0"] {
		t.Error("not the one that was idle longest")
	}
	e.release("b 0")
	if pid := look("d 0"); pid != pids["b 0"] {
		t.Error("not the one whose match was over")
	}
	if len(e.idle) != 2 {
		t.Errorf("%d processes", len(e.idle))
	}
}

// TestManySeats: more seats than processes wait for one another.
func TestManySeats(t *testing.T) {
	o := options(t, "good")
	o.Processes = 2
	e := open(t, o)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				if x, f := e.search(t.Context(), from(string(rune('a'+i)))); f != nil || x.move != "e2e4" {
					t.Error(x, f)
				}
			}
		})
	}
	wg.Wait()
	if n := len(e.idle); n < 1 || n > 2 {
		t.Errorf("%d processes", n)
	}
}

// TestGroup: children of an engine go with it, whichever way it goes.
func TestGroup(t *testing.T) {
	for _, kind := range []string{"forks", "forks and dies"} {
		t.Run(kind, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			o := options(t, kind)
			o.Env = append(o.Env, lifeVariable+"="+l.Addr().String())
			e, err := Open(t.Context(), o)
			if (err == nil) != (kind == "forks") {
				t.Fatal(err)
			}
			if e != nil {
				e.Close()
			}
			var said []string
			for range 2 {
				c, err := l.Accept()
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				c.SetReadDeadline(time.Now().Add(time.Minute))
				b, err := io.ReadAll(c) // until the process has ended
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Errorf("%q still lives", b)
				}
				said = append(said, strings.TrimSpace(string(b)))
			}
			slices.Sort(said)
			if diff := cmp.Diff([]string{"child", kind}, said); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestClose: Close is quick with an engine that goes, and bounded with one that does not.
func TestClose(t *testing.T) {
	t.Run("ignores quit", func(t *testing.T) {
		t.Parallel()
		o := options(t, "ignores quit")
		o.QuitGrace = 20 * time.Millisecond
		e := open(t, o)
		p := e.idle[0]
		e.Close()
		if !p.ended() || p.cmd.ProcessState.Exited() {
			t.Error(p.cmd.ProcessState)
		}
	})
	t.Run("goes", func(t *testing.T) {
		t.Parallel()
		e := open(t, options(t, "good"))
		p := e.idle[0]
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				e.Close()
				if !p.ended() || !p.cmd.ProcessState.Success() {
					t.Error(p.cmd.ProcessState)
				}
			})
		}
		wg.Wait()
		if x, f := e.search(t.Context(), from("m 0")); x.move != "" || f != nil {
			t.Error(x, f)
		}
	})
	t.Run("in thought", func(t *testing.T) {
		t.Parallel()
		for _, kind := range []string{"thinks on", "mute"} {
			o := options(t, kind)
			if kind == "mute" {
				o.StopGrace = 50 * time.Millisecond
			}
			e := open(t, o)
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := e.answer(ctx, nil, from("m 0"))
				done <- err
			}()
			for len(e.slots) == 0 {
				select {
				case <-done:
					t.Fatal("it answered")
				case <-time.After(time.Millisecond):
				}
			}
			cancel() // so that the answer of the one that has one is not looked at
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			e.Close()
		}
	})
}

// TestContextEnds: the end of a request's context is answered at once, whatever the engine does about it.
func TestContextEnds(t *testing.T) {
	var told failures
	o := options(t, "mute")
	o.StopGrace, o.Failed = 500*time.Millisecond, told.add
	e := open(t, o)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := e.answer(ctx, nil, from("m 0"))
	if !errors.Is(err, context.Canceled) || told.codes() != "" {
		t.Errorf("%v, after %q", err, told.codes())
	}
	// The one process is the muted one until it has been given up; then there is a new one.
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	waiting := *from("m 0")
	waiting.left = func() (time.Duration, bool) { cancel(); return time.Hour, true }
	if _, err := e.answer(ctx, nil, &waiting); !errors.Is(err, context.Canceled) || told.codes() != "mute" {
		t.Errorf("%v, after %q", err, told.codes())
	}
}

// TestDeafPipe: a process that does not read holds nobody up.
func TestDeafPipe(t *testing.T) {
	o := options(t, "deaf")
	p, err := launch(&o)
	if err != nil {
		t.Fatal(err)
	}
	if !p.send("uci", strings.Repeat("x", 4<<20)) {
		t.Error("the first lines do not fit")
	}
	if f := p.await(t.Context(), "uciok", time.Minute, nil); f != nil {
		t.Error(f)
	}
	for i := 0; p.send("isready"); i++ {
		if i > 100 {
			t.Fatal("it takes lines for ever")
		}
	}
	p.kill()
	p.end()
	if _, open := <-p.lines; open {
		t.Error("it goes on")
	}
}
