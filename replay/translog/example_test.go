package translog_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"golang.org/x/mod/sumdb/note"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
	"github.com/matchreferee/arena/replay/translog"
)

// match plays one, and gives its record.
func match(id string) []byte {
	table, err := connectfour.New().Table(nil)
	if err != nil {
		log.Fatal(err)
	}
	column := func(a game.Action) referee.Player {
		return referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Action: a} })
	}
	s := referee.Setup{ID: id, Table: table, Seats: []referee.SeatInfo{{Agent: referee.Agent{Name: "Ann"}}, {Agent: referee.Agent{Name: "Bob"}}}}
	s.Secret, s.Salt = referee.Secrets([]byte("a key that the host keeps"), id)
	record := new(referee.Memory)
	local := referee.Local{Config: referee.Config{Log: record, Seal: replay.Sealer()}}
	if _, err := local.Play(context.Background(), s, column("2"), column("5")); err != nil {
		log.Fatal(err)
	}
	return record.Bytes()
}

// A host logs each match that has finished, in a folder that any web server may
// serve. A stranger follows it, and looks for the matches that it knows of.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "log")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)

	// The host, when it starts:
	const origin = "arena.example/matches"
	key := ed25519.NewKeyFromSeed(make([]byte, 32)) // in earnest a secret one
	signer, err := translog.NoteSigner(origin, key)
	if err != nil {
		log.Fatal(err)
	}
	public, err := translog.NoteVerifier(origin, key.Public().(ed25519.PublicKey))
	if err != nil {
		log.Fatal(err)
	}
	dir, err := translog.NewDir(ctx, folder)
	if err != nil {
		log.Fatal(err)
	}
	defer dir.Close()
	matches, err := translog.Open(ctx, translog.Options{Origin: origin, Signers: []note.Signer{signer}, Key: public, Storage: dir})
	if err != nil {
		log.Fatal(err)
	}

	// The host, after each match:
	for _, id := range []string{"quarter", "semi", "final"} {
		report, err := replay.Verify(bytes.NewReader(match(id)), replay.Rules(connectfour.New()))
		if err != nil {
			log.Fatal(err)
		}
		entry, err := translog.EntryOf(report)
		if err != nil {
			log.Fatal(err)
		}
		if _, err := matches.Add(ctx, entry); err != nil {
			log.Fatal(err)
		}
	}

	// The stranger, who knows the address and the log's public key:
	server := httptest.NewServer(http.FileServerFS(os.DirFS(folder)))
	defer server.Close()
	auditor := translog.NewAuditor(origin, note.VerifierList(public), translog.HTTP(server.Client(), server.URL))
	err = auditor.Follow(ctx, func(number int64, e translog.Entry) error {
		fmt.Println(number, e.Match, e.Events, "events")
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}

	// A player has kept the record of a match that the host would rather forget.
	report, err := replay.Verify(bytes.NewReader(match("upset")), replay.Rules(connectfour.New()))
	if err != nil {
		log.Fatal(err)
	}
	entry, err := translog.EntryOf(report)
	if err != nil {
		log.Fatal(err)
	}
	_, err = auditor.Check(entry)
	fmt.Println(errors.Is(err, translog.ErrDropped), err)
	// Output:
	// 0 quarter 9 events
	// 1 semi 9 events
	// 2 final 9 events
	// true translog: the match was dropped: "upset" is not among the 3 of arena.example/matches
}
