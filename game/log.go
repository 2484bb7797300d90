package game

import (
	"iter"
	"sync/atomic"
)

// Log is a list, for use inside a state, that only grows. A copy made by = goes its own way, in another goroutine too if need be,
// although the two share memory. Appending allocates only when a block is full or when another copy went on from the same place.
// The zero value is empty.
type Log[T any] struct {
	block *logBlock[T]
	n     int
}

// logBlock is shared by all lists that grew from one another: each of its places is written once, by the list that claimed it.
type logBlock[T any] struct {
	used  atomic.Int64 // places claimed
	items []T          // of fixed length, the capacity
}

// Append gives l with x at its end; l itself stays as it is.
func (l Log[T]) Append(x T) Log[T] {
	if l.block == nil || l.n == len(l.block.items) || !l.block.used.CompareAndSwap(int64(l.n), int64(l.n)+1) {
		b := &logBlock[T]{items: make([]T, max(8, 2*l.n))}
		if l.block != nil {
			copy(b.items, l.block.items[:l.n])
		}
		b.used.Store(int64(l.n) + 1)
		l.block = b
	}
	l.block.items[l.n] = x
	l.n++
	return l
}

// Len counts the items.
func (l Log[T]) Len() int { return l.n }

// At gives item i, counted from 0; it panics as a slice does unless 0 <= i < Len.
func (l Log[T]) At(i int) T { return l.slice()[i] }

// All iterates over the items, oldest first.
func (l Log[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, x := range l.slice() {
			if !yield(x) {
				return
			}
		}
	}
}

// Clip copies the last n items, all if there are fewer, none for n below 1; the copy is the caller's and never nil.
func (l Log[T]) Clip(n int) []T {
	n = min(max(n, 0), l.n)
	return append(make([]T, 0, n), l.slice()[l.n-n:]...)
}

// MarshalJSON gives a JSON array, [] for the empty list.
func (l Log[T]) MarshalJSON() ([]byte, error) { return marshalPlain(l.Clip(l.n)) }

func (l Log[T]) slice() []T {
	if l.block == nil {
		return nil
	}
	return l.block.items[:l.n:l.n]
}
