package referee

import (
	"context"
	"fmt"

	"github.com/matchreferee/arena/game"
)

// askHost has the host answer a question of the rules.
func (l *Live) askHost(a game.Ask) {
	l.spawn(func() {
		answer, err := l.hostAnswer(a)
		if l.ctx.Err() != nil {
			return
		}
		l.do(l.ctx, func(now Time) (Output, error) {
			if err != nil {
				return l.m.Crash(now, "host: "+err.Error()), nil
			}
			return l.m.HostAnswer(now, a.ID, answer), nil
		})
	})
}

func (l *Live) hostAnswer(a game.Ask) (_ game.Action, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if l.c.Host == nil {
		return "", fmt.Errorf("the rules ask for %q and there is no Host", a.Kind)
	}
	return l.c.Host.Answer(l.ctx, a)
}

// askRuler has the host rule on a match that has gone on too long.
func (l *Live) askRuler() {
	draw := Ruling{What: RuleDraw, By: "referee", Reason: "max_steps"}
	ruler, ok := l.c.Host.(Ruler)
	if !ok {
		l.spawn(func() { l.do(l.ctx, func(now Time) (Output, error) { return l.m.Rule(now, draw) }) })
		return
	}
	view := l.m.state.View(game.Spectator)
	l.spawn(func() {
		r, err := ruling(l.ctx, ruler, view)
		l.do(l.ctx, func(now Time) (Output, error) {
			if err == nil {
				if o, err := l.m.Rule(now, r); err == nil {
					return o, nil
				}
			}
			return l.m.Rule(now, draw)
		})
	})
}

func ruling(ctx context.Context, ruler Ruler, view any) (_ Ruling, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return ruler.Rule(ctx, view)
}
