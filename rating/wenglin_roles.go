package rating

import (
	"fmt"
	"slices"
)

// Play changes a table of skills by one game, and with it a table of what roles
// are worth; players and roles that are not in the tables enter them as by Start
// and StartOffset. Games are played in the order in which they ended: here it
// matters, and Bradley-Terry over all games is for those who want it not to.
//
// roles may be nil: then a side is as strong as the plain sum of its players,
// which is right only where sides are of one size and no role is better than
// another. Otherwise each Side.Role has an offset, estimated along with the
// players; see Lineup.Offsets. In a game whose sides all have one role nothing
// is learned of it.
//
// On an error, which wraps ErrVoid, ErrGame or ErrInput, the tables are as they
// were.
func (w *WengLin) Play(players, roles map[string]Skill, g *Game) error {
	if err := g.Validate(); err != nil {
		return err
	}
	l := Lineup{Teams: make([][]Skill, len(g.Sides))}
	ranks := make([]int, len(g.Sides))
	for i := range g.Sides {
		ranks[i] = g.Sides[i].Rank
		for _, name := range g.Sides[i].Players {
			s, ok := players[name]
			if !ok {
				s = w.Start()
			} else if !s.ok() {
				return fmt.Errorf("%w: player %q", ErrInput, name)
			}
			l.Teams[i] = append(l.Teams[i], s)
		}
	}
	var before []Skill
	if roles != nil && oneRole(g) {
		l.level = true
	} else if roles != nil {
		var err error
		if before, err = w.offsets(roles, g); err != nil {
			return err
		}
		l.Offsets = slices.Clone(before)
	}
	if err := w.Update(l, ranks); err != nil {
		return err
	}
	for i := range g.Sides {
		for k, name := range g.Sides[i].Players {
			players[name] = l.Teams[i][k]
		}
	}
	if l.Offsets != nil {
		learn(roles, g, before, l.Offsets)
	}
	return nil
}

// oneRole reports whether all sides have the same role.
func oneRole(g *Game) bool {
	for i := range g.Sides {
		if g.Sides[i].Role != g.Sides[0].Role {
			return false
		}
	}
	return true
}

// offsets gives each side what its role is worth before the game.
func (w *WengLin) offsets(roles map[string]Skill, g *Game) ([]Skill, error) {
	out := make([]Skill, len(g.Sides))
	for i := range g.Sides {
		o, ok := roles[g.Sides[i].Role]
		if !ok {
			o = w.StartOffset()
		} else if !o.ok() {
			return nil, fmt.Errorf("%w: role %q", ErrInput, g.Sides[i].Role)
		}
		out[i] = o
	}
	return out, nil
}

// learn takes over the offsets of the sides after a game. Sides of one role
// change it one after the other: changes of the mean add up, shares of the
// deviation multiply.
func learn(roles map[string]Skill, g *Game, before, after []Skill) {
	for i := range g.Sides {
		role, now, first := g.Sides[i].Role, after[i], true
		for k := range g.Sides {
			if k == i || g.Sides[k].Role != role {
				continue
			}
			first = first && k > i
			now.Mu += after[k].Mu - before[k].Mu
			now.Sigma = float64(now.Sigma * (after[k].Sigma / before[k].Sigma))
		}
		if first {
			now.Mu = max(-MaxSkill, min(MaxSkill, now.Mu))
			now.Sigma = max(MinSigma, min(MaxSkill, now.Sigma))
			roles[role] = now
		}
	}
}
