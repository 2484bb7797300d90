package filelog_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/filelog"
)

// TestEveryCut stops the record of a match after each byte, as a crash does, and
// goes on with it: only the torn line is dropped, and the match ends with a
// record that verifies and begins with what was there.
func TestEveryCut(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "cut.jsonl")
	s := setup(t, "cut")
	whole := new(referee.Memory)
	c := referee.Config{Log: whole, Seal: replay.Sealer(), Now: constant}
	if _, err := (&referee.Local{Config: c}).Play(t.Context(), s, random, random); err != nil {
		t.Fatal(err)
	}
	record := whole.Bytes()
	step := 1
	if testing.Short() {
		step = 37
	}
	for n := 0; n <= len(record); n += step {
		if err := os.WriteFile(path, record[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		kept := bytes.LastIndexByte(record[:n], '\n') + 1
		reported := int64(0)
		l := open(t, path, filelog.Options{NoSync: true, Torn: func(p string, bytes int64) {
			if p != path || reported != 0 {
				t.Errorf("cut at %d: reported %s again", n, p)
			}
			reported = bytes
		}})
		if b, err := os.ReadFile(path); err != nil || !bytes.Equal(b, record[:kept]) || reported != int64(n-kept) {
			t.Fatalf("cut at %d: %d bytes left of %d, %d reported (%v)", n, len(b), kept, reported, err)
		}
		c.Log = l
		r, err := (&referee.Local{Config: c}).Play(t.Context(), s, random, random)
		if err != nil {
			t.Fatalf("cut at %d: %v", n, err)
		}
		rep := check(t, path)
		now, err := os.ReadFile(path)
		if err != nil || rep.Status != replay.Valid || rep.Seal == nil || !bytes.HasPrefix(now, record[:kept]) || rep.Result.Reason != r.Reason {
			t.Fatalf("cut at %d: %v (%v)\n%s", n, rep, err, now)
		}
		want := int64(1)
		if kept == 0 || bytes.Contains(record[:kept], []byte(`{"k":"end"`)) {
			want = 0
		}
		if rep.Counts.Resumes != want {
			t.Fatalf("cut at %d: %d resumes", n, rep.Counts.Resumes)
		}
	}
}

// TestTakenOver: a second referee resumes a match that a first one still plays.
// The first is fenced with its next event, and the record is of one match.
func TestTakenOver(t *testing.T) {
	store, err := filelog.NewStore(t.TempDir(), filelog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := setup(t, "taken")
	asked, goOn := make(chan struct{}), make(chan struct{})
	slow := referee.Func(func(ctx context.Context, r *referee.Request) (referee.Answer, error) {
		if r.Nth == 3 {
			close(asked)
			<-goOn
		}
		return referee.Answer{Action: r.Legal(nil)[0]}, nil
	})
	first := &referee.Local{Store: store}
	fenced := make(chan error, 1)
	go func() {
		_, err := first.Play(t.Context(), s, slow, random)
		fenced <- err
	}()
	<-asked
	second := &referee.Local{Store: store, Config: referee.Config{Seal: replay.Sealer()}}
	if _, err := second.Play(t.Context(), s, random, random); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	if err := <-fenced; !errors.Is(err, referee.ErrFenced) {
		t.Fatal(err)
	}
	path, err := store.Path("taken")
	if err != nil {
		t.Fatal(err)
	}
	if rep := check(t, path); rep.Status != replay.Valid || rep.Seal == nil || rep.Counts.Resumes != 1 {
		t.Fatal(rep)
	}
}

// childAppend appends lines to a file for ever and says so after each.
func childAppend(ctx context.Context, args []string) error {
	l, err := filelog.OpenFile(ctx, args[0], filelog.Options{NoSync: true})
	for n := int64(0); err == nil; n++ {
		if err = l.Append(ctx, n, [][]byte{[]byte(first + strings.Repeat("x", int(n%5000)))}); err == nil {
			fmt.Println(n)
		}
	}
	return err
}

// TestKilledAppending kills a process that appends: what it was told of is there.
func TestKilledAppending(t *testing.T) {
	path := filepath.Join(t.TempDir(), "killed.jsonl")
	cmd, out := child(t, "append", path)
	acknowledged := -1
	for out.Scan() {
		n, err := strconv.Atoi(out.Text())
		if err != nil || n != acknowledged+1 {
			t.Fatalf("%q after %d", out.Text(), acknowledged)
		}
		acknowledged = n
		if n == 500 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was not killed")
	}
	got := contents(t, open(t, path, filelog.Options{Torn: func(string, int64) {}}).Read(t.Context(), 0))
	if len(got) < acknowledged+1 || acknowledged < 500 {
		t.Fatalf("%d lines, %d acknowledged", len(got), acknowledged+1)
	}
	for n, line := range got {
		if line != first+strings.Repeat("x", n%5000) {
			t.Fatalf("line %d: %.80s", n, line)
		}
	}
}

// childPlay plays matches in a store for ever and says when each begins.
func childPlay(ctx context.Context, args []string) error {
	store, err := filelog.NewStore(args[0], filelog.Options{NoSync: true})
	if err != nil {
		return err
	}
	tab, err := connectfour.New().Table(nil)
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		s := referee.Setup{ID: fmt.Sprint("match:", i), Table: tab, Seats: []referee.SeatInfo{
			{Agent: referee.Agent{Slug: "ann", Name: "Ann"}}, {Agent: referee.Agent{Slug: "bob", Name: "Bob"}},
		}}
		s.Secret, s.Salt = referee.Secrets([]byte("a key of the tests"), s.ID)
		fmt.Println(s.ID)
		if _, err := (&referee.Local{Store: store, Config: referee.Config{Seal: replay.Sealer()}}).Play(ctx, s, random, random); err != nil {
			return err
		}
	}
}

// TestKilledPlaying kills a process that plays, and goes on with its match in
// this one: all records verify, and what was there stays.
func TestKilledPlaying(t *testing.T) {
	dir := t.TempDir()
	for round := range 5 {
		dir := filepath.Join(dir, strconv.Itoa(round))
		cmd, out := child(t, "play", dir)
		begun := 0
		for out.Scan() {
			if begun++; begun == 10+7*round {
				if err := cmd.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := cmd.Wait(); err == nil {
			t.Fatal("it was not killed")
		}
		store, err := filelog.NewStore(dir, filelog.Options{Torn: func(string, int64) {}})
		if err != nil {
			t.Fatal(err)
		}
		for id, err := range store.Unfinished(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			path, err := store.Path(id)
			if err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			l := &referee.Local{Store: store, Config: referee.Config{Seal: replay.Sealer()}}
			if _, err := l.Play(t.Context(), setup(t, id), random, random); err != nil {
				t.Fatal(id, err)
			}
			after, err := os.ReadFile(path)
			if err != nil || !bytes.HasPrefix(after, before[:bytes.LastIndexByte(before, '\n')+1]) {
				t.Fatalf("%s: what was there changed (%v):\n%s\n%s", id, err, before, after)
			}
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
		if err != nil || len(files) < begun-1 || begun < 10 {
			t.Fatalf("%d files of %d matches (%v)", len(files), begun, err)
		}
		empty := 0
		for _, file := range files {
			rep := check(t, file)
			if rep.Events == 0 {
				if empty++; empty > 1 {
					t.Fatalf("%s: nothing begun", file)
				}
				continue // it died between making the file and its first line
			}
			if rep.Status != replay.Valid {
				t.Fatalf("%s: %v", file, rep)
			}
		}
	}
}
