package keys

import (
	"fmt"
	"path/filepath"
	"testing"
)

// BenchmarkAuthenticate looks a good key up among a thousand.
func BenchmarkAuthenticate(b *testing.B) {
	f, err := OpenFile(filepath.Join(b.TempDir(), "keys"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	var all []Entry
	for i := range 999 {
		e := Entry{Info: Info{ID: fmt.Sprint(i), Account: "other", Created: start, Expires: start}}
		e.Hash[0], e.Hash[1] = byte(i), byte(i>>8)
		all = append(all, e)
	}
	for name, s := range map[string]Store{"memory": new(Memory), "file": f} {
		b.Run(name, func(b *testing.B) {
			if err := s.Change(b.Context(), func([]Entry) ([]Entry, error) { return all, nil }); err != nil {
				b.Fatal(err)
			}
			r, err := New(s, Options{})
			if err != nil {
				b.Fatal(err)
			}
			secret, _, err := r.Issue(b.Context(), play("ann"))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.Authenticate(b.Context(), secret.Reveal()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
