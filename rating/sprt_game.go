package rating

import "fmt"

// HalfPoints gives what SPRT.Put takes of a game between two players, or of a pair of them: the half points of one player, by name, or
// Unusable where a game is void or does not count by the policy. All games are counted in the report, the other game of an unusable pair
// too. The error wraps ErrGame, ErrInput (for the policy) or ErrSPRT: the player is not in a game, there are more than two sides or they
// are teams, opponents or the games' Pair differ, the seats were not swapped, or a score is no loss, draw or win; then the report is as it
// was.
func (p Policy) HalfPoints(player string, report *Report, games ...Game) (int, error) {
	if n := len(games); n < 1 || n > 2 {
		return Unusable, fmt.Errorf("%w: %d games, not 1 or 2", ErrSPRT, n)
	}
	if n := len(games); n == 2 && games[0].Pair != games[1].Pair {
		return Unusable, fmt.Errorf("%w: games of the pairs %q and %q", ErrSPRT, games[0].Pair, games[1].Pair)
	}
	points, usable, opponent, seats := 0, true, "", [2]int{}
	counted := *report
	for i := range games {
		g := &games[i]
		ok, err := p.Admit(g, &counted)
		if err != nil {
			return Unusable, fmt.Errorf("game %d: %w", i, err)
		}
		if usable = usable && ok; !ok {
			continue
		}
		if len(g.Sides) != 2 || len(g.Sides[0].Players) != 1 || len(g.Sides[1].Players) != 1 {
			return Unusable, fmt.Errorf("%w: game %d is not between two players", ErrSPRT, i)
		}
		s := 0
		if g.Sides[0].Players[0] != player {
			s = 1
		}
		if g.Sides[s].Players[0] != player {
			return Unusable, fmt.Errorf("%w: %q is not in game %d", ErrSPRT, player, i)
		}
		if other := g.Sides[1-s].Players[0]; opponent == "" {
			opponent = other
		} else if other != opponent {
			return Unusable, fmt.Errorf("%w: %q meets %q and %q", ErrSPRT, player, opponent, other)
		}
		seats[s]++
		share := float64(2 * share2(g.Sides[s].Score, g.Sides[1-s].Score))
		if share != 0 && share != 1 && share != 2 {
			return Unusable, fmt.Errorf("%w: game %d: the score is no loss, draw or win", ErrSPRT, i)
		}
		points += int(share)
	}
	if max(seats[0], seats[1]) > 1 {
		return Unusable, fmt.Errorf("%w: %q has the same seat in both games of a pair", ErrSPRT, player)
	}
	*report = counted
	if !usable {
		return Unusable, nil
	}
	return points, nil
}
