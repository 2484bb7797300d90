package ludux

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
	"pgregory.net/rapid"
)

// watched plays a match of bots that take their seat's number among the listed
// actions, and gives what spectators are sent.
func watched(t *testing.T, g game.Game, ruleset string, seats int) (frames [][]byte) {
	t.Helper()
	table, err := g.Table([]byte(ruleset))
	if err != nil {
		t.Fatal(err)
	}
	s := referee.Setup{ID: "m-1a2b3c4d5e", Table: table, Secret: game.SeedFrom(1)}
	players := make([]referee.Player, seats)
	for i, a := range agents(seats) {
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: a})
		players[i] = referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
			legal := r.Legal(nil)
			return referee.Answer{Action: legal[int(r.Seat)%len(legal)]}, nil
		})
	}
	m, err := referee.New(s)
	if err != nil {
		t.Fatal(err)
	}
	live, err := referee.NewLive(m, players, referee.Config{Now: func() referee.Time { return began }})
	if err != nil {
		t.Fatal(err)
	}
	views := live.Watch(t.Context())
	go live.Run(t.Context())
	for p := range views {
		frame, err := AppendPublic(nil, s.ID, &p)
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, frame)
	}
	return frames
}

func TestGoldenPublic(t *testing.T) {
	var got strings.Builder
	got.WriteString("# What spectators of a match of Connect Four are sent, and of one of Werewolf, which hides most of it.\n\n")
	four, village := watched(t, connectfour.New(), "", 2), watched(t, werewolf.New(), `{"max_days":2}`, 5)
	for _, frame := range append(four, village[0], village[len(village)-1]) {
		fmt.Fprintf(&got, "-> %s\n", frame)
	}
	path := filepath.Join(goldenDir, "public.txt")
	if os.Getenv(updateVariable) == "1" {
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; %s=1 writes it", err, updateVariable)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("%s=1 writes it anew, if that is meant:\n%s", updateVariable, diff)
	}
}

// publicDrawn gives a message for spectators, as one that was decoded would be.
func publicDrawn(t *rapid.T) *PublicState {
	m := &PublicState{
		MatchID: ids.Draw(t, "match"), Turn: rapid.Int64Range(0, 1<<20).Draw(t, "turn"), Phase: texts.Draw(t, "phase"),
		ToMove: rapid.SliceOfN(seats, 0, 4).Draw(t, "to move"), State: raw(t, "state"), Board: texts.Draw(t, "board"),
	}
	if rapid.Bool().Draw(t, "over") {
		m.Result = &PublicResult{
			Cause: referee.Cause(rapid.IntRange(0, 5).Draw(t, "cause")), Reason: texts.Draw(t, "reason"), Rated: rapid.Bool().Draw(t, "rated"),
			Returns: rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 0, 4).Draw(t, "returns"),
			Scores:  rapid.SliceOfN(rapid.Int64Range(-1<<53, 1<<53), 0, 4).Draw(t, "scores"), Places: rapid.SliceOfN(rapid.IntRange(1, 64), 0, 4).Draw(t, "places"),
		}
	}
	if rapid.Bool().Draw(t, "cut") {
		m.Truncated = &Truncation{texts.Draw(t, "member"), rapid.IntRange(1, 1<<20).Draw(t, "omitted")}
	}
	return m
}

// TestPublicHides: of a match with hidden information spectators are told neither who moves nor after how many steps, and no living seat's role before the end.
func TestPublicHides(t *testing.T) {
	frames := watched(t, werewolf.New(), `{"max_days":2}`, 9)
	if len(frames) < 10 {
		t.Fatalf("only %d positions", len(frames))
	}
	for i, frame := range frames {
		m, err := DecodeFromArena(frame)
		if err != nil {
			t.Fatal(err)
		}
		p := m.(*PublicState)
		if p.Turn != 0 || len(p.ToMove) != 0 {
			t.Errorf("turn %d, to move %v", p.Turn, p.ToMove)
		}
		if over := i == len(frames)-1; over != (p.Result != nil) {
			t.Errorf("position %d of %d: result %v", i, len(frames), p.Result)
		}
		told := strings.Contains(string(p.State), `"alive":true,"role":`)
		if over := i == len(frames)-1; told != over {
			t.Errorf("position %d of %d: roles of the living are told: %v", i, len(frames), told)
		}
	}
}

// TestPublicFits: a history that is too long loses its oldest entries, a drawing goes before that, and what cannot be cut is an error.
func TestPublicFits(t *testing.T) {
	list := func(n int) json.RawMessage {
		return json.RawMessage(`{"move_history":[` + strings.TrimSuffix(strings.Repeat("3,", n), ",") + `],"x":1}`)
	}
	frame, err := AppendPublic([]byte("x"), "m-1", &referee.Public{View: list(20_000)})
	if err != nil || len(frame) > MaxFrame+1 || frame[0] != 'x' {
		t.Fatalf("%d bytes, %v", len(frame), err)
	}
	m, err := DecodeFromArena(frame[1:])
	if err != nil {
		t.Fatal(err)
	}
	p := m.(*PublicState)
	if p.Truncated == nil || p.Truncated.Member != "move_history" || p.Truncated.Omitted < 3500 || !strings.HasSuffix(string(p.State), `3],"x":1}`) {
		t.Errorf("%+v", p.Truncated)
	}
	frame, err = AppendPublic(nil, "m-1", &referee.Public{View: list(10_000), Board: strings.Repeat("b", 20_000)})
	if err != nil {
		t.Fatal(err)
	}
	if m, err = DecodeFromArena(frame); err != nil || m.(*PublicState).Board != "" || m.(*PublicState).Truncated != nil {
		t.Errorf("%v, %.100s", err, frame)
	}
	if frame, err = AppendPublic([]byte("x"), "m-1", &referee.Public{View: strings.Repeat("v", MaxFrame)}); !errors.Is(err, ErrTooLarge) || string(frame) != "x" {
		t.Errorf("%v, %.100s", err, frame)
	}
	if _, err = AppendPublic(nil, "m-1", &referee.Public{View: func() {}}); err == nil || errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}
