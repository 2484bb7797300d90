package uci

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

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
		{"never ready", func(o *Options) { o.Handshake = 4 * short }, []string{"handshake", "no readyok within"}},
		{"deaf", func(o *Options) { o.Handshake = 4 * short }, []string{"handshake", "no readyok within"}},
		{"forks and dies", nil, []string{"handshake", "exit status 4"}},
		{"good", func(o *Options) { o.Path += "-not-there" }, []string{"start", "no such file"}},
		{"good", func(o *Options) { o.Set = []Setting{{"Hash", "65"}, {"Wings", "2"}, {"Ponder", "true"}} }, []string{"Set: option Hash takes", `no option "Wings"`}},
		{"good", func(o *Options) { o.Set = []Setting{{"Huge", "1"}} }, []string{`no option "Huge"`}},
		{"", func(o *Options) {
			*o = Options{Nodes: -1, Depth: MaxDepth + 1, Processes: -1, MoveTime: time.Microsecond, Cap: -1, Margin: MaxWait + 1, Set: []Setting{{"", ""}, {"a", "b\nquit"}}}
		}, []string{"Path:", "Nodes:", "Depth:", "Processes:", "MoveTime:", "Cap:", "Margin:", "Set[0]:", "Set[1]:"}},
		{"", func(o *Options) { o.Processes = MaxProcesses + 1 }, []string{"Processes: 257"}},
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
			for early := "no uciok within"; err != nil && !slices.Contains(tt.want, early) && strings.Contains(err.Error(), early) && o.Handshake < time.Minute; {
				o.Handshake *= 4 // the process had not even begun to speak
				e, err = Open(t.Context(), o)
			}
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

// TestEnvironment: an engine is told nothing of the caller's own environment, where secrets may be.
func TestEnvironment(t *testing.T) {
	t.Setenv("UCI_TEST_SECRET", "hush")
	_, err := Open(t.Context(), options(t, "environment"))
	var f *Failure
	if !errors.As(err, &f) || !strings.Contains(f.Stderr, fakeVariable+"=environment") || strings.Contains(f.Stderr, "UCI_TEST_SECRET") {
		t.Errorf("%+v", f)
	}
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
