package draw

const (
	tableLine   = 32  // units from row to row
	tableColumn = 170 // units that names have
	tableIndent = 16
	tableNext   = 26 // from line to line of one value
	tableCell   = 34 // at most, units of a board's cell
)

// tableValue is how values look.
var tableValue = Type{Size: 22, Most: Width - 16 - (tableColumn + 32)}

// appendTable draws rows as a picture.
func appendTable(dst []byte, rows []row, o Options) []byte {
	title := Clean(o.Title)
	height := 16
	if title != "" {
		height += 44
	}
	values := make([][]string, len(rows))
	for i, r := range rows {
		values[i] = Wrap(r.value, tableValue, 3)
		height += rowHeight(r, len(values[i]))
	}
	c := newCanvas(dst, o)
	named := title
	if named == "" {
		named = "a position"
	}
	c.Open(Width, height+12, named, "")
	y := 12
	if title != "" {
		c.Text(16, y+22, title, Type{Size: 28, Bold: true})
		y += 44
	}
	for i, r := range rows {
		h := rowHeight(r, len(values[i]))
		if i%2 == 0 {
			c.Rect(8, y, Width-16, h, 4, Paint{Fill: Panel})
		}
		x := 16 + tableIndent*r.depth
		if r.matrix != nil {
			c.Text(x, y+tableLine/2, r.name, Type{Size: 20, Ink: Muted, Most: Width - 24 - x})
			c.matrix(x, y+tableLine, r.matrix)
			y += h
			continue
		}
		most := Width - 24 - x
		if r.value != "" {
			most = tableColumn + 8 - tableIndent*r.depth
			for k, line := range values[i] {
				c.Text(tableColumn+32, y+tableLine/2+k*tableNext, line, tableValue)
			}
		}
		c.Text(x, y+tableLine/2, r.name, Type{Size: 20, Ink: Muted, Most: most})
		y += h
	}
	return c.close()
}

// cellSize is how large the cells of a board are: all of them fit into the width.
func cellSize(r row) int {
	return min(tableCell, (Width-40-tableIndent*r.depth)/len(r.matrix[0]))
}

// rowHeight is that of a row whose value has so many lines.
func rowHeight(r row, lines int) int {
	if r.matrix == nil {
		return tableLine + tableNext*max(lines-1, 0)
	}
	return tableLine + cellSize(r)*len(r.matrix) + 8
}

// matrix draws a board, its first line at the top.
func (c *Canvas) matrix(x, y int, lines [][]string) {
	size := cellSize(row{matrix: lines, depth: (x - 16) / tableIndent})
	var squares Outline
	for i, line := range lines {
		for k := range line {
			squares.Rect(x+k*size, y+i*size, size, size)
		}
	}
	c.Path(squares.String(), Paint{Fill: Cell, Stroke: Rule})
	for i, line := range lines {
		for k, text := range line {
			ink := Text
			if text == "·" {
				ink = Muted
			}
			c.Text(x+k*size+size/2, y+i*size+size/2, text, Type{Size: 20, Anchor: Middle, Ink: ink, Most: size})
		}
	}
}

// table prints rows on a terminal.
func (s *Screen) table(rows []row, o Options) {
	if title := Clean(o.Title); title != "" {
		s.Print(title, Style{Bold: true})
		s.Line()
	}
	column := 0
	for _, r := range rows {
		if r.matrix == nil && r.value != "" {
			column = max(column, 2*r.depth+Cells(r.name))
		}
	}
	column = min(column, s.width/2-2) + 2
	for _, r := range rows {
		s.Pad(2 * r.depth)
		if r.value == "" {
			s.Print(r.name, Style{Ink: Muted})
		} else {
			s.Print(fitCells(r.name, column-1-2*r.depth), Style{Ink: Muted})
			s.Pad(column)
			s.Print(r.value, Style{})
		}
		s.Line()
		for _, line := range r.matrix {
			for k, text := range line {
				s.Pad(2*r.depth + 2 + 4*k)
				s.Print(text, Style{})
			}
			s.Line()
		}
	}
}
