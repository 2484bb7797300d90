package game_test

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

// TestLogModel keeps several copies, each beside a slice of its own, and appends to any of them in any order.
func TestLogModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logs := []game.Log[int]{{}}
		models := [][]int{nil}
		next := 0
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				i := rapid.IntRange(0, len(logs)-1).Draw(t, "log")
				for range rapid.IntRange(1, 20).Draw(t, "times") {
					logs[i] = logs[i].Append(next)
					models[i] = append(slices.Clip(models[i]), next)
					next++
				}
			},
			"fork": func(t *rapid.T) {
				i := rapid.IntRange(0, len(logs)-1).Draw(t, "log")
				logs, models = append(logs, logs[i]), append(models, slices.Clone(models[i]))
			},
			"clip": func(t *rapid.T) {
				i := rapid.IntRange(0, len(logs)-1).Draw(t, "log")
				n := rapid.IntRange(-2, 50).Draw(t, "n")
				got := logs[i].Clip(n)
				want := append([]int{}, models[i][max(0, len(models[i])-max(0, n)):]...)
				if d := cmp.Diff(want, got); d != "" {
					t.Fatal(d)
				}
				for k := range got {
					got[k] = -1 // the copy is ours
				}
			},
			"": func(t *rapid.T) {
				for i, l := range logs {
					if got := slices.Collect(l.All()); !slices.Equal(got, models[i]) || l.Len() != len(models[i]) {
						t.Fatalf("log %d of length %d:\n%s", i, l.Len(), cmp.Diff(models[i], got))
					}
					for k, want := range models[i] {
						if l.At(k) != want {
							t.Fatalf("log %d: At(%d) = %d, want %d", i, k, l.At(k), want)
						}
					}
				}
			},
		})
	})
}

func TestLogEdges(t *testing.T) {
	var l game.Log[string]
	if data, err := json.Marshal(l); err != nil || string(data) != "[]" {
		t.Errorf("empty: %s, %v", data, err)
	}
	l = l.Append("a").Append("b")
	if data, err := json.Marshal(l); err != nil || string(data) != `["a","b"]` {
		t.Errorf("%s, %v", data, err)
	}
	for _, i := range []int{-1, 2, 7} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("At(%d) of two gave something", i)
				}
			}()
			l.At(i)
		}()
	}
	for range l.All() {
		break // stops
	}
	if n := testing.AllocsPerRun(100, func() {
		var l game.Log[int]
		for i := range 1000 {
			l = l.Append(i)
		}
	}); n > 20 {
		t.Errorf("%v allocations for 1000 appends", n)
	}
}

// TestLogRace lets copies of one list grow in eight goroutines; the race detector watches.
func TestLogRace(t *testing.T) {
	var root game.Log[int]
	for i := range 5 {
		root = root.Append(i)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			l := root
			for i := range 200 {
				l = l.Append(1000*g + i)
				fork := l.Append(-1)
				if fork.At(fork.Len()-1) != -1 || l.At(l.Len()-1) != 1000*g+i {
					t.Errorf("goroutine %d: wrong last item", g)
				}
			}
			for i := range 205 {
				want := i
				if i >= 5 {
					want = 1000*g + i - 5
				}
				if l.At(i) != want {
					t.Errorf("goroutine %d: item %d is %d", g, i, l.At(i))
				}
			}
		})
	}
	wg.Wait()
	if got := root.Clip(99); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("the root became %v", got)
	}
}
