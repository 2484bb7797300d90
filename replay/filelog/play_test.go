package filelog_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/filelog"
)

var random = referee.Inline(func(r *referee.Request) referee.Answer {
	legal := r.Legal(nil)
	return referee.Answer{Action: legal[r.Rand().IntN(len(legal))]}
})

func setup(t testing.TB, id string) referee.Setup {
	t.Helper()
	tab, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := referee.Setup{ID: id, Table: tab, Seats: []referee.SeatInfo{
		{Agent: referee.Agent{Slug: "ann", Name: "Ann"}}, {Agent: referee.Agent{Slug: "bob", Name: "Bob"}},
	}}
	s.Secret, s.Salt = referee.Secrets([]byte("a key of the tests"), id)
	return s
}

// constant is a clock that stands still.
func constant() referee.Time { return 1_790_000_000_000 }

// check verifies the record in a file.
func check(t testing.TB, path string) *replay.Report {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := replay.Verify(f, replay.Rules(connectfour.New()))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestPlay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "records")
	store, err := filelog.NewStore(dir, filelog.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := &referee.Local{Store: store, Config: referee.Config{Seal: replay.Sealer(), Now: constant}}
	r, err := l.Play(t.Context(), setup(t, "cup:1"), random, random)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "cup%1.jsonl")
	rep := check(t, path)
	if rep.Status != replay.Valid || rep.Seal == nil || rep.Result.Reason != r.Reason {
		t.Fatal(rep)
	}
	for p, want := range map[string]os.FileMode{dir: os.ModeDir | 0o700, path: 0o600} {
		if info, err := os.Stat(p); err != nil || info.Mode() != want {
			t.Fatalf("%s: %v, want %v (%v)", p, info.Mode(), want, err)
		}
	}
}
