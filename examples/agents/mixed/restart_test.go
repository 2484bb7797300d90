package mixed_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	arena "github.com/matchreferee/arena"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// TestHostRestarts ends the host in the middle of a match of all four carriers and three languages. Another one at the same address takes the
// match over from its record; its agents find it by themselves, and it costs nobody anything. An agent that was asked within the same
// second before gets the same bytes again, refuses them as a replay, and is asked once more: status 409, bad_protocol.
func TestHostRestarts(t *testing.T) {
	if testing.Short() {
		t.Skip("starts four processes")
	}
	s := newTables(t)
	seats := s.village()
	seats[0], seats[3] = s.h.function(t, "function"), s.h.called(t, "called")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.h.onAnswer(func(answers int) {
		if answers == 25 {
			cancel()
		}
	})
	if r, err := s.h.Play(ctx, arena.Match{ID: "village", Game: "werewolf", Seats: seats}); !errors.Is(err, context.Canceled) {
		t.Fatalf("the match did not stop: %+v, %v", r, err)
	}
	s.h.close()

	next := openHall(t, strings.TrimPrefix(s.h.url, "ws://"), s.h.secret, s.h.store)
	next.function(t, "function")
	next.called(t, "called")
	for _, p := range s.seats["python"] {
		next.postedAt(t, p.Agent.Slug, s.python.said)
	}
	ctx, cancel = context.WithTimeout(t.Context(), patience)
	defer cancel()
	handles, err := next.Recover(ctx)
	if err != nil || len(handles) != 1 {
		t.Fatalf("%d matches were recovered: %v", len(handles), err)
	}
	r, err := handles[0].Wait(ctx)
	if err != nil {
		t.Fatal(err)
	}
	wrong := next.ended(t, r, "village", werewolf.New(), seats...)
	only(t, wrong, "gone", "bad_protocol status 409", referee.KindResume.String())
	if wrong[referee.KindResume.String()] != 1 {
		t.Errorf("%v", wrong)
	}
	t.Logf("%v", wrong)
}
