package game_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

// TestStreamGolden holds the streams of records already written: it must never change.
func TestStreamGolden(t *testing.T) {
	tests := []struct {
		seed    game.Seed
		purpose string
		n       uint64
		want    [3]uint64
	}{
		{game.SeedFrom(0), "chance", 0, [3]uint64{0x1fcf54b22272f842, 0xcdc95cb9acad60e0, 0x40636650a9c25fc3}},
		{game.SeedFrom(1), "chance", 0, [3]uint64{0x520361b6ab135c1e, 0x4149aad6fde4e18b, 0xddf77326f003912d}},
		{game.SeedFrom(1), "chance", 1, [3]uint64{0xf237bf4647a74232, 0x395cba7e8414338a, 0x89c9b34b8b9954ce}},
		{game.SeedFrom(1), "player 0", 0, [3]uint64{0x1a926c4e2fe6af35, 0x837e3fb874a29dc3, 0x6784fea3e3c74507}},
		{game.Seed{0: 0xff, 31: 0x01}, "", 1 << 63, [3]uint64{0x849505db5bd45e5b, 0xd46c6679d83da632, 0x6398b7bf152496ff}},
	}
	for _, tt := range tests {
		r := tt.seed.Stream(tt.purpose, tt.n)
		if got := [3]uint64{r.Uint64(), r.Uint64(), r.Uint64()}; got != tt.want {
			t.Errorf("%x %q %d:\n got %#x\nwant %#x", tt.seed, tt.purpose, tt.n, got, tt.want)
		}
	}
}

func TestSeedFrom(t *testing.T) {
	const want = "0000000000000000000000000000000000000000000000000102030405060708"
	if s := game.SeedFrom(0x0102030405060708); hex.EncodeToString(s[:]) != want {
		t.Errorf("%x, want %s", s, want)
	}
}

// TestStreamModel builds the stream from its description.
func TestStreamModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var seed game.Seed
		copy(seed[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed"))
		purpose, n := rapid.StringN(0, 200, 400).Draw(t, "purpose"), rapid.Uint64().Draw(t, "n")
		h := sha256.New()
		h.Write(seed[:])
		if err := binary.Write(h, binary.BigEndian, n); err != nil {
			t.Fatal(err)
		}
		h.Write([]byte(purpose))
		sum := h.Sum(nil)
		want := rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum), binary.BigEndian.Uint64(sum[8:])))
		got := seed.Stream(purpose, n)
		for range 4 {
			if a, b := got.Uint64(), want.Uint64(); a != b {
				t.Fatalf("%#x, want %#x", a, b)
			}
		}
	})
}
