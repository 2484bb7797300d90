package gametest

import (
	"strings"
	"testing"

	"github.com/matchreferee/arena/game"
)

// nimNamed names its seats in order, however many labels it has.
type nimNamed struct {
	nim
	labels [2]string
}

func (g nimNamed) Label(seat game.Seat) string { return g.labels[seat] }

func TestLabels(t *testing.T) {
	for _, tt := range []struct {
		name   string
		labels [2]string
		want   string // "": nothing is wrong
	}{
		{"plain", [2]string{"first", "second"}, ""},
		{"other letters and a space", [2]string{"Черные", "player one"}, ""},
		{"as long as may be", [2]string{strings.Repeat("é", maxLabel), "x"}, ""},
		{"empty", [2]string{"first", ""}, "seat 1 is empty"},
		{"blank", [2]string{"first", " "}, "seat 1 is empty"},
		{"too long", [2]string{"first", strings.Repeat("x", maxLabel+1)}, "is longer than 32 code points"},
		{"two lines", [2]string{"first", "a\nb"}, "is not one line"},
		{"two lines by another sign", [2]string{"a\u2028b", "second"}, "is not one line"},
		{"no text", [2]string{"\xff", "second"}, "is not one line"},
		{"spaces around", [2]string{" first", "second"}, "has spaces around it"},
		{"shared", [2]string{"player", "player"}, `seats 0 and 1 both have the label "player"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := &kit{g: game.New(nimNamed{nim{Pile: 2}, tt.labels}), failed: map[string]bool{}}
			if err := k.prepare(); err != nil {
				t.Fatal(err)
			}
			err := checkLabels(k)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("%v, not %q", err, tt.want)
			}
		})
	}
}
