package house

import "math"

// tree looks for the best cell by growing a tree of positions where it is most promising: upper confidence bounds with priors (PUCT), the
// static value of a leaf in the place of a random game. Its floats are products, quotients and square roots that are rounded one by one, so
// that every machine finds the same cell.
type tree struct {
	*board
	width int
	budget
	nodes []node
	list  []candidate
}

type node struct {
	children, count int32 // nodes[children:children+count]
	visits          int32
	sum             float64 // of values in points, for the one who made the mark
	cell            int32
}

// maxTree bounds the tree: 32 MiB. What would be beyond is looked at again and again, and not grown.
const maxTree = 1 << 20

// curiosity is the weight of what has been visited little.
const curiosity = 3

// best gives the cell to take among those of root.
func (x *tree) best(root []int) int {
	x.nodes = append(x.nodes[:0], node{children: 1, count: int32(len(root))})
	for _, i := range root {
		x.nodes = append(x.nodes, node{cell: int32(i)})
	}
	for len(root) > 1 && !x.stopped {
		x.visit(0)
	}
	choice, most := root[0], int32(-1)
	for _, n := range x.nodes[1 : 1+len(root)] {
		if n.visits > most {
			choice, most = int(n.cell), n.visits
		}
	}
	return choice
}

// visit goes down from node n to a leaf, and gives the value of the position at n for its mover.
func (x *tree) visit(n int32) float64 {
	if x.left == 0 {
		return 0
	}
	if x.nodes[n].children == 0 {
		if len(x.nodes)+x.width > maxTree {
			return float64(x.value()) / point
		}
		x.list = x.gather(x.list, x.width, -1)
		x.nodes[n].children, x.nodes[n].count = int32(len(x.nodes)), int32(len(x.list))
		for _, c := range x.list {
			x.nodes = append(x.nodes, node{cell: c.cell})
		}
		return float64(x.value()) / point
	}
	c := x.choose(n)
	if !x.spend() {
		return 0
	}
	cell := int(x.nodes[c].cell)
	points := x.mark(cell)
	v := float64(points) - x.visit(c)
	x.unmark(cell, points)
	if !x.stopped {
		x.nodes[c].visits++
		x.nodes[c].sum += v
	}
	return v
}

// choose gives the child of n with the highest bound. The prior of a child falls with its place in the list.
func (x *tree) choose(n int32) int32 {
	p := &x.nodes[n]
	children := x.nodes[p.children : p.children+p.count]
	total := int32(0)
	for i := range children {
		total += children[i].visits
	}
	root := math.Sqrt(float64(total + 1))
	best, at := math.Inf(-1), 0
	hope := 0.0 // the value of what has not been visited: that of the one before it, which is worth more by its prior
	for i := range children {
		c := &children[i]
		if c.visits > 0 {
			hope = c.sum / float64(c.visits)
		}
		bonus := float64(curiosity*root) / float64(float64(c.visits+1)*float64(i+2))
		if v := hope + bonus; v > best {
			best, at = v, i
		}
	}
	return p.children + int32(at)
}
