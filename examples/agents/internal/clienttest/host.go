package clienttest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hosted plays against the opponents of a real host, in both seats, while the client is killed now and then.
func hosted(t *testing.T, client []string) {
	base, key := host(t)
	for _, opponent := range []string{"casual", "hell_v2"} {
		for seat := range 2 {
			t.Run(opponent+" "+strconv.Itoa(seat), func(t *testing.T) {
				t.Parallel()
				run := Run{
					Client: client, Opponent: opponent, Base: base, Key: key, State: filepath.Join(t.TempDir(), "match.json"),
					More: []string{"--seat", strconv.Itoa(seat), "--name", "Bot of " + opponent},
				}
				for range 2 {
					wait, kill := run.start(t)
					timer := time.AfterFunc(time.Duration(500+rand.IntN(1500))*time.Millisecond, kill)
					wait()
					timer.Stop()
				}
				run.do(t).want(t, Played, "completed: ")
				st := readState(t, run.State)
				replay(t, base, st.MatchID, seat)
			})
		}
	}
}

// replay looks whether the host's own replay of a match has it played to its end by the agent of a seat.
func replay(t *testing.T, base, match string, seat int) {
	t.Helper()
	status, b := get(t, base+"/api/benchmarks/replays/"+match)
	var r struct {
		MatchID   string
		Status    string
		AgentSeat *int
		History   []struct{ Seat, Row, Col int }
	}
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if r.MatchID != match || r.Status != "completed" || len(r.History) != cells || r.AgentSeat == nil || *r.AgentSeat != seat {
		t.Errorf("%d: %s", status, b)
	}
}

// get asks for a page of a host, which tells those at one address when they ask too often, the clients and this one together.
func get(t *testing.T, url string) (status int, body []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err = io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp.StatusCode, body
		}
		after, err := strconv.Atoi(resp.Header.Get("Retry-After"))
		if err != nil {
			t.Fatalf("Retry-After: %v", err)
		}
		select {
		case <-time.After(time.Duration(after) * time.Second):
		case <-ctx.Done():
			t.Fatal(ctx.Err())
		}
	}
}

// host starts a host whose opponents think for a short time, and gives its address and a key.
func host(t *testing.T) (base, key string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "gridhost")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/matchreferee/arena/examples/gridhost").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	cmd := exec.CommandContext(ctx, program, "-addr", "127.0.0.1:0", "-data", filepath.Join(t.TempDir(), "data"), "-key", "solver", "-heavy", "-nodes", "2000",
		"-starts", "100", "-rate", "10") // so few that the four clients meet 429 too
	cmd.Stderr, cmd.WaitDelay = os.Stderr, 5*time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for (base == "" || key == "") && lines.Scan() {
		if k, ok := strings.CutPrefix(lines.Text(), "key "); ok {
			key = k
		}
		if i := strings.Index(lines.Text(), "http://"); i >= 0 {
			base, _, _ = strings.Cut(lines.Text()[i:], "/api")
		}
	}
	if base == "" || key == "" {
		t.Fatal("the host does not listen")
	}
	return base, key
}
