package transporttest_test

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/transport/transporttest"
)

// chosen names, in the environment of a process that tries a fake, which.
const chosen = "TRANSPORTTEST_FAKE"

func TestMain(m *testing.M) {
	if os.Getenv(chosen) != "" {
		os.Exit(m.Run())
	}
	goleak.VerifyTestMain(m)
}

// TestFake is the one test of such a process.
func TestFake(t *testing.T) {
	name := os.Getenv(chosen)
	if name == "" {
		t.Skip("TestFakes runs it")
	}
	called := func(f fake) bool { return f.name == name }
	o := transporttest.Options{Virtual: true}
	if slices.ContainsFunc(fakesSent, called) {
		o.Terms = agentarena.Policy
	}
	f := allFakes[slices.IndexFunc(allFakes, called)]
	if f.setup(t).Cut == nil && f.says != "needs Harness.Cut" {
		o.Skip = map[string]string{"reconnect": "no connections"}
	}
	transporttest.Run(t, f.setup, o)
}

// TestRealTime makes the checks of the whole fakes without virtual time.
func TestRealTime(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for deadlines")
	}
	transporttest.Run(t, withSessions(flaws{}), transporttest.Options{})
}

var allFakes = slices.Concat(fakes, fakesSent)

var verdict = regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): TestFake/(\w+) `)

// TestFakes lets the kit find out what is wrong with each fake.
func TestFakes(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	free := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
	for i, f := range allFakes {
		t.Run(f.name, func(t *testing.T) {
			if testing.Short() && i%5 != 0 {
				t.Skip("one in five is tried")
			}
			t.Parallel()
			free <- struct{}{}
			defer func() { <-free }()
			ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, self, "-test.run=^TestFake$", "-test.v", "-test.timeout=8m")
			cmd.Env = append(os.Environ(), chosen+"="+f.name)
			out, err := cmd.CombinedOutput()
			checks, failed := 0, []string{}
			for _, m := range verdict.FindAllStringSubmatch(string(out), -1) {
				checks++
				if m[1] == "FAIL" {
					failed = append(failed, m[2])
				}
			}
			if checks != 17 || (err == nil) != (f.fails == "") {
				t.Fatalf("%d checks, %v:\n%s", checks, err, out)
			}
			if got := strings.Join(failed, " "); got != f.fails {
				t.Errorf("failed: %q, not %q:\n%s", got, f.fails, out)
			}
			says := regexp.MustCompile(f.says)
			for _, name := range failed {
				_, said, _ := strings.Cut(string(out), "=== RUN   TestFake/"+name+"\n")
				said, _, _ = strings.Cut(said, "=== RUN ")
				said, _, _ = strings.Cut(said, "--- FAIL")
				if !says.MatchString(said) {
					t.Errorf("%s does not say %q:\n%s", name, f.says, said)
				}
			}
		})
	}
}
