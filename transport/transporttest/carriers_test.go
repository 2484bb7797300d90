package transporttest

import (
	"context"
	"fmt"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	ws "github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/agentarena"
	"github.com/matchreferee/arena/protocol/ludux"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/callback"
	"github.com/matchreferee/arena/transport/local"
	"github.com/matchreferee/arena/transport/websocket"
)

// carrier is a way for a whole match, with what its protocol says of clocks.
type carrier struct {
	name  string
	terms func(int) (referee.Policy, referee.Clock)
	setup func(t *testing.T) Harness
}

var carriers = []carrier{
	{"local", nil, overLocal},
	{"agentarena", agentarena.Policy, overAgentArena},
	{"signed", ludux.Policy, overSigned},
	{"websocket", ludux.Policy, overWebSocket},
}

func overLocal(t *testing.T) Harness {
	tr := new(local.Transport)
	return Harness{Transport: tr, Agent: func(a referee.Agent, play Play) {
		if err := tr.Add(a.Slug, Player(play)); err != nil {
			t.Fatal(err)
		}
	}}
}

func overAgentArena(t *testing.T) Harness { return overCallback(t, nil) }

func overSigned(t *testing.T) Harness {
	secrets := []callback.Secret{callback.NewSecret()}
	return overCallback(t, &callback.Signed{Secrets: func(context.Context, referee.Agent) ([]callback.Secret, error) { return secrets, nil }})
}

func overCallback(t *testing.T, signed *callback.Signed) Harness {
	tr, err := callback.New(callback.Options{
		ReplayURL: "https://arena.example/{match_id}", AllowHTTP: true, AllowLoopback: true, Signed: signed,
	})
	if err != nil {
		t.Fatal(err)
	}
	return Harness{Transport: tr, Agent: func(a referee.Agent, play Play) {
		h := AgentArenaHandler(play)
		if signed != nil {
			h = LuduxHandler(play)
		}
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		if err := tr.Register(t.Context(), a, s.URL+"/"+a.Slug); err != nil {
			t.Fatal(err)
		}
	}}
}

// slugs are keys.
type slugs struct{}

func (slugs) Authenticate(_ context.Context, key string) (*transport.Grant, error) {
	return &transport.Grant{Agent: referee.Agent{Slug: key}, Key: key, Scopes: []string{transport.ScopePlay}}, nil
}

func overWebSocket(t *testing.T) Harness {
	tr, err := websocket.New(websocket.Options{Auth: slugs{}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(tr)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var sessions sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		sessions.Wait()
		s.Close()
	})
	return Harness{Transport: tr, Agent: func(a referee.Agent, play Play) {
		sessions.Go(func() { // whose frames may be too large, after which it connects again
			for ctx.Err() == nil {
				conn, _, err := ws.Dial(ctx, s.URL, &ws.DialOptions{HTTPHeader: map[string][]string{"Authorization": {"Bearer " + a.Slug}}})
				if err != nil {
					select {
					case <-ctx.Done():
					case <-time.After(time.Millisecond):
					}
					continue
				}
				conn.SetReadLimit(ludux.MaxFrame)
				LuduxSession(ctx, play, func(ctx context.Context) ([]byte, error) {
					_, frame, err := conn.Read(ctx)
					return frame, err
				}, func(ctx context.Context, frame []byte) error { return conn.Write(ctx, ws.MessageText, frame) })
				conn.CloseNow()
			}
		})
	}}
}

// TestSameMatch plays scripted matches over each carrier, all seats under one
// policy: each record tells of the same moves, faults and outcome.
func TestSameMatch(t *testing.T) {
	wrong := []Kind{Move, Illegal, Move, Malformed, Move, Oversized}
	s := func(_ context.Context, c call) []Reply {
		r := c.move()
		r.Kind = wrong[(c.nth+int(c.slug[0]))%len(wrong)]
		return []Reply{r}
	}
	defaults := strikes
	defaults.Illegal, defaults.Strikes, defaults.Out = referee.DoDefault, 4, referee.DoEliminate
	forfeits := strikes
	forfeits.Strikes = 3
	for _, m := range []struct {
		name   string
		policy referee.Policy
		setup  func(*trial, string, ...string) referee.Setup
		slugs  []string
	}{
		{"connect four", strikes, (*trial).connectFour, []string{"ann", "bob"}},
		{"connect four, forfeited", forfeits, (*trial).connectFour, []string{"ann", "bob"}},
		{"werewolf", strikes, (*trial).werewolf, []string{"ann", "bob", "cid", "dot", "eve", "fay", "gus"}},
		{"werewolf, with defaults", defaults, (*trial).werewolf, []string{"ann", "bob", "cid", "dot", "eve", "fay", "gus"}},
	} {
		t.Run(m.name, func(t *testing.T) {
			var first []string
			for _, c := range carriers {
				o := Options{Terms: c.terms}
				o.fill()
				t.Run(c.name, func(t *testing.T) {
					checkLeaks(t, o.Patience)
					x := newTrial(t, c.setup(t), &o)
					for _, slug := range m.slugs {
						x.agent(slug, s)
					}
					setup := m.setup(x, "same", m.slugs...)
					for i := range setup.Seats {
						setup.Seats[i].Policy = m.policy
					}
					b := x.start(setup, new(referee.Memory))
					got := b.tale()
					if first == nil {
						first = got
						seen := map[referee.Fault]bool{}
						for _, f := range b.faults() {
							seen[f.fault] = true
						}
						if len(got) < 10 || !seen[referee.Illegal] || !seen[referee.Malformed] || !seen[referee.Oversized] {
							t.Errorf("not much happens in the script: %v\n%v", seen, got)
						}
					}
					if diff := cmp.Diff(first, got); diff != "" {
						t.Errorf("another match than over %s:\n%s", carriers[0].name, diff)
					}
				})
			}
		})
	}
}

// tale waits for the end and tells the match: seat by seat, for those that move
// together do it in any order, and what chance did. Where one seat moves at a
// time, what each does follows from what the others did before.
func (b *bout) tale() (lines []string) {
	r := b.end()
	seats := []game.Seat{game.Chance}
	for i := range b.setup.Seats {
		seats = append(seats, game.Seat(i))
	}
	for _, s := range seats {
		for _, line := range b.ledger(s) {
			lines = append(lines, fmt.Sprintf("seat %v, %s", s, line))
		}
	}
	for i, s := range r.Seats {
		lines = append(lines, fmt.Sprintf("seat %d: %d moves, %d strikes, out %v, faults %v", i, s.Moves, s.Strikes, s.Out, s.Faults))
	}
	return append(lines, describe(r, nil), fmt.Sprint(r.Returns, r.Scores))
}
