package local_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport/local"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func first(r *referee.Request) game.Action { return r.Legal(nil)[0] }

func play(t *testing.T, tr *local.Transport, slugs ...string) (*referee.Result, error) {
	t.Helper()
	table, err := connectfour.New().Table(nil)
	if err != nil {
		t.Fatal(err)
	}
	s := referee.Setup{ID: "m", Table: table}
	var players []referee.Player
	for _, slug := range slugs {
		a := referee.Agent{Slug: slug}
		p, err := tr.Player(t.Context(), a)
		if err != nil {
			return nil, err
		}
		s.Seats = append(s.Seats, referee.SeatInfo{Agent: a, Transport: "local"})
		players = append(players, p)
	}
	return new(referee.Local).Play(t.Context(), s, players...)
}

// TestKinds seats each kind of player against each.
func TestKinds(t *testing.T) {
	tr := new(local.Transport)
	var made atomic.Int32
	for slug, p := range map[string]referee.Player{
		"inline": referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: first(r)} }),
		"func": referee.Func(func(_ context.Context, r *referee.Request) (referee.Answer, error) {
			return referee.Answer{Action: first(r)}, nil
		}),
		"act": local.Act(func(_ context.Context, r *referee.Request) (game.Action, error) { return first(r), nil }),
	} {
		if err := tr.Add(slug, p); err != nil {
			t.Fatal(err)
		}
	}
	err := tr.AddNew("new", func() referee.Player {
		made.Add(1)
		var buf []game.Action
		return referee.Inline(func(r *referee.Request) referee.Answer {
			buf = r.Legal(buf[:0])
			return referee.Answer{Action: buf[0]}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	slugs := []string{"inline", "func", "act", "new"}
	for _, x := range slugs {
		for _, o := range slugs {
			t.Run(x+" "+o, func(t *testing.T) {
				r, err := play(t, tr, x, o)
				if err != nil {
					t.Fatal(err)
				}
				// The leftmost column fills in turn, then the next: X stacks its
				// discs beside each other and connects in the bottom row.
				if r.Cause != referee.CausePlay || r.Places[0] != 1 || r.Places[1] != 2 {
					t.Errorf("got %v %v", r.Cause, r.Places)
				}
			})
		}
	}
	if n := made.Load(); n != 8 {
		t.Errorf("made %d players for 8 seats", n)
	}
}

func TestActError(t *testing.T) {
	tr := new(local.Transport)
	fail := local.Act(func(context.Context, *referee.Request) (game.Action, error) { return "", errors.New("no idea") })
	if err := errors.Join(tr.Add("fail", fail), tr.Add("b", fail)); err != nil {
		t.Fatal(err)
	}
	r, err := play(t, tr, "fail", "b")
	if err != nil {
		t.Fatal(err)
	}
	if r.Cause != referee.CauseForfeit || r.Reason != "disconnected" || r.Places[0] != 2 {
		t.Errorf("got %v %s %v", r.Cause, r.Reason, r.Places)
	}
}

func TestNames(t *testing.T) {
	tr := new(local.Transport)
	p := referee.Inline(func(r *referee.Request) referee.Answer { return referee.Answer{Action: first(r)} })
	for _, slug := range []string{"", "A", "a b", "ä", "a/b", "a\n", strings.Repeat("a", 65)} {
		if err := tr.Add(slug, p); err == nil {
			t.Errorf("%q was accepted", slug)
		}
	}
	for _, slug := range []string{"a", "a-b_c.0", strings.Repeat("a", 64)} {
		if err := tr.Add(slug, p); err != nil {
			t.Errorf("%q: %v", slug, err)
		}
	}
	for name, err := range map[string]error{
		"twice":    tr.Add("a", p),
		"nil":      tr.Add("nil", nil),
		"nil func": tr.AddNew("nil", nil),
	} {
		if err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	if err := tr.AddNew("none", func() referee.Player { return nil }); err != nil {
		t.Fatal(err)
	}
	if p, err := tr.Player(t.Context(), referee.Agent{Slug: "none"}); p != nil || err == nil {
		t.Errorf("a function that makes no player gave %v, %v", p, err)
	}
	if _, err := tr.Player(t.Context(), referee.Agent{Slug: "z"}); !errors.Is(err, local.ErrUnknown) {
		t.Errorf("an unknown agent: %v", err)
	}
	if err := tr.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := tr.Player(t.Context(), referee.Agent{Slug: "a"}); !errors.Is(err, local.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if err := tr.Add("late", p); !errors.Is(err, local.ErrClosed) {
		t.Errorf("Add after Close: %v", err)
	}
}

// Example seats two Go functions.
func Example() {
	var t local.Transport
	leftmost := local.Act(func(_ context.Context, r *referee.Request) (game.Action, error) { return r.Legal(nil)[0], nil })
	if err := errors.Join(t.Add("ann", leftmost), t.Add("bob", leftmost)); err != nil {
		fmt.Println(err)
		return
	}
	table, _ := connectfour.New().Table(nil)
	s := referee.Setup{ID: "example", Table: table, Seats: make([]referee.SeatInfo, 2)}
	players := make([]referee.Player, 2)
	for i, slug := range []string{"ann", "bob"} {
		s.Seats[i].Agent = referee.Agent{Slug: slug}
		players[i], _ = t.Player(context.Background(), s.Seats[i].Agent)
	}
	r, err := new(referee.Local).Play(context.Background(), s, players...)
	fmt.Println(r.Reason, r.Places, err)
	// Output: connect [1 2] <nil>
}
