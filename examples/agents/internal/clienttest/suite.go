package clienttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Test tries a client, given as a program and its first arguments, in the ways in which matches go well and wrong. The working directory is its
// folder.
func Test(t *testing.T, client []string) {
	t.Run("plays", func(t *testing.T) { t.Parallel(); plays(t, client) })
	t.Run("killed", func(t *testing.T) { t.Parallel(); killed(t, client) })
	t.Run("ends", func(t *testing.T) { t.Parallel(); ends(t, client) })
	t.Run("usage", func(t *testing.T) { t.Parallel(); usage(t, client) })
	if testing.Short() {
		return
	}
	t.Run("troubled", func(t *testing.T) { t.Parallel(); troubled(t, client) })
	t.Run("stale", func(t *testing.T) { t.Parallel(); stale(t, client) })
	t.Run("pace", func(t *testing.T) { t.Parallel(); paced(t, client) })
	t.Run("host", func(t *testing.T) { t.Parallel(); hosted(t, client) })
}

// table is a server that holds polls, and a run of the client against it.
func table(t *testing.T, client []string, more ...string) (*Server, Run) {
	t.Helper()
	s := NewServer()
	s.Holds = true
	t.Cleanup(func() {
		s.Close()
		for _, w := range s.Wrongs() {
			t.Error("wrong:", w)
		}
	})
	return s, Run{Client: client, Base: s.URL, State: filepath.Join(t.TempDir(), "match.json"), More: more, server: s}
}

func plays(t *testing.T, client []string) {
	for seat, want := range []string{"completed: lost 3-5", "completed: won 5-3"} {
		if seat > 0 && testing.Short() {
			break
		}
		s, run := table(t, client, "--seat", string(rune('0'+seat)), "--name", "Bot \u00e4\u4e16 <\"", "--control", "untimed")
		run.do(t).want(t, Played, want, "match m1 against casual", "replay: "+s.URL+"/api/benchmarks/replays/m1")
		kinds, created, marks := s.Counts()
		// The client of seat 0 sets 41 marks, the other 40.
		if moves := 41 - seat; created != 1 || marks != cells || kinds["create"] != 1 || kinds["move"] != moves || kinds["observe"] > moves+seat {
			t.Errorf("seat %d: %d matches, %d marks, requests: %v", seat, created, marks, kinds)
		}
		st := readState(t, run.State)
		if st.Over == nil || st.Over.Status != "completed" || st.Move != nil || st.MatchID != "m1" || st.Create.AgentSeat != seat || st.Base != s.URL {
			t.Errorf("seat %d: the state is %+v", seat, st)
		}
		info, err := os.Stat(run.State)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the state may be read by others: %v, %v", info.Mode(), err)
		}
		before := s.requests()
		run.do(t).want(t, Played, want)
		if n := s.requests(); n != before {
			t.Errorf("%d requests about a match that was over", n-before)
		}
	}
}

func (s *Server) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

func usage(t *testing.T, client []string) {
	s, run := table(t, client)
	with := func(change func(*Run)) Run {
		r := run
		change(&r)
		return r
	}
	corrupt := func(text string) Run {
		name := filepath.Join(t.TempDir(), "corrupt.json")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return with(func(r *Run) { r.State = name })
	}
	whole := func(move, over string) string {
		return `{"format":"grid-client/1","base":"` + s.URL + `","create":{"opponent":"casual","name":"My solver","agentSeat":0,"control":"production",` +
			`"requestId":"6f1b9c1e-9d0c-4a52-8f0e-2b6f0a4c7d11"},"matchId":"m1","move":` + move + `,"notBefore":0,"over":` + over + `}`
	}
	s.Trouble = func(r Request) Trouble { return Trouble{Status: 401} }
	run.do(t).want(t, Refused) // which leaves a state of a match against casual
	before := s.requests()
	for name, r := range map[string]Run{
		"no address":     with(func(r *Run) { r.Base = "" }),
		"bad address":    with(func(r *Run) { r.Base = "arena.example" }),
		"user in it":     with(func(r *Run) { r.Base = strings.Replace(r.Base, "//", "//ann:secret@", 1) }),
		"not https":      with(func(r *Run) { r.Base = "http://arena.example" }),
		"like loopback":  with(func(r *Run) { r.Base = "http://127.0.0.1.arena.example" }),
		"two lines":      with(func(r *Run) { r.Key = "lcb_a\r\nX-A: b" }),
		"an odd key":     with(func(r *Run) { r.Key = "lcb_\u00e4" }),
		"unknown option": with(func(r *Run) { r.More = []string{"--key", "x"} }),
		"a third seat":   with(func(r *Run) { r.More = []string{"--seat", "2"} }),
		"other control":  with(func(r *Run) { r.More = []string{"--control", "blitz"} }),
		"other seat":     with(func(r *Run) { r.More = []string{"--seat", "1"} }),
		"other name":     with(func(r *Run) { r.More = []string{"--name", "Bob"} }),
		"other game":     with(func(r *Run) { r.More = []string{"--game", "chess"} }),
		"other server":   with(func(r *Run) { r.Base = "https://arena.example" }),
		"no patience":    with(func(r *Run) { r.More = []string{"--patience", "-1"} }),
		"no folder":      with(func(r *Run) { r.State = filepath.Join(r.State, "no", "such") }),
		"empty file":     corrupt(""),
		"half a file":    corrupt(`{"format":"grid-client/1","base":"`),
		"a list":         corrupt("[]"),
		"another format": corrupt(`{"format":"grid-client/2"}`),
		"less than all":  corrupt(`{"format":"grid-client/1"}`),
		"nested":         corrupt(strings.Repeat("[", 100_000)),
		"more":           corrupt(whole("null", "null") + "{}"),
		"odd move":       corrupt(whole("5", "null")),
		"part of a move": corrupt(whole("{}", "null")),
		"odd end":        corrupt(whole("null", "5")),
		"part of an end": corrupt(whole("null", "{}")),
	} {
		if quick := map[string]bool{"not https": true, "an odd key": true, "unknown option": true, "half a file": true}; testing.Short() && !quick[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			o := r.do(t)
			o.want(t, Usage)
			if o.Stderr == "" || o.Stdout != "" {
				t.Errorf("said %q, %q", o.Stdout, o.Stderr)
			}
		})
	}
	if n := s.requests(); n != before {
		t.Errorf("%d requests", n-before)
	}
}
