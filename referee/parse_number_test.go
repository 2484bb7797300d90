package referee_test

import (
	"bytes"
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/matchreferee/arena/referee"
)

const noPrev = `,"prev":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`

// numberLines have one integer each, with its range.
var numberLines = []struct {
	line        string // %s: the integer
	least, most int64
}{
	{`{"k":"move","t":%s,"s":0,"ask":1,"a":3,"used":5`, 1, 1 << 60},
	{`{"k":"move","s":%s,"ask":1,"a":3`, 0, 63},
	{`{"k":"move","s":0,"ask":%s,"a":3`, 1, 1<<31 - 2},
	{`{"k":"move","s":0,"ask":1,"a":3,"used":%s`, 1, 1 << 53},
	{`{"k":"sent","t":%s,"s":0,"ask":1`, 1, 1 << 60},
	{`{"k":"sent","s":0,"ask":%s`, 1, 1<<31 - 2},
	{`{"k":"back","t":%s,"s":0`, 1, 1 << 60},
	{`{"k":"resume","at":%s`, 1, 1 << 60},
	{`{"k":"fault","s":0,"ask":1,"fault":"stale","do":"reject","got":{"ask":%s}`, -1 << 31, 1<<31 - 1},
	{`{"k":"end","cause":"void","reason":"x","scores":[1,%s],"secret":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","salt":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"`, -1 << 63, 1<<63 - 1},
}

// TestParseIntegers: an integer is read if it is in its range and in its one form,
// however many digits it has.
func TestParseIntegers(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, k int, digits string) {
		c := numberLines[k]
		line := []byte(fmt.Sprintf(c.line, digits) + noPrev)
		n, ok := new(big.Int).SetString(digits, 10)
		want := ok && n.String() == digits && n.Cmp(big.NewInt(c.least)) >= 0 && n.Cmp(big.NewInt(c.most)) <= 0
		e, prev, err := referee.ParseLine(line, 0)
		if want != (err == nil) {
			t.Fatalf("%s: %v", line, err)
		}
		if again := referee.AppendLine(nil, &e, 0, &prev); err == nil && !bytes.Equal(again, line) {
			t.Fatalf("%s is written as %s", line, again)
		}
	}
	for k, c := range numberLines {
		for _, digits := range []string{
			"0", "1", "-1", "-0", "01", "007", "", "-", "+1", "1.0", "1e3", "63", "64", "2147483646", "2147483647", "2147483648", "-2147483648", "-2147483649",
			"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "18446744073709551617",
			"19007199254740992406", "36893488147419103233", "-18446744073709551617", "184467440737095516170", "100000000000000000000000000000000000000001",
		} {
			check(t, k, digits)
		}
		for _, n := range []int64{c.least - 1, c.least, c.most, c.most + 1} {
			check(t, k, fmt.Sprint(n))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.IntRange(0, len(numberLines)-1).Draw(t, "line"), rapid.StringMatching(`-?[0-9]{1,24}`).Draw(t, "digits"))
	})
}
