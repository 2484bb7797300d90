package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/replay"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// build makes the program, once a test.
func build(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gridhost")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// patience is far longer than anything here takes.
const patience = 5 * time.Minute

// process is a host that runs, and what it printed.
type process struct {
	cmd       *exec.Cmd
	base, key string
	errors    *bytes.Buffer
}

func launch(t *testing.T, program string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(program, append([]string{"-addr", "127.0.0.1:0"}, args...)...), errors: new(bytes.Buffer)}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.cmd.Stderr = p.errors
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	lines := bufio.NewScanner(out)
	for p.base == "" && lines.Scan() {
		what, value, _ := strings.Cut(lines.Text(), " ")
		switch what {
		case "base":
			p.base = value
		case "key":
			p.key = value
		default:
			t.Fatalf("it says %q", lines.Text())
		}
	}
	if p.base == "" {
		p.kill()
		t.Fatalf("it did not begin: %s", p.errors)
	}
	return p
}

// kill is kill -9.
func (p *process) kill() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	}
}

// agent is a client that sends each request until it is answered, whatever becomes of the host.
type agent struct {
	t    *testing.T
	http *http.Client
	key  string

	mu   sync.Mutex
	base string // of the host that runs now
	sent []sent
	n    int // requests that were answered
}

type sent struct{ path, body, answer string }

func (a *agent) move(base string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.base = base
}

// once sends a request once; the error is that of a host that is down.
func (a *agent) once(method, path, body string) (int, string, error) {
	a.mu.Lock()
	base := a.base
	a.mu.Unlock()
	ctx, cancel := context.WithTimeout(a.t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, base+"/api/benchmarks"+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+a.key)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Prefer", "wait=20")
	resp, err := a.http.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(answer), err
}

// send sends a request until it is answered.
func (a *agent) send(method, path, body string) string {
	a.t.Helper()
	over := time.Now().Add(patience)
	for time.Now().Before(over) {
		status, answer, err := a.once(method, path, body)
		switch {
		case err != nil, status == 429, status == 503:
			select { // a pause, as clients make
			case <-time.After(5 * time.Millisecond):
			case <-a.t.Context().Done():
			}
		case status == 200 || status == 201:
			if method == "POST" {
				a.sent = append(a.sent, sent{path, body, answer})
			}
			return answer
		default:
			a.t.Fatalf("%s %s %s: %d %s", method, path, body, status, answer)
		}
	}
	a.t.Fatalf("%s %s is never answered", method, path)
	return ""
}

type view struct {
	MatchID    string
	Status     string
	Revision   int
	LegalMoves []struct{ Row, Col int }
	History    []struct{ Seat int }
}

func (a *agent) view(answer string) (v view) {
	a.t.Helper()
	if err := json.Unmarshal([]byte(answer), &v); err != nil {
		a.t.Fatalf("%v: %s", err, answer)
	}
	return v
}

func id(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

// TestKilled kills the host at random moments while an agent plays, and finds that no match, no
// answer and no quota is lost.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs processes for seconds")
	}
	program, data := build(t), filepath.Join(t.TempDir(), "data")
	args := []string{"-data", data, "-pace", "1ms", "-rate", "10000", "-opponents", "casual,experimental", "-nodes", "200"}
	p := launch(t, program, append(args, "-key", "solver")...)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	a := &agent{t: t, http: &http.Client{Transport: transport}, base: p.base, key: p.key}
	kills := 0
	// send sends a request, and every few requests the host is killed and started again about then: before it comes, while it is answered or
	// after that. Their number does not depend on how fast anything is.
	send := func(method, path, body string) string {
		var killer sync.WaitGroup
		defer killer.Wait()
		if a.n++; a.n%5 == 0 {
			kills++
			killer.Go(func() {
				select {
				case <-time.After(time.Duration(rand.ExpFloat64() * float64(2*time.Millisecond))):
				case <-t.Context().Done():
				}
				p.kill()
				p = launch(t, program, args...)
				a.move(p.base)
			})
		}
		return a.send(method, path, body)
	}
	// The two matches that an account may begin in a day.
	var matches []string
	for seat, opponent := range []string{"casual", "experimental"} {
		v := a.view(send("POST", "/matches", fmt.Sprintf(`{"opponent":%q,"agentSeat":%d,"requestId":%q}`, opponent, seat, id(seat))))
		path := "/matches/" + v.MatchID
		matches = append(matches, v.MatchID)
		for n := 0; v.Status == "agent" || v.Status == "ai"; n++ {
			if v.Status == "ai" {
				v = a.view(send("GET", path, ""))
				continue
			}
			cell := v.LegalMoves[rand.IntN(len(v.LegalMoves))]
			v = a.view(send("POST", path+"/moves", fmt.Sprintf(`{"revision":%d,"moveId":%q,"row":%d,"col":%d}`, v.Revision, id(100*seat+1000+n), cell.Row, cell.Col)))
		}
		if v.Status != "completed" || len(v.History) != 81 {
			t.Fatalf("%+v", v)
		}
	}
	t.Logf("killed %d times", kills)
	if kills < 16 { // a fifth of the marks of its own
		t.Errorf("it was killed %d times only", kills)
	}
	for _, s := range a.sent {
		if answer := a.send("POST", s.path, s.body); answer != s.answer {
			t.Errorf("%s %s was answered\n%s\nis\n%s", s.path, s.body, s.answer, answer)
		}
	}
	if status, answer, err := a.once("POST", "/matches", fmt.Sprintf(`{"opponent":"casual","requestId":%q}`, id(9))); err != nil || status != 429 || !strings.Contains(answer, "quota_account") {
		t.Errorf("a third match: %d %s %v", status, answer, err)
	}
	p.kill()
	for _, match := range matches {
		f, err := os.Open(filepath.Join(data, "records", match+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		report, err := replay.Verify(f, replay.Rules(grid.New()))
		if err = errors.Join(err, report.Err()); err != nil {
			t.Error(err)
		}
		if n := strings.Count(fmt.Sprint(report), a.key); n > 0 {
			t.Error("the record holds the key")
		}
	}
	// Nothing that is kept holds the key, but by its hash.
	if err := filepath.WalkDir(data, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(a.key)) {
			t.Errorf("%s holds the key", path)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	if strings.Contains(p.errors.String(), a.key) {
		t.Errorf("it logs the key")
	}
}

// TestStops ends in order, and begins again where it was.
func TestStops(t *testing.T) {
	dir := t.TempDir()
	for _, bad := range [][]string{{"more"}, {"-proxy", "x"}, {"-nodes", "x"}} {
		if _, err := parse(bad, io.Discard); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	o, err := parse([]string{"-addr", "127.0.0.1:0", "-data", dir, "-key", "solver", "-opponents", "casual", "-proxy", "127.0.0.0/8"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		out, in := io.Pipe()
		var ended sync.WaitGroup
		ended.Go(func() {
			err := run(ctx, o, in, io.Discard)
			in.CloseWithError(err)
			if err != nil {
				t.Error(err)
			}
		})
		lines := bufio.NewScanner(out)
		var got []string
		for len(got) < 2 && lines.Scan() {
			got = append(got, lines.Text())
		}
		if len(got) != 2 || !strings.HasPrefix(got[0], "key lcb_") || !strings.HasPrefix(got[1], "base http://127.0.0.1:") {
			t.Errorf("it says %q", got)
		}
		cancel()
		ended.Wait()
	}
}
