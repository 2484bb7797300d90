package arena_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"testing"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/games/werewolf/house"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// TestWerewolfResumed cuts the record of a match with secrets after each of its lines, as a crash does, and lets another host
// with the same key go on: the deal stays, the match ends by play, its record verifies, and before the end it told nobody the secret.
func TestWerewolfResumed(t *testing.T) {
	key := []byte("a key that hosts of one fleet share")
	seats := make([]arena.Seat, 7)
	for i := range seats {
		seats[i].Player = house.Random()
	}
	play := func(prefix [][]byte) []byte {
		store := new(referee.MemoryStore)
		log, err := store.Open(t.Context(), "w")
		if err != nil {
			t.Fatal(err)
		}
		if len(prefix) > 0 {
			if err := log.Append(t.Context(), 0, prefix); err != nil {
				t.Fatal(err)
			}
		}
		a := newArena(t, arena.Config{Games: []game.Game{werewolf.New()}, Store: store, Key: key, Seal: replay.Sealer()})
		r, err := a.Play(t.Context(), arena.Match{ID: "w", Game: "werewolf", Seats: seats})
		if err != nil || r.Cause != referee.CausePlay {
			t.Fatalf("after %d lines: %+v, %v", len(prefix), r, err)
		}
		return log.(*referee.Memory).Bytes()
	}
	whole := play(nil)
	lines := bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
	secret, salt := referee.Secrets(key, "w")
	deal := func(record []byte) (game.Action, *replay.Playback) {
		p, err := replay.Open(bytes.NewReader(record), replay.Rules(werewolf.New()), replay.PlaybackOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return p.Step(1).Moves[0].Action, p
	}
	first, p := deal(whole)
	if got, gotSalt, _ := p.Secret(); got != secret || gotSalt != salt {
		t.Fatal("another secret was revealed")
	}
	for n := 1; n < len(lines)-1; n++ { // all but the end event and the seal
		live := bytes.Join(lines[:n], []byte("\n"))
		for _, s := range [][]byte{secret[:], salt[:]} {
			for _, spelt := range []string{string(s), hex.EncodeToString(s), base64.StdEncoding.EncodeToString(s)[:42], base64.RawURLEncoding.EncodeToString(s)[:42]} {
				if bytes.Contains(live, []byte(spelt)) {
					t.Fatalf("%d lines hold the secret or its salt", n)
				}
			}
		}
		if n == len(lines)-2 {
			break // the match has ended by then, but for its end event: what follows is certain
		}
		record := play(lines[:n])
		r, err := replay.Verify(bytes.NewReader(record), replay.Rules(werewolf.New()))
		if err != nil || r.Status != replay.Valid || r.Counts.Resumes != 1 || !bytes.HasPrefix(record, live) {
			t.Fatalf("after %d lines: %v %v", n, r, err)
		}
		if again, _ := deal(record); again != first {
			t.Fatalf("after %d lines the deal is %s, not %s", n, again, first)
		}
	}
}
