package local_test

import (
	"context"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/local"
	"github.com/matchreferee/arena/transport/transporttest"
)

// TestKit seats functions that give one move, and TestKitPlayer players that submit what they like.
func TestKit(t *testing.T) {
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		tr := new(local.Transport)
		return transporttest.Harness{Transport: tr, Agent: func(a referee.Agent, play transporttest.Play) {
			add(t, tr, a.Slug, local.Act(func(ctx context.Context, r *referee.Request) (game.Action, error) {
				replies := play(ctx, transporttest.TurnOf(r))
				if len(replies) == 0 {
					<-ctx.Done()
					return "", ctx.Err()
				}
				return replies[0].Answer().Action, nil
			}))
		}}
	}, transporttest.Options{Virtual: true, Skip: map[string]string{
		"duplicate": "a function returns once",
		"malformed": "a move is no bytes",
		"rejected":  "a function returns once",
		"reconnect": "there are no connections",
	}})
}

func TestKitPlayer(t *testing.T) {
	transporttest.Run(t, func(t *testing.T) transporttest.Harness {
		tr := new(local.Transport)
		return transporttest.Harness{Transport: tr, Agent: func(a referee.Agent, play transporttest.Play) {
			add(t, tr, a.Slug, transporttest.Player(play))
		}}
	}, transporttest.Options{Virtual: true, Skip: map[string]string{"reconnect": "there are no connections"}})
}

func add(t *testing.T, tr *local.Transport, slug string, p referee.Player) {
	t.Helper()
	if err := tr.Add(slug, p); err != nil {
		t.Fatal(err)
	}
}
