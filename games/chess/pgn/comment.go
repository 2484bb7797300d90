package pgn

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/matchreferee/arena/game"
)

// space reports whether PGN's readers take a byte or rune for white space.
func space[T byte | rune](c T) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func words(text string) []string { return strings.FieldsFunc(text, space[rune]) }

// commands takes the clock commands out of a comment's words: [%clk h:mm:ss] and [%emt h:mm:ss], the last of each counts. What remains are
// words with no command between them.
func (m *Move) commands(list []string) []string {
	kept := list[:0]
	for _, w := range list {
		if n := len(kept); n > 0 && strings.HasSuffix(w, "]") {
			var target *game.Opt[time.Duration]
			switch kept[n-1] {
			case "[%clk":
				target = &m.Clock
			case "[%emt":
				target = &m.Elapsed
			}
			if target != nil {
				if d, ok := readClock(w[:len(w)-1]); ok {
					*target, kept = game.Some(d), kept[:n-1]
					continue
				}
			}
		}
		kept = append(kept, w)
	}
	return kept
}

// maxClock is the longest time that a clock command can tell.
const maxClock = 10_000*time.Hour - time.Millisecond

// readClock reads h:mm:ss, with up to four digits of hours and up to three of a fraction.
func readClock(s string) (time.Duration, bool) {
	h, rest, ok := strings.Cut(s, ":")
	if !ok || len(rest) < 5 || rest[2] != ':' {
		return 0, false
	}
	fraction := "0"
	if len(rest) > 5 {
		if fraction = rest[6:]; rest[5] != '.' {
			return 0, false
		}
	}
	hours, ok1 := digits(h, 4)
	minutes, ok2 := digits(rest[:2], 2)
	seconds, ok3 := digits(rest[3:5], 2)
	ms, ok4 := digits(fraction, 3)
	if !ok1 || !ok2 || !ok3 || !ok4 || minutes > 59 || seconds > 59 {
		return 0, false
	}
	for range 3 - len(fraction) {
		ms *= 10
	}
	return time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute + time.Duration(seconds)*time.Second + time.Duration(ms)*time.Millisecond, true
}

// digits reads a number of one to most digits.
func digits(s string, most int) (n int, ok bool) {
	if len(s) == 0 || len(s) > most {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// appendClock writes what readClock reads.
func appendClock(dst []byte, d time.Duration) []byte {
	ms := d.Milliseconds()
	dst = fmt.Appendf(dst, "%d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
	if ms %= 1000; ms != 0 {
		dst = append(dst, strings.TrimRight(fmt.Sprintf(".%03d", ms), "0")...)
	}
	return dst
}

// Clean makes of any text a comment that can be written: white space becomes single spaces, what is no text U+FFFD, a closing brace a
// parenthesis, for PGN has no way to write it, and "[%", with which commands begin, "(%", so that nobody's words look like a clock. It is cut to MaxComment bytes.
func Clean(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '}':
			return ')'
		case space(r):
			return ' '
		case unicode.IsControl(r):
			return utf8.RuneError
		}
		return r
	}, text)
	text = strings.Join(words(strings.ReplaceAll(text, "[%", "(%")), " ")
	return strings.TrimSpace(cut(text, MaxComment))
}

// cut gives at most n bytes of s, and no part of a rune.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

var errComment = errors.New("not a comment that can be written; Clean makes one")

// normal gives a comment's words with single spaces. Clock commands go to m, unless it is nil.
func normal(text string, m *Move) string {
	if m == nil {
		return strings.Join(words(text), " ")
	}
	return strings.Join(m.commands(words(strings.ReplaceAll(text, "][%", "] [%"))), " ")
}

// checkComment refuses comments that would be read back as something else.
func checkComment(text string, atMove bool) error {
	var m *Move
	if atMove {
		m = new(Move)
	}
	if text == "" || len(text) > MaxComment || !utf8.ValidString(text) || strings.ContainsRune(text, '}') || strings.ContainsFunc(text, unicode.IsControl) ||
		normal(text, m) != text {
		return errComment
	}
	return nil
}
