package connectfour

// Connects tells whether discs on these cells, given by column and row, have a line.
func Connects(r Rules, cells [][2]int) bool {
	var b board
	for _, c := range cells {
		bit := uint(c[0]*(r.Rows+1) + c[1])
		b.low |= 1 << bit
		b.high |= 1 << (bit - 64)
	}
	return r.connects(b)
}
