package rating

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// scoreUnits is how many units of a score of 1 are counted: integers add up to the same whatever their order.
const scoreUnits = 1 << 20

// seating counts the games of two players with one of them first.
type seating struct {
	games int32
	draws int32
	score int64 // of the first player, in scoreUnits
}

// cell counts the games between players i < j: with i first and with j first.
type cell struct {
	i, j int32
	seat [2]seating
}

func (c *cell) compare(d *cell) int {
	return cmp.Or(cmp.Compare(c.i, d.i), cmp.Compare(c.j, d.j),
		c.seat[0].compare(&d.seat[0]), c.seat[1].compare(&d.seat[1]))
}

func (s *seating) compare(o *seating) int {
	return cmp.Or(cmp.Compare(s.games, o.games), cmp.Compare(s.score, o.score), cmp.Compare(s.draws, o.draws))
}

func (c *cell) add(d *cell) {
	for k := range c.seat {
		c.seat[k].games += d.seat[k].games
		c.seat[k].draws += d.seat[k].draws
		c.seat[k].score += d.seat[k].score
	}
}

// class is a kind of cluster between two players and how many of it there are.
type class struct {
	cell
	count int32
}

// mixture is a kind of cluster between more than two players, its cells sorted, and how many of it there are.
type mixture struct {
	cells []cell
	count int32
}

// btData is what a fit needs of the games. All of it is sorted by content, so that nothing depends on the order of the games or on how
// clusters were numbered.
type btData struct {
	players  []string
	games    int
	clusters int
	edges    []cell // all games, one cell for two players
	classes  []class
	mixed    []mixture
	draws    bool // counted, all scores being 0, 1/2 or 1
}

// contestsOf numbers players and clusters of the games that a policy admits.
func contestsOf(games []Game, p Policy) (players []string, contests []Contest, report Report, err error) {
	fail := func(i int, err error) ([]string, []Contest, Report, error) {
		return nil, nil, Report{}, fmt.Errorf("game %d: %w", i, err)
	}
	numbers, pairs := map[string]int32{}, map[string]int32{}
	contests = make([]Contest, 0, len(games))
	number := func(name string) int32 {
		n, ok := numbers[name]
		if !ok {
			n = int32(len(players))
			numbers[name] = n
			players = append(players, name)
		}
		return n
	}
	for i := range games {
		g := &games[i]
		ok, err := p.Admit(g, &report)
		if err != nil {
			return fail(i, err)
		}
		if !ok {
			continue
		}
		if len(g.Sides) != 2 || len(g.Sides[0].Players) != 1 || len(g.Sides[1].Players) != 1 {
			return fail(i, fmt.Errorf("%w: takes games of two players; see TeamBradleyTerry and PlackettLuce", ErrFit))
		}
		c := Contest{
			First:  number(g.Sides[0].Players[0]),
			Second: number(g.Sides[1].Players[0]),
			Score:  float32(share2(g.Sides[0].Score, g.Sides[1].Score)),
		}
		if g.Pair != "" {
			n, ok := pairs[g.Pair]
			if !ok {
				n = int32(len(pairs)) + 1
				pairs[g.Pair] = n
			}
			c.Cluster = n
		}
		contests = append(contests, c)
	}
	order := make([]int32, len(players)) // from the number of first sight to that in sorted order
	sorted := slices.Sorted(slices.Values(players))
	for i, name := range players {
		k, _ := slices.BinarySearch(sorted, name)
		order[i] = int32(k)
	}
	for i := range contests {
		contests[i].First, contests[i].Second = order[contests[i].First], order[contests[i].Second]
	}
	return sorted, contests, report, nil
}

// share2 is the first side's share of a game: half of what its score exceeds the other's by, above one half. Where the scores add up to 1,
// it is the first one's.
func share2(first, second float64) float64 {
	return 0.5 + float64((first-second)/2)
}

func newBTData(players []string, contests []Contest, draws bool) (*btData, error) {
	if n := len(players); n < 2 || n > MaxBTPlayers {
		return nil, fmt.Errorf("%w: %d players, not 2 to %d", ErrFit, n, MaxBTPlayers)
	}
	if len(contests) > MaxBTGames {
		return nil, fmt.Errorf("%w: %d games, %d at most", ErrFit, len(contests), MaxBTGames)
	}
	for i := 1; i < len(players); i++ {
		if players[i-1] >= players[i] {
			return nil, fmt.Errorf("%w: players %d and %d are not in order", ErrFit, i-1, i)
		}
	}
	d := &btData{players: players, games: len(contests), draws: draws}
	top := int32(0)
	for i := range contests {
		c := &contests[i]
		if int(c.First) >= len(players) || int(c.Second) >= len(players) || c.First < 0 || c.Second < 0 || c.First == c.Second {
			return nil, fmt.Errorf("%w: game %d is between players %d and %d of %d", ErrFit, i, c.First, c.Second, len(players))
		}
		if !(c.Score >= 0 && c.Score <= 1) {
			return nil, fmt.Errorf("%w: game %d: the score is not in [0, 1]", ErrFit, i)
		}
		if draws && c.Score != 0 && c.Score != 0.5 && c.Score != 1 {
			return nil, fmt.Errorf("%w: game %d: Davidson's model takes the scores 0, 1/2 and 1", ErrFit, i)
		}
		if c.Cluster < 0 {
			return nil, fmt.Errorf("%w: game %d: the cluster is below 0", ErrFit, i)
		}
		top = max(top, c.Cluster)
	}
	d.gather(contests, top)
	played := make([]bool, len(players))
	for i := range d.edges {
		played[d.edges[i].i], played[d.edges[i].j] = true, true
	}
	if k := slices.Index(played, false); k >= 0 {
		return nil, fmt.Errorf("%w: player %d has no game", ErrFit, k)
	}
	return d, nil
}

// cellOf makes the cell of a game.
func (c *Contest) cell(draws bool) cell {
	units := int64(math.Floor(float64(float64(c.Score)*scoreUnits) + 0.5))
	s := seating{games: 1, score: units}
	if draws && c.Score == 0.5 {
		s.draws = 1
	}
	out := cell{i: c.First, j: c.Second}
	if c.First < c.Second {
		out.seat[0] = s
		return out
	}
	out.i, out.j = out.j, out.i
	out.seat[1] = s
	return out
}

// gather forms clusters, then classes of clusters, then edges.
func (d *btData) gather(contests []Contest, top int32) {
	order := byCluster(contests, top)
	cells := make([]cell, 0, len(contests)/2+1) // one for each cluster between two players
	var group []cell
	for from := 0; from < len(order); {
		to := from + 1
		if k := contests[order[from]].Cluster; k > 0 {
			for to < len(order) && contests[order[to]].Cluster == k {
				to++
			}
		}
		group = group[:0]
		for _, g := range order[from:to] {
			group = append(group, contests[g].cell(d.draws))
		}
		if group = merge(group); len(group) == 1 {
			cells = append(cells, group[0])
		} else {
			d.mixed = append(d.mixed, mixture{slices.Clone(group), 1})
		}
		d.clusters++
		from = to
	}
	slices.SortFunc(d.mixed, func(a, b mixture) int {
		return slices.CompareFunc(a.cells, b.cells, func(x, y cell) int { return x.compare(&y) })
	})
	cells = byPlayers(cells, len(d.players))
	d.classes = make([]class, 0, len(cells))
	for from := 0; from < len(cells); {
		to := from + 1
		for to < len(cells) && cells[to].i == cells[from].i && cells[to].j == cells[from].j {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(cells[from:to], func(a, b cell) int { return a.compare(&b) })
		}
		for k := from; k < to; k++ {
			if n := len(d.classes); k > from && d.classes[n-1].compare(&cells[k]) == 0 {
				d.classes[n-1].count++
			} else {
				d.classes = append(d.classes, class{cells[k], 1})
			}
		}
		from = to
	}
	d.join()
}

// merge adds up the cells of the same players and sorts them by players.
func merge(cells []cell) []cell {
	same := true
	for k := 1; k < len(cells); k++ {
		same = same && cells[k].i == cells[0].i && cells[k].j == cells[0].j
	}
	if !same {
		slices.SortFunc(cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.i, b.i), cmp.Compare(a.j, b.j)) })
	}
	n := 0
	for k := range cells {
		if n > 0 && cells[n-1].i == cells[k].i && cells[n-1].j == cells[k].j {
			cells[n-1].add(&cells[k])
		} else {
			cells[n] = cells[k]
			n++
		}
	}
	return cells[:n]
}

// times gives the cell of so many clusters alike.
func (c cell) times(n int32) cell {
	for s := range c.seat {
		c.seat[s].games *= n
		c.seat[s].draws *= n
		c.seat[s].score *= int64(n)
	}
	return c
}

// join makes the edges of the classes and the mixtures.
func (d *btData) join() {
	d.edges = make([]cell, 0, len(d.classes))
	for k := range d.classes {
		c := &d.classes[k]
		if n := len(d.edges); c.count == 0 {
			continue
		} else if t := c.times(c.count); n > 0 && d.edges[n-1].i == c.i && d.edges[n-1].j == c.j {
			d.edges[n-1].add(&t)
		} else {
			d.edges = append(d.edges, t)
		}
	}
	if len(d.mixed) == 0 {
		return
	}
	for k := range d.mixed {
		for _, c := range d.mixed[k].cells {
			if d.mixed[k].count > 0 {
				d.edges = append(d.edges, c.times(d.mixed[k].count))
			}
		}
	}
	d.edges = merge(byPlayers(d.edges, len(d.players)))
}

// byCluster gives the numbers of the games in the order of their clusters.
func byCluster(contests []Contest, top int32) []int32 {
	order := make([]int32, len(contests))
	if int(top) > 4*len(contests)+1024 { // sparse numbers
		for i := range order {
			order[i] = int32(i)
		}
		slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(contests[a].Cluster, contests[b].Cluster) })
		return order
	}
	start := make([]int32, top+2)
	for i := range contests {
		start[contests[i].Cluster+1]++
	}
	for i := 1; i < len(start); i++ {
		start[i] += start[i-1]
	}
	for i := range contests {
		c := contests[i].Cluster
		order[start[c]] = int32(i)
		start[c]++
	}
	return order
}

// byPlayers sorts cells by their players: a counting sort by the second, then one by the first.
func byPlayers(cells []cell, players int) []cell {
	out := make([]cell, len(cells))
	pass := func(from, to []cell, key func(*cell) int32) {
		start := make([]int, players+1)
		for k := range from {
			start[key(&from[k])+1]++
		}
		for k := 1; k < len(start); k++ {
			start[k] += start[k-1]
		}
		for k := range from {
			p := key(&from[k])
			to[start[p]] = from[k]
			start[p]++
		}
	}
	pass(cells, out, func(c *cell) int32 { return c.j })
	pass(out, cells, func(c *cell) int32 { return c.i })
	return cells
}

// indexOf finds a name in a sorted list.
func indexOf(players []string, name string) (int, error) {
	i, ok := slices.BinarySearch(players, name)
	if !ok {
		return 0, fmt.Errorf("rating: no player %q", name)
	}
	return i, nil
}
