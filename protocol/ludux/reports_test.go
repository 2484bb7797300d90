package ludux

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
)

// TestReports holds this format to reports that users of comparable programs made; see testdata/reports.jsonl.
func TestReports(t *testing.T) {
	t.Run("B53", func(t *testing.T) {
		// Lists that nothing is in, in messages made from nothing.
		for _, tt := range []struct {
			m     Message
			empty []string
		}{
			{&ActionRequest{}, []string{"legal_actions", "opponents"}},
			{&MatchStart{}, []string{"opponents"}},
			{&MatchEnd{}, []string{"returns", "scores", "places"}},
			{EndOf("m", 0, &referee.Result{Cause: referee.CauseExpiry}), []string{"returns", "scores", "places"}},
		} {
			members := naive(t, tt.m.Append(nil))
			for _, name := range tt.empty {
				if diff := cmp.Diff([]any{}, members[name]); diff != "" {
					t.Errorf("%s of %s: %s", name, tt.m.Kind(), diff)
				}
			}
		}
		// And in the states of all games before the first move, where there is no move yet; of the village, when nobody has anything to tell.
		for _, tt := range []struct {
			game  game.Game
			seats int
			empty []string
		}{
			{connectfour.New(), 2, []string{"move_history"}},
			{chess.New(), 2, []string{"move_history_uci"}},
			{grid.New(), 2, []string{"history"}},
			{werewolf.New(), 5, []string{"public_log"}},
			{game.New(chronicle{List: "none"}), 1, []string{"History", "said_log"}},
		} {
			for _, r := range requests(newMatch(t, tt.game, "", "", tt.seats)) {
				frame := write(t, r)
				state := naive(t, []byte(frame))["state"].(map[string]any)
				for _, name := range tt.empty {
					if diff := cmp.Diff([]any{}, state[name]); diff != "" {
						t.Errorf("%s of %s: %s", name, r.Info().Name, diff)
					}
				}
				if private, ok := state["private"].(map[string]any); ok && len(private) == 0 {
					t.Errorf("seat %v, asked in the night, has nothing private", r.Seat)
				} else if ok && (strings.Contains(frame, `"peeks":null`) || strings.Contains(frame, `"packmates":null`)) {
					t.Errorf("%s", frame)
				}
			}
		}
		if frame := write(t, first(t, newMatch(t, game.New(chronicle{}), "", "", 1))); !strings.Contains(frame, `"opponents":[]`) {
			t.Errorf("%s", frame)
		}
	})
}
