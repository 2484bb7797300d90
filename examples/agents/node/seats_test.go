package node_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena"
	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
)

// askSeat sends a request to a seat of ann, who plays against slug.
func (c *end) askSeat(match string, seat game.Seat, slug string) {
	c.send(&ludux.ActionRequest{
		MatchID: match, Game: "numbers", GameVersion: "1.0.0", Ruleset: json.RawMessage(`{}`), Agent: ludux.Identity{Slug: "ann"}, Seat: seat, Seq: 1,
		Deadline: time.Minute, DeadlineAt: time.Now().Add(time.Minute), IssuedAt: time.Now(), State: json.RawMessage(`{}`),
		LegalActions: []game.Action{"0", "1"}, Opponents: []ludux.Opponent{{Slug: slug, Seat: 1 - seat}},
	})
}

// answered reads a response for each of those that are wanted, in any order.
func (c *end) answered(want ...*ludux.ActionResponse) {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	got, wanted := map[string]ludux.Message{}, map[string]ludux.Message{}
	for _, w := range want {
		wanted[w.MatchID+" "+string(w.Action)] = w
		_, frame, err := c.Read(ctx)
		if err != nil {
			c.t.Errorf("connection %d: %v", c.n, err)
			return
		}
		m, err := ludux.DecodeFromAgent(frame)
		if r, ok := m.(*ludux.ActionResponse); ok {
			got[r.MatchID+" "+string(r.Action)] = r
		} else {
			c.t.Errorf("connection %d: %v: %s", c.n, err, frame)
		}
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		c.t.Errorf("connection %d: %s", c.n, diff)
	}
}

// TestSeats asks two seats of a match at once, and lets one of them think until the other is answered for: each answer names its seat, also
// when it is given again over another connection. Where the agent has no other seat, it names none.
func TestSeats(t *testing.T) {
	dir := withChoose(t, `
const gates = [0, 1].map(() => {
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  return { open, opened };
});
export async function choose({ match_id: match, seat }) {
  const [what, slow] = match.split(" ");
  if (what === "open") gates[slow].open();
  if (what === "slow" && seat === Number(slow)) await gates[slow].opened;
  return { action: seat };
}`)
	answer := func(match string, seat game.Seat) *ludux.ActionResponse {
		return &ludux.ActionResponse{MatchID: match, Seq: 1, Seat: &seat, Action: game.Action(fmt.Sprint(seat))}
	}
	a := scripted(t, func(c *end) {
		c.welcome()
		for slow := range game.Seat(2) {
			match := fmt.Sprint("slow ", slow)
			c.askSeat(match, 0, "ann")
			c.askSeat(match, 1, "ann")
			c.answered(answer(match, 1-slow))
		}
		if c.n == 1 {
			return
		}
		for slow := range game.Seat(2) {
			open := fmt.Sprint("open ", slow)
			c.askSeat(open, 1, "bob")
			c.answered(&ludux.ActionResponse{MatchID: open, Seq: 1, Action: "1"}, answer(fmt.Sprint("slow ", slow), slow))
		}
		c.over("slow 0")
	})
	start(t, dir, "secret-key", "--url", a.url, "--matches", "1").ends(0, "connection lost")
}

// TestVillageAlone plays Werewolf with one agent on all seats, which thinks the longer the lower the seat is: no fault of any kind.
func TestVillageAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("it plays a long match")
	}
	dir := withChoose(t, `
export async function choose({ seat, legal_actions: legal }) {
  await new Promise((resolve) => setTimeout(resolve, 20 * (5 - seat)));
  return { action: legal[legal.length - 1] };
}`)
	h := newHall(t)
	agent := start(t, dir, h.key("ann"), "--url", h.url)
	seats := make([]arena.Seat, 5)
	for i := range seats {
		seats[i] = seat("ann")
	}
	if r := h.play(arena.Match{Game: "werewolf", Seats: seats, Seed: arena.Seed(3)}); r.Cause != referee.CausePlay {
		t.Errorf("%v, %s", r.Cause, r.Reason)
	}
	agent.kill()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.faults) != 0 || h.answers < 10 {
		t.Errorf("%d answers, faults: %v", h.answers, h.faults)
	}
}
