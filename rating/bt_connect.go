package rating

import (
	"fmt"
	"slices"
	"strings"
)

// NotConnectedError says that results leave differences between groups of players without a bound: a group whose players took no point
// from those of another, or never met them. Strengths compare within a group only.
type NotConnectedError struct {
	// Groups has the players, sorted, of each largest group in which there is a chain of points from everyone to everyone. A group comes
	// before those that it took points from and that took none from it; otherwise groups are in the order of their first players.
	Groups [][]string
}

// Error names the groups, with a few players each.
func (e *NotConnectedError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rating: results do not connect %d groups of players:", len(e.Groups))
	for i, g := range e.Groups {
		if i == 4 {
			b.WriteString(" ...")
			break
		}
		fmt.Fprintf(&b, " {%s", strings.Join(g[:min(len(g), 4)], ", "))
		if len(g) > 4 {
			fmt.Fprintf(&b, " and %d more", len(g)-4)
		}
		b.WriteByte('}')
	}
	return b.String()
}

// graph has an arc from a player to each one that it took points from.
type graph struct {
	start []int32 // of the arcs of a player, and one more
	to    []int32
}

// newGraph makes a graph of arcs, each from the first player to the second.
func newGraph(players int, arcs [][2]int32) graph {
	g := graph{start: make([]int32, players+1), to: make([]int32, len(arcs))}
	for _, a := range arcs {
		g.start[a[0]+1]++
	}
	for i := 1; i < len(g.start); i++ {
		g.start[i] += g.start[i-1]
	}
	at := slices.Clone(g.start)
	for _, a := range arcs {
		g.to[at[a[0]]] = a[1]
		at[a[0]]++
	}
	return g
}

// components gives the strongly connected components by Tarjan's algorithm, without recursion: each component comes after those that it
// has arcs to. It has the number of each player's component.
func (g *graph) components() (number []int32, count int) {
	n := len(g.start) - 1
	number = make([]int32, n)
	seen, low := make([]int32, n), make([]int32, n)
	next := slices.Clone(g.start[:n])
	onStack := make([]bool, n)
	var stack, path []int32
	time := int32(0)
	for root := range int32(n) {
		if seen[root] != 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if seen[v] == 0 {
				time++
				seen[v], low[v] = time, time
				stack = append(stack, v)
				onStack[v] = true
			}
			if next[v] < g.start[v+1] {
				w := g.to[next[v]]
				next[v]++
				if seen[w] == 0 {
					path = append(path, w)
				} else if onStack[w] {
					low[v] = min(low[v], seen[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				u := path[len(path)-1]
				low[u] = min(low[u], low[v])
			}
			if low[v] == seen[v] {
				for {
					w := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					onStack[w] = false
					number[w] = int32(count)
					if w == v {
						break
					}
				}
				count++
			}
		}
	}
	return number, count
}

// connected gives a *NotConnectedError unless there is a chain of points from every player to every other.
func connected(players []string, arcs [][2]int32) error {
	g := newGraph(len(players), arcs)
	number, count := g.components()
	if count == 1 {
		return nil
	}
	groups := make([][]string, count)
	for p, c := range number {
		groups[count-1-int(c)] = append(groups[count-1-int(c)], players[p])
	}
	return &NotConnectedError{Groups: groups}
}

// arcs gives an arc from each player to those that it took points from.
func (d *btData) arcs() [][2]int32 {
	arcs := make([][2]int32, 0, 2*len(d.edges))
	for k := range d.edges {
		e := &d.edges[k]
		all := [2]int64{int64(e.seat[0].games) * scoreUnits, int64(e.seat[1].games) * scoreUnits}
		if e.seat[0].score > 0 || e.seat[1].score < all[1] {
			arcs = append(arcs, [2]int32{e.i, e.j})
		}
		if e.seat[1].score > 0 || e.seat[0].score < all[0] {
			arcs = append(arcs, [2]int32{e.j, e.i})
		}
	}
	return arcs
}

// seatBounded reports whether the results bound the effect of the first seat in both directions. Strengths can make up for a seat effect
// without end if there are some whose differences explain every point that was taken: by a margin of 1 those taken against the seat, at a
// handicap of at most 1 those taken with it. That are constraints on differences, which hold together unless the points go round in a
// circle with more of them against the seat than with it (a cycle of negative length).
func (d *btData) seatBounded() bool {
	return d.circle(1) && d.circle(-1)
}

// circle reports whether there is a cycle of negative length where a point taken with the seat has the length with, and one taken against
// it -with.
func (d *btData) circle(with int) bool {
	type arc struct {
		from, to int32
		length   int32
	}
	var arcs []arc
	for k := range d.edges {
		e := &d.edges[k]
		all := [2]int64{int64(e.seat[0].games) * scoreUnits, int64(e.seat[1].games) * scoreUnits}
		// The shortest arc each way.
		there, thereOK := shortest(e.seat[0].score > 0, e.seat[1].score < all[1], with)
		back, backOK := shortest(e.seat[1].score > 0, e.seat[0].score < all[0], with)
		if thereOK && backOK && there+back < 0 {
			return true
		}
		if thereOK {
			arcs = append(arcs, arc{e.i, e.j, int32(there)})
		}
		if backOK {
			arcs = append(arcs, arc{e.j, e.i, int32(back)})
		}
	}
	// Bellman and Ford, from everywhere at once. A path that meets nobody twice has fewer arcs than there are players.
	distance, shortestPath := make([]int32, len(d.players)), 1-int32(len(d.players))
	for range len(d.players) {
		changed := false
		for _, a := range arcs {
			if x := distance[a.from] + a.length; x < distance[a.to] {
				if x < shortestPath {
					return true
				}
				distance[a.to], changed = x, true
			}
		}
		if !changed {
			return false
		}
	}
	return true
}

func shortest(with, against bool, length int) (int, bool) {
	switch {
	case with && against:
		return min(length, -length), true
	case with:
		return length, true
	}
	return -length, against
}
