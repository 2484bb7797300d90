package replay_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// column always drops into the same one.
func column(a game.Action) referee.Player {
	return referee.Inline(func(*referee.Request) referee.Answer { return referee.Answer{Action: a} })
}

// final plays a match that seat 0 wins by its fourth disc, sealed by signers.
func final(signers ...replay.Signer) []byte {
	table, err := connectfour.New().Table(nil)
	if err != nil {
		log.Fatal(err)
	}
	s := referee.Setup{ID: "final", Table: table, Seats: []referee.SeatInfo{{Agent: referee.Agent{Name: "Ann"}}, {Agent: referee.Agent{Name: "Bob"}}}}
	s.Secret, s.Salt = referee.Secrets([]byte("a key that the host keeps"), s.ID)
	record := new(referee.Memory)
	local := referee.Local{Config: referee.Config{Log: record, Seal: replay.Sealer(signers...), Now: func() referee.Time { return 1_796_000_000_000 }}}
	if _, err := local.Play(context.Background(), s, column("2"), column("5")); err != nil {
		log.Fatal(err)
	}
	return record.Bytes()
}

// The host attests to its records; who has its public keys checks them, and may
// show a single line of one to somebody else.
func ExampleKeySigner() {
	signer := &replay.KeySigner{ID: "2026-a", Key: ed25519.NewKeyFromSeed(make([]byte, 32)), Now: func() time.Time { return time.Unix(1_796_000_000, 0) }}
	record := final(signer)

	report, err := replay.Verify(bytes.NewReader(record), replay.Rules(connectfour.New()))
	if err != nil {
		log.Fatal(err)
	}
	key := signer.Public()
	keys, err := replay.NewKeys(key)
	if err != nil {
		log.Fatal(err)
	}
	attested, err := keys.Check(report)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(attested[0].KeyID, "attests to", attested[0].Events, "events")

	proof, line, err := replay.Prove(bytes.NewReader(record), 3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s...: %v\n", line[:26], proof.Check(line, attested[0].Events, attested[0].Root))

	key.Revoked = 1_795_000_000
	keys, err = replay.NewKeys(key)
	if err != nil {
		log.Fatal(err)
	}
	_, err = keys.Check(report)
	fmt.Println("revoked before:", errors.Is(err, replay.ErrKeyRevoked))
	// Output:
	// 2026-a attests to 9 events
	// {"k":"move","s":0,"ask":2,...: <nil>
	// revoked before: true
}

// What if Bob had not gone on with his own column? The match is opened, and
// Cy plays on from before his last move.
func ExamplePlayback_Fork() {
	rules := replay.Rules(connectfour.New())
	p, err := replay.Open(bytes.NewReader(final()), rules, replay.PlaybackOptions{})
	if err != nil {
		log.Fatal(err)
	}
	if err := p.Seek(p.Len() - 2); err != nil {
		log.Fatal(err)
	}
	board, _ := p.Board(game.Spectator)
	fmt.Println(board)

	table, err := connectfour.New().Table(nil)
	if err != nil {
		log.Fatal(err)
	}
	s := referee.Setup{ID: "what-if", Table: table, Seats: []referee.SeatInfo{{Agent: referee.Agent{Name: "Ann"}}, {Agent: referee.Agent{Name: "Cy"}}}}
	s.Secret, s.Salt, _ = p.Secret()
	record := new(referee.Memory)
	if err := p.Fork(context.Background(), p.At(), s, record, 1_796_000_100_000); err != nil {
		log.Fatal(err)
	}
	local := referee.Local{Config: referee.Config{Log: record}}
	cy := referee.Inline(func(r *referee.Request) referee.Answer {
		if int(r.Turn) == p.At() {
			return referee.Answer{Action: "2"} // on top of Ann's three
		}
		return referee.Answer{Action: "5"}
	})
	result, err := local.Play(context.Background(), s, column("3"), cy)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Reason, result.Returns)
	// Output:
	// ```
	//  .......
	//  .......
	//  .......
	//  ..X....
	//  ..X..O.
	//  ..X..O.
	//  abcdefg
	// ```
	// connect [-1 1]
}
