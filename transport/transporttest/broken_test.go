package transporttest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/transport"
	"github.com/matchreferee/arena/transport/local"
	"github.com/matchreferee/arena/transport/transporttest"
)

// fake is a transport that breaks one promise.
type fake struct {
	name  string
	fails string // the checks that must fail, all of them and no others; "": it is whole
	says  string // what each of them says, among other things, as a regular expression
	setup func(t *testing.T) transporttest.Harness
}

// fakes are tried one in a process, because some of them hang, and some leave goroutines behind.
var fakes = []fake{
	{"no means to cut, and no reason", "reconnect", "needs Harness.Cut", withPlayer(transporttest.Player)},
	{name: "whole sessions", setup: withSessions(flaws{})},
	{name: "whole functions", setup: withPlayer(transporttest.Player)},

	{"an open request is lost with the connection", "reconnect", "nothing in", withSessions(flaws{loses: true})},
	{"an open request comes again as another one", "reconnect", "reconnect", withSessions(flaws{renumbers: true})},
	{"an open request has its whole time again", "reconnect", "at the most", withSessions(flaws{restarts: true})},
	{"a request to an agent that is away is forgotten", "reconnect", "nothing in", withSessions(flaws{drops: true})},
	{"a refused answer is the last one read", "rejected", "nothing in", withSessions(flaws{deafens: true})},
	{"a match taken over is answered at its old seat", "resume", "nothing in", withSessions(flaws{oldSeat: true})},
	{"an agent has one match at a time", "cancel deaf concurrent", "nothing in|not asked", withSessions(flaws{oneMatch: true})},
	{"answers go to the match seated last", "concurrent itself", "nothing in", withSessions(flaws{crosses: true})},
	{"an agent is not told of deadlines", "cancel", "deadline has passed", withSessions(flaws{timeless: true})},
	{"an agent is not told of the end", "cancel", "whose match has ended", withSessions(flaws{forgetsEnd: true})},

	{"Tell waits for the agent", "late cancel deaf concurrent stop resume close", "stands still", withPlayer(waits)},
	{"a late answer is for the open request", "late", "the late answer counted", withPlayer(lately)},
	{"a second answer is kept for the next turn", "duplicate rejected", "and moved|nothing in", withPlayer(keeps)},
	{"an illegal action is made legal", "illegal rejected", "agent's answers make it", withPlayer(mends)},
	{"what is malformed is passed over", "malformed", "nothing in", withPlayer(ignores)},
	{"what is malformed is the host's fault", "malformed", "void", withPlayer(blames)},
	{"an oversized answer is cut to size", "oversized", "agent's answers make it", withPlayer(cuts)},
	{"one request is out at a time", "late deaf", "nothing in", queued},
	{"four requests are out at a time, and more are dropped", "concurrent", "fault late", withPlayer(drops)},
	{"Tell waits for one of four to be answered", "concurrent", "stands still", withPlayer(backsUp)},
	{"thinking never ends", "cancel deaf stop resume close", "nothing in", withPlayer(thinksOn)},
	{"each request leaves a goroutine behind", "answers late duplicate illegal malformed oversized rejected cancel deaf concurrent table itself stop resume close", "left running", withPlayer(leaks)},
	{"a closed request leaves a goroutine behind", "late cancel deaf stop resume close", "left running", withPlayer(leaksClosed)},
	{"a late answer makes it panic", "late deaf", "void", withPlayer(panics)},
	{"another move is handed in", "answers late duplicate illegal malformed oversized rejected deaf concurrent table itself resume", "agent's answers make it|late answer counted|and moved|plays 0 alone", withPlayer(alters)},

	{"a player ends with the call that gave it", "answers late duplicate illegal malformed oversized rejected cancel deaf concurrent table itself stop resume close", "nothing in", withLocal(func(t transport.Transport) transport.Transport { return bound{t} })},
	{"Close lets new players in", "close", "after Close", withLocal(func(t transport.Transport) transport.Transport { return unclosed{t} })},
	{"Close hangs", "answers late duplicate illegal malformed oversized rejected cancel deaf concurrent table itself stop resume unknown close", "Transport.Close", withLocal(func(t transport.Transport) transport.Transport { return hangs{t} })},
	{"everybody is known", "unknown", "nobody made known", withLocal(func(t transport.Transport) transport.Transport { return knows{t} })},
	{"nobody is known, and no error says so", "unknown", "nobody made known", withLocal(func(t transport.Transport) transport.Transport { return silent{t} })},
}

// fakesSent are tried with a protocol whose clocks start as requests are sent.
var fakesSent = []fake{
	{name: "whole functions whose clock starts late", setup: withPlayer(transporttest.Player)},
	{"the clock is never started", "late cancel deaf", "nothing in", withPlayer(unsent)},
}

func withSessions(f flaws) func(*testing.T) transporttest.Harness {
	return func(*testing.T) transporttest.Harness {
		s := &sessions{flaws: f}
		return transporttest.Harness{Transport: s, Agent: s.Agent, Cut: s.Cut}
	}
}

func withPlayer(f func(transporttest.Play) referee.Player) func(*testing.T) transporttest.Harness {
	return func(t *testing.T) transporttest.Harness {
		tr := new(local.Transport)
		return transporttest.Harness{Transport: tr, Agent: func(a referee.Agent, play transporttest.Play) {
			if err := tr.Add(a.Slug, f(play)); err != nil {
				t.Fatal(err)
			}
		}}
	}
}

func withLocal(f func(transport.Transport) transport.Transport) func(*testing.T) transporttest.Harness {
	return func(t *testing.T) transporttest.Harness {
		h := withPlayer(transporttest.Player)(t)
		h.Transport = f(h.Transport)
		return h
	}
}

// tells is a player that is a function.
type tells func(*referee.Seat, referee.Notice)

func (f tells) Tell(s *referee.Seat, n referee.Notice) { f(s, n) }

// answering makes a player that submits what answer makes of each reply.
func answering(play transporttest.Play, answer func(ctx context.Context, s *referee.Seat, i int, r transporttest.Reply, a referee.Answer)) referee.Player {
	return tells(func(s *referee.Seat, n referee.Notice) {
		if n.Kind != referee.Opened {
			return
		}
		s.Go(func(ctx context.Context) {
			for i, r := range play(ctx, transporttest.TurnOf(n.Request)) {
				a := r.Answer()
				a.To = referee.Address{By: referee.ByAsk, N: n.Ask}
				answer(ctx, s, i, r, a)
			}
		})
	})
}

// queued has agents whose requests wait for each other.
func queued(t *testing.T) transporttest.Harness {
	place := make(chan struct{}, 1)
	return withPlayer(func(play transporttest.Play) referee.Player {
		return transporttest.Player(func(ctx context.Context, t transporttest.Turn) []transporttest.Reply {
			select {
			case place <- struct{}{}:
				defer func() { <-place }()
				return play(ctx, t)
			case <-ctx.Done():
				return nil
			}
		})
	})(t)
}

func drops(play transporttest.Play) referee.Player {
	places := make(chan struct{}, 4)
	return transporttest.Player(func(ctx context.Context, t transporttest.Turn) []transporttest.Reply {
		select {
		case places <- struct{}{}:
			defer func() { <-places }()
			return play(ctx, t)
		default:
			return nil
		}
	})
}

func backsUp(play transporttest.Play) referee.Player {
	places := make(chan struct{}, 4)
	p := transporttest.Player(func(ctx context.Context, t transporttest.Turn) []transporttest.Reply {
		defer func() { <-places }()
		return play(ctx, t)
	})
	return tells(func(s *referee.Seat, n referee.Notice) {
		if n.Kind == referee.Opened {
			places <- struct{}{}
		}
		p.Tell(s, n)
	})
}

func submit(s *referee.Seat, a referee.Answer) { s.Submit(context.Background(), a) }

func waits(play transporttest.Play) referee.Player {
	return tells(func(s *referee.Seat, n referee.Notice) {
		if n.Kind != referee.Opened {
			return
		}
		for _, r := range play(context.Background(), transporttest.TurnOf(n.Request)) {
			a := r.Answer()
			a.To = referee.Address{By: referee.ByAsk, N: n.Ask}
			submit(s, a)
		}
	})
}

func lately(play transporttest.Play) referee.Player {
	return answering(play, func(ctx context.Context, s *referee.Seat, _ int, _ transporttest.Reply, a referee.Answer) {
		if ctx.Err() != nil {
			a.To = referee.Address{}
		}
		submit(s, a)
	})
}

func keeps(play transporttest.Play) referee.Player {
	var mu sync.Mutex
	kept := map[string]referee.Answer{}
	return answering(play, func(_ context.Context, s *referee.Seat, i int, _ transporttest.Reply, a referee.Answer) {
		mu.Lock()
		old, ok := kept[s.Match()]
		delete(kept, s.Match())
		if i > 0 {
			kept[s.Match()] = a
		}
		mu.Unlock()
		if i > 0 {
			return
		}
		if ok {
			old.To = a.To
			submit(s, old)
		}
		submit(s, a)
	})
}

func mends(play transporttest.Play) referee.Player {
	return answering(play, func(_ context.Context, s *referee.Seat, _ int, r transporttest.Reply, a referee.Answer) {
		if q, open := s.Open(); open && r.Kind == transporttest.Illegal {
			a.Action = q.Legal(nil)[0]
		}
		submit(s, a)
	})
}

func ignores(play transporttest.Play) referee.Player {
	return answering(play, func(_ context.Context, s *referee.Seat, _ int, r transporttest.Reply, a referee.Answer) {
		if r.Kind != transporttest.Malformed {
			submit(s, a)
		}
	})
}

func blames(play transporttest.Play) referee.Player {
	return answering(play, func(_ context.Context, s *referee.Seat, _ int, r transporttest.Reply, a referee.Answer) {
		if r.Kind == transporttest.Malformed {
			a.Fault = referee.Internal
		}
		submit(s, a)
	})
}

func cuts(play transporttest.Play) referee.Player {
	return answering(play, func(_ context.Context, s *referee.Seat, _ int, _ transporttest.Reply, a referee.Answer) {
		a.Action = game.Action(strings.TrimSpace(string(a.Action)))
		submit(s, a)
	})
}

func thinksOn(play transporttest.Play) referee.Player {
	return transporttest.Player(func(ctx context.Context, t transporttest.Turn) []transporttest.Reply {
		return play(context.WithoutCancel(ctx), t)
	})
}

// unsent never says that a request goes out.
func unsent(play transporttest.Play) referee.Player {
	return answering(play, func(_ context.Context, s *referee.Seat, _ int, _ transporttest.Reply, a referee.Answer) { submit(s, a) })
}

func leaks(play transporttest.Play) referee.Player {
	return transporttest.Player(func(ctx context.Context, t transporttest.Turn) []transporttest.Reply {
		go func() { select {} }()
		return play(ctx, t)
	})
}

func leaksClosed(play transporttest.Play) referee.Player {
	return transporttest.Player(func(ctx context.Context, t transporttest.Turn) []transporttest.Reply {
		replies := play(ctx, t)
		if ctx.Err() != nil {
			go func() { select {} }()
		}
		return replies
	})
}

func panics(play transporttest.Play) referee.Player {
	p := transporttest.Player(play)
	return tells(func(s *referee.Seat, n referee.Notice) {
		if n.Kind == referee.Closed || n.Kind == referee.Judged {
			panic("nobody is to know of it")
		}
		p.Tell(s, n)
	})
}

// alters plays the second move for the first.
func alters(play transporttest.Play) referee.Player {
	return answering(play, func(_ context.Context, s *referee.Seat, _ int, _ transporttest.Reply, a referee.Answer) {
		if q, open := s.Open(); open {
			if legal := q.Legal(nil); len(legal) > 1 && a.Action == legal[0] {
				a.Action = legal[1]
			}
		}
		submit(s, a)
	})
}

type bound struct{ transport.Transport }

func (t bound) Player(ctx context.Context, a referee.Agent) (referee.Player, error) {
	p, err := t.Transport.Player(ctx, a)
	if err != nil {
		return nil, err
	}
	return tells(func(s *referee.Seat, n referee.Notice) {
		if ctx.Err() == nil {
			p.Tell(s, n)
		}
	}), nil
}

type unclosed struct{ transport.Transport }

func (unclosed) Close() error { return nil }

type hangs struct{ transport.Transport }

func (hangs) Close() error { select {} }

type knows struct{ transport.Transport }

func (t knows) Player(ctx context.Context, a referee.Agent) (referee.Player, error) {
	p, err := t.Transport.Player(ctx, a)
	if errors.Is(err, local.ErrUnknown) {
		return tells(func(*referee.Seat, referee.Notice) {}), nil
	}
	return p, err
}

type silent struct{ transport.Transport }

func (t silent) Player(ctx context.Context, a referee.Agent) (referee.Player, error) {
	p, err := t.Transport.Player(ctx, a)
	if errors.Is(err, local.ErrUnknown) {
		return nil, nil
	}
	return p, err
}
