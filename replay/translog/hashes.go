package translog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/matchreferee/arena/referee"
	"golang.org/x/mod/sumdb/tlog"
)

// reader reads the files of a log.
type reader func(ctx context.Context, path string) ([]byte, error)

// tiles makes a reader into what tlog asks for tiles. A partial tile that is not
// there any more is the beginning of a wider one.
type tiles struct {
	ctx  context.Context
	read reader
}

func (t tiles) Height() int { return height }

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(list []tlog.Tile) ([][]byte, error) {
	out := make([][]byte, len(list))
	for i, tile := range list {
		b, err := t.tile(tile)
		if err != nil {
			return nil, err
		}
		out[i] = b
	}
	return out, nil
}

func (t tiles) tile(tile tlog.Tile) ([]byte, error) {
	b, err := t.read(t.ctx, tilePath(tile))
	if errors.Is(err, fs.ErrNotExist) && tile.W < width {
		whole := tile
		whole.W = width
		if b, err = t.read(t.ctx, tilePath(whole)); err == nil && len(b) >= tile.W*tlog.HashSize {
			b = b[:tile.W*tlog.HashSize]
		}
	}
	if err != nil {
		return nil, err
	}
	if len(b) != tile.W*tlog.HashSize {
		return nil, fmt.Errorf("translog: %s: %d bytes", tilePath(tile), len(b))
	}
	return b, nil
}

// hashes reads the hashes of a tree from tiles, each checked against the root.
func (c *Checkpoint) hashes(ctx context.Context, read reader) tlog.HashReader {
	return tlog.TileHashReader(c.tree(), tiles{ctx, read})
}

// growing are the hashes of a tree with those that are being added.
type growing struct {
	old  tlog.HashReader
	from int64 // index of the first new one
	new  []tlog.Hash
}

func (g *growing) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	out := make([]tlog.Hash, len(indexes))
	var old []int64
	var where []int
	for i, x := range indexes {
		switch {
		case x < g.from:
			old, where = append(old, x), append(where, i)
		case x-g.from < int64(len(g.new)):
			out[i] = g.new[x-g.from]
		default:
			return nil, fmt.Errorf("translog: no hash number %d", x)
		}
	}
	if len(old) == 0 {
		return out, nil
	}
	hashes, err := g.old.ReadHashes(old)
	if err != nil {
		return nil, err
	}
	for i, h := range hashes {
		out[where[i]] = h
	}
	return out, nil
}

// readBundle gives the entries of a bundle, as they stand there.
func readBundle(ctx context.Context, read reader, t tlog.Tile) ([][]byte, error) {
	b, err := read(ctx, tilePath(t))
	n := t.W
	if errors.Is(err, fs.ErrNotExist) && t.W < width {
		whole := t
		whole.W = width
		b, err = read(ctx, tilePath(whole))
		n = width
	}
	if err != nil {
		return nil, err
	}
	entries, err := splitBundle(b, n)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, tilePath(t))
	}
	return entries[:t.W], nil
}

// bundle reads the entries of a bundle, each checked against the root.
func (c *Checkpoint) bundle(ctx context.Context, read reader, t tlog.Tile) ([][]byte, error) {
	lines, err := readBundle(ctx, read, t)
	if err != nil {
		return nil, damaged(err)
	}
	indexes := make([]int64, len(lines))
	for i := range lines {
		indexes[i] = tlog.StoredHashIndex(0, t.N*width+int64(i))
	}
	hashes, err := c.hashes(ctx, read).ReadHashes(indexes)
	if err != nil {
		return nil, damaged(err)
	}
	for i, line := range lines {
		if tlog.Hash(referee.LeafHash(line)) != hashes[i] {
			return nil, damaged(fmt.Errorf("entry %d is not the one under the root", t.N*width+int64(i)))
		}
	}
	return lines, nil
}

// damaged says that files do not hold what was signed.
func damaged(err error) error { return fmt.Errorf("%w: %w", ErrDamaged, err) }
