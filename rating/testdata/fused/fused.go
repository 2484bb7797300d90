// Package fused holds what the check for fused products has to find.
package fused

//go:noinline
func planted(x, y, z float64) float64 { return x*y + z }

//go:noinline
func minus(x, y, z float64) float64 { return z - x*y }

//go:noinline
func negated(x, y, z float64) float64 { return x*y - z }

//go:noinline
func across(x, y, z float64) float64 {
	p := x * y
	return p + z
}

//go:noinline
func rounded(x, y, z float64) float64 { return float64(x*y) + z }

// Use calls them all.
func Use(x, y, z float64) float64 {
	return planted(x, y, z) - minus(x, y, z)/negated(x, y, z) - across(x, y, z)/rounded(x, y, z)
}
