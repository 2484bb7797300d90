package translog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

const (
	height = 8           // of a tile
	width  = 1 << height // hashes of a complete tile, entries of a complete bundle
)

// tilePath is where a tile stands: tile/<level>/<n>, the number in groups of three
// digits, all but the last with an x before them, and .p/<width> if it is partial.
func tilePath(t tlog.Tile) string {
	level := "entries"
	if t.L >= 0 {
		level = fmt.Sprint(t.L)
	}
	n := fmt.Sprintf("%03d", t.N%1000)
	for rest := t.N / 1000; rest > 0; rest /= 1000 {
		n = fmt.Sprintf("x%03d/%s", rest%1000, n)
	}
	path := "tile/" + level + "/" + n
	if t.W < width {
		path += fmt.Sprintf(".p/%d", t.W)
	}
	return path
}

// parseTilePath is the inverse of tilePath, and refuses all that it does not give.
func parseTilePath(path string) (t tlog.Tile, ok bool) {
	t = tlog.Tile{H: height, W: width}
	parts := strings.Split(path, "/")
	if n := len(parts); n > 3 && strings.HasSuffix(parts[n-2], ".p") {
		w, err := strconv.Atoi(parts[n-1])
		if err != nil {
			return t, false
		}
		t.W = w
		parts[n-2] = strings.TrimSuffix(parts[n-2], ".p")
		parts = parts[:n-1]
	}
	if len(parts) < 3 || len(parts) > 8 || t.W < 1 {
		return t, false
	}
	if t.L = -1; parts[1] != "entries" {
		l, err := strconv.Atoi(parts[1])
		if err != nil || l < 0 {
			return t, false
		}
		t.L = l
	}
	for _, p := range parts[2:] {
		n, err := strconv.Atoi(strings.TrimPrefix(p, "x"))
		if err != nil || n < 0 || n > 999 {
			return t, false
		}
		t.N = t.N*1000 + int64(n)
	}
	return t, tilePath(t) == path
}

// within reports whether all that a tile tells of is under the root of size entries.
func within(t tlog.Tile, size int64) bool {
	if t.N > maxSize/width {
		return false
	}
	end := t.N*width + int64(t.W)
	for range max(t.L, 0) {
		if end > maxSize/width {
			return false
		}
		end *= width
	}
	return end <= size
}

// bundle is the tile of entries that holds number n of a log of so many.
func bundle(n, size int64) tlog.Tile {
	t := tlog.Tile{H: height, L: -1, N: n / width, W: width}
	if t.N == size/width {
		t.W = int(size % width)
	}
	return t
}

func appendToBundle(dst, entry []byte) []byte {
	return append(binary.BigEndian.AppendUint16(dst, uint16(len(entry))), entry...)
}

var errBundle = errors.New("translog: not a bundle of entries")

// splitBundle gives the entries of a bundle that should hold n of them.
func splitBundle(b []byte, n int) ([][]byte, error) {
	entries := make([][]byte, 0, n)
	for len(b) > 0 {
		if len(b) < 2 || len(entries) == n {
			return nil, errBundle
		}
		size := int(binary.BigEndian.Uint16(b))
		if len(b) < 2+size {
			return nil, errBundle
		}
		entries = append(entries, b[2:2+size])
		b = b[2+size:]
	}
	if len(entries) != n {
		return nil, errBundle
	}
	return entries, nil
}
