package transporttest

import (
	"strings"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	tests := []struct {
		o    Options
		want []string // in the error; none: there is no error
	}{
		{o: Options{}},
		{o: Options{Virtual: true, Move: time.Second, Patience: time.Minute, Skip: map[string]string{"reconnect": "datagrams"}}},
		{Options{Skip: map[string]string{"recconect": "a typing error"}}, []string{`Skip["recconect"]`, "no such check"}},
		{Options{Skip: map[string]string{"late": "we are slow"}}, []string{`Skip["late"]`, "every transport"}},
		{Options{Skip: map[string]string{"cancel": " "}}, []string{`Skip["cancel"]`, "no reason"}},
		{Options{Move: -1, Patience: time.Microsecond}, []string{"Move", "Patience"}},
	}
	for _, tt := range tests {
		err := tt.o.validate()
		if len(tt.want) == 0 {
			if err != nil {
				t.Errorf("%+v: %v", tt.o, err)
			}
			continue
		}
		for _, w := range tt.want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%+v: %v does not say %s", tt.o, err, w)
			}
		}
	}
}

// TestOptional holds the list of what may be left out against the one that Options.Skip promises.
func TestOptional(t *testing.T) {
	var names []string
	for _, c := range checks {
		if c.optional {
			names = append(names, c.name)
		}
		if c.cuts && !c.optional {
			t.Errorf("%s needs Harness.Cut, which not every transport has", c.name)
		}
	}
	if got, want := strings.Join(names, " "), "duplicate illegal malformed oversized rejected cancel itself reconnect unknown"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
