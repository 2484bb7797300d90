package game

import (
	"fmt"
	"sync"
	"testing"
)

func TestMemo(t *testing.T) {
	var m memo[int]
	if _, ok := m.textOf(0); ok || m.size() != 0 {
		t.Fatal("a new memory knows something")
	}
	text := func(i int) Action { return Action(fmt.Sprint("t", i)) }
	for i := range maxMemo + 500 {
		m.put(i, text(i))
		for _, k := range []int{i, i / 2} { // look-ups settle it, again and again
			got, ok := m.textOf(k)
			if k < maxMemo && (!ok || got != text(k)) {
				t.Fatalf("%d of %d: %q, %v", k, i, got, ok)
			}
		}
	}
	if m.size() != maxMemo {
		t.Fatalf("size %d, want the bound %d", m.size(), maxMemo)
	}
	for i := range maxMemo + 500 {
		_, known := m.textOf(i)
		a, back := m.moveOf(text(i))
		if known != (i < maxMemo) || back != known || back && a != i {
			t.Fatalf("%d: known %v, back %v to %d", i, known, back, a)
		}
	}
	if _, ok := m.moveOf("stranger"); ok {
		t.Fatal("a stranger is known")
	}
}

// TestMemoFull puts more into a memory that settled full.
func TestMemoFull(t *testing.T) {
	var m memo[int]
	for i := range maxMemo {
		m.put(i, Action(fmt.Sprint(i)))
	}
	for i := range maxMemo {
		m.textOf(i)
	}
	if m.growing != nil {
		t.Fatal("not settled after as many look-ups as moves")
	}
	m.put(-1, "-1")
	if _, ok := m.textOf(-1); ok || m.size() != maxMemo {
		t.Fatalf("grew beyond its bound to %d", m.size())
	}
}

func TestMemoRace(t *testing.T) {
	var m memo[int]
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 300 {
				want := Action(fmt.Sprint(i))
				if got, ok := m.textOf(i); ok && got != want {
					t.Errorf("%d: %s", i, got)
				}
				m.put(i, want)
				if a, ok := m.moveOf(want); !ok || a != i {
					t.Errorf("%s: %d, %v", want, a, ok)
				}
			}
		})
	}
	wg.Wait()
	if m.size() != 300 {
		t.Errorf("size %d", m.size())
	}
}

type memoMove struct {
	Text string `json:"text"`
}

// TestMemoFromLegalOnly: what agents send is never remembered.
func TestMemoFromLegalOnly(t *testing.T) {
	c, err := newCodec[memoMove](nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		a := Action(fmt.Sprintf(`{"text":"%d"}`, i))
		if _, canonical, err := c.decode(a); err != nil || canonical != a {
			t.Fatal(canonical, err)
		}
		c.own(memoMove{"own"})
	}
	if n := c.memo.size(); n != 0 {
		t.Fatalf("%d moves from outside are remembered", n)
	}
	c.listed(memoMove{"listed"})
	c.appendListed(nil, []memoMove{{"listed"}, {"two"}})
	if n := c.memo.size(); n != 2 {
		t.Fatalf("%d listed moves are remembered, want 2", n)
	}
}

// TestMemoLossy: a move that JSON does not bring back is not remembered, so that checking it fails for everybody to see.
func TestMemoLossy(t *testing.T) {
	type secret struct{ n int }
	c, err := newCodec[secret](nil)
	if err != nil {
		t.Fatal(err)
	}
	c.listed(secret{1})
	c.listed(secret{2})
	if n := c.memo.size(); n != 0 {
		t.Fatalf("%d lossy moves are remembered", n)
	}
}
