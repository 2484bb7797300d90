package gametest

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// failure runs the kit over a broken game and gives what the failing check says.
func failure(t *testing.T, g game.Game, opts Options) string {
	t.Helper()
	r := &recorder{name: "TestRules"}
	r.do(func() { run(r, g, opts, nil) })
	failed, _ := r.result()
	if len(failed) != 1 {
		t.Fatalf("%d checks failed, not one", len(failed))
	}
	return failed[0].log.String()
}

// TestMessage: a failure tells seed and moves, both boards, and the line that runs it again.
func TestMessage(t *testing.T) {
	text := failure(t, game.New(nimLost{nim{Pile: 2}}), Options{NoTranscripts: true})
	for _, want := range []string{
		`(?m)^seed: [0-9]+$`,
		`(?m)^run it again: go test -run '\^TestRules\$/\^position\$' -rapid.seed=[0-9]+$`,
		`the position "[0-9]-[0-9]-[0-9]:0" has the turn .*, and as a start .*`,
		`game: nim 1.0.0, ruleset \{"pile":2\}, 2 seats`,
		`moves \([0-9]*[13579] steps\): 0:\{"heap":[0-2],"take":[12]\}`,
		`before the last step:\na o*\nb o*\nc o*\nafter it:\na o*\nb o*\nc o*\n`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("the message has nothing like %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "[rapid] draw") {
		t.Errorf("the message lists draws beside moves:\n%s", text)
	}
}

// TestMessageOfPanic: what was played before the rules broke down is told too.
func TestMessageOfPanic(t *testing.T) {
	text := failure(t, game.New(nimPanics{nim{Pile: 2}}), Options{NoTranscripts: true})
	for _, want := range []string{`the rules panic: the middle heap is gone`, `nimPanics\.Apply`, `moves \([0-9]+ steps\): `, `under way: [01]:\{"heap":1,"take":2\}`, `\nb oo\n`} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("the message has nothing like %s:\n%s", want, text)
		}
	}
}

// TestKeptCase: a case that rapid kept in a file is run again by its file.
func TestKeptCase(t *testing.T) {
	r := &recorder{name: "TestRules/legal"}
	g := &guide{TB: r}
	g.Errorf("[rapid] failed after 0 tests: listed twice\nTo reproduce, specify -run=\"TestRules/legal\" -rapid.failfile=\"testdata/rapid/x.fail\"\nFailed test output:")
	want := "[rapid] failed after 0 tests (a case that failed before)\nrun it again: go test -run '^TestRules$/^legal$' -rapid.failfile=\"testdata/rapid/x.fail\"\n"
	if got := r.log.String(); got != want || !r.failed {
		t.Errorf("it says\n%s\nnot\n%s", got, want)
	}
}

// TestSkip: what builds on a failure is skipped, and says on which.
func TestSkip(t *testing.T) {
	r := &recorder{name: "TestRules"}
	r.do(func() { run(r, game.New(nimTwice{nim{Pile: 2}}), Options{NoTranscripts: true}, nil) })
	skipped := map[string]string{}
	for _, sub := range r.subs {
		if sub.skipped {
			skipped[strings.TrimPrefix(sub.name, "TestRules/")] = sub.log.String()
		}
	}
	for name, on := range map[string]string{"bytes": "legal", "check": "bytes", "determinism": "forks", "resume": "determinism"} {
		if want := `builds on "` + on + `", which failed`; !strings.Contains(skipped[name], want) {
			t.Errorf("%s says %q, not %q", name, skipped[name], want)
		}
	}
	for _, name := range []string{"ruleset", "play", "turn", "codec", "outcome"} {
		if _, ok := skipped[name]; ok {
			t.Errorf("%s is skipped", name)
		}
	}
}

// TestSeed: the seed of a failure, given by flag, brings the same failure.
func TestSeed(t *testing.T) {
	text := failure(t, game.New(kuhnLeaks{}), Options{NoTranscripts: true})
	m := rapidSeed.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no seed in\n%s", text)
	}
	old := flag.Lookup("rapid.seed").Value.String()
	t.Cleanup(func() {
		if err := flag.Set("rapid.seed", old); err != nil {
			t.Error(err)
		}
	})
	if err := flag.Set("rapid.seed", m[1]); err != nil {
		t.Fatal(err)
	}
	again := failure(t, game.New(kuhnLeaks{}), Options{NoTranscripts: true})
	if !strings.Contains(again, "failed after 0 tests") || !strings.Contains(again, "seed: "+m[1]) {
		t.Errorf("seed %s does not fail at once:\n%s", m[1], again)
	}
}

func TestOptions(t *testing.T) {
	for _, test := range []struct {
		name string
		opts Options
		want string // "": valid
	}{
		{"zero", Options{}, ""},
		{"all", Options{Games: 3, Every: 2, Transcripts: "x"}, ""},
		{"games", Options{Games: -1}, "Options.Games is -1"},
		{"every", Options{Every: -2}, "Options.Every is -2"},
		{"transcripts", Options{NoTranscripts: true, Transcripts: "x"}, "Options.NoTranscripts"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.opts.validate()
			if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
				t.Errorf("validate: %v, not %q", err, test.want)
			}
			r := &recorder{name: "TestRules"}
			if test.want != "" {
				r.do(func() { run(r, game.New(kuhn{}), test.opts, nil) })
				if !r.failed || len(r.subs) > 0 {
					t.Error("Run went on with bad options")
				}
			}
		})
	}
}

// counting counts the games that are started.
type counting struct {
	kuhn
	starts *int
}

func (c counting) Start(s game.Setup) (kuhnState, error) {
	*c.starts++
	return c.kuhn.Start(s)
}

func TestGames(t *testing.T) {
	starts := 0
	r := &recorder{name: "TestRules"}
	k := &kit{g: game.New(counting{starts: &starts}), opts: Options{Games: 3}, failed: map[string]bool{}}
	if err := k.prepare(); err != nil {
		t.Fatal(err)
	}
	r.do(func() { k.check(r, &check{name: "play", game: checkPlay}) })
	if r.failed || starts != 3 {
		t.Errorf("%d games were played, not 3\n%s", starts, r.log.String())
	}
}

// TestTranscript: a missing transcript and a changed game are told, a rewritten one is taken.
func TestTranscript(t *testing.T) {
	dir := t.TempDir()
	run := func(g game.Game) (*recorder, string) {
		r := &recorder{name: "TestRules"}
		k := &kit{g: g, opts: Options{Transcripts: dir}, failed: map[string]bool{}}
		if err := k.prepare(); err != nil {
			t.Fatal(err)
		}
		r.do(func() { k.check(r, &check{name: "transcript", once: checkTranscript}) })
		return r, r.log.String()
	}
	old, changed := game.New(nim{Pile: 2}), game.New(nimMute{nim{Pile: 2}})
	if r, text := run(old); !r.failed || !strings.Contains(text, "GAMETEST_UPDATE=1 go test writes it") {
		t.Errorf("nothing said of a transcript that is not there: %s", text)
	}
	t.Setenv("GAMETEST_UPDATE", "1")
	if r, text := run(old); r.failed {
		t.Errorf("writing: %s", text)
	}
	t.Setenv("GAMETEST_UPDATE", "")
	if r, text := run(old); r.failed {
		t.Errorf("the game is not the one of the transcript: %s", text)
	}
	r, text := run(changed)
	if !r.failed || !strings.Contains(text, "nim.txt:") || !strings.Contains(text, "now: outcome [1 -1], scores [], places [1 2], The last stone was taken.") &&
		!strings.Contains(text, "  now: ") {
		t.Errorf("nothing said of a changed game: %s", text)
	}
	data, err := os.ReadFile(filepath.Join(dir, "nim.txt"))
	if err != nil || !strings.Contains(string(data), "outcome [") || !strings.Contains(string(data), "\n  1 ") {
		t.Errorf("the transcript holds no game: %v\n%s", err, data)
	}
}
