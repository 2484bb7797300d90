package draw

import (
	"strings"
	"unicode/utf8"
)

// Cells counts the columns of a terminal that clean text takes: two for wide characters (East Asian Wide and Fullwidth of UAX #11, emoji), none
// for combining marks, one for the rest. The selector that makes an emoji of the character before it (U+FE0F) counts one: terminals differ there, and none
// takes more.
func Cells(text string) int {
	return total(text, cells)
}

func cells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case r == '\ufe0f':
		return 1
	case combining(r):
		return 0
	case wide(r):
		return 2
	}
	return 1
}

// wideRanges are the blocks of UAX #11 that are wide or full-width, and those of emoji, in order; gaps inside a block that nothing is assigned to
// count with it.
var wideRanges = [...][2]rune{
	{0x1100, 0x115f}, {0x231a, 0x231b}, {0x2329, 0x232a}, {0x23e9, 0x23f3}, {0x25fd, 0x25fe}, {0x2614, 0x2615}, {0x2648, 0x2653}, {0x267f, 0x267f},
	{0x2693, 0x2693}, {0x26a1, 0x26a1}, {0x26aa, 0x26ab}, {0x26bd, 0x26be}, {0x26c4, 0x26c5}, {0x26ce, 0x26ce}, {0x26d4, 0x26d4}, {0x26ea, 0x26ea},
	{0x26f2, 0x26f5}, {0x26fa, 0x26fd}, {0x2705, 0x2705}, {0x270a, 0x270b}, {0x2728, 0x2728}, {0x274c, 0x274e}, {0x2753, 0x2757}, {0x2795, 0x2797},
	{0x27b0, 0x27bf}, {0x2b1b, 0x2b1c}, {0x2b50, 0x2b55}, {0x2e80, 0x303e}, {0x3041, 0x4dbf}, {0x4e00, 0xa4cf}, {0xa960, 0xa97c}, {0xac00, 0xd7a3},
	{0xf900, 0xfaff}, {0xfe10, 0xfe19}, {0xfe30, 0xfe6f}, {0xff01, 0xff60}, {0xffe0, 0xffe6}, {0x16fe0, 0x18d08}, {0x1aff0, 0x1b2ff}, {0x1f004, 0x1f004},
	{0x1f0cf, 0x1f0cf}, {0x1f18e, 0x1f19a}, {0x1f200, 0x1f320}, {0x1f32d, 0x1f9ff}, {0x1fa70, 0x1faff}, {0x20000, 0x3fffd},
}

func wide(r rune) bool {
	for _, w := range wideRanges {
		if r < w[0] {
			return false
		}
		if r <= w[1] {
			return true
		}
	}
	return false
}

// fitCells cuts clean text to a number of terminal columns, with an ellipsis if something is lost.
func fitCells(text string, most int) string {
	return fit(text, most, 1, cells)
}

// fitUnits cuts clean text to a width in the units of a picture.
func fitUnits(text string, most, size int, bold bool) string {
	return fit(text, 1000*most/max(size, 1), advance('…', bold), func(r rune) int { return advance(r, bold) })
}

func fit(text string, most, dots int, width func(rune) int) string {
	at, used := 0, 0 // how much stays if something is lost
	for i, r := range text {
		w := width(r)
		if used+w > most {
			if dots > most {
				return ""
			}
			return strings.TrimRight(text[:at], " ") + ellipsis
		}
		used += w
		if used+dots <= most {
			at = i + utf8.RuneLen(r)
		}
	}
	return text
}

// units is the width of clean text in a picture, in the units of its size: an estimate that fonts of usual width do not exceed.
func units(text string, size int, bold bool) int {
	n := int64(total(text, func(r rune) int { return advance(r, bold) }))
	return int(min((n*int64(size)+999)/1000, 1<<30))
}

// advance estimates the width of a character in thousandths of the font's size, on the side of wide sans-serif fonts.
func advance(r rune, bold bool) int {
	n := 720
	switch {
	case combining(r):
		return 0
	case wide(r):
		n = 1050
	case strings.ContainsRune("iljI.,:;'|!", r):
		n = 340
	case strings.ContainsRune(" ftr()[]/\\-", r):
		n = 430
	case strings.ContainsRune("mMwW@%…—\ufffd", r):
		n = 1030
	case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
		n = 640
	}
	if bold {
		n += n / 8
	}
	return n
}

// simple tells whether the estimate of a text's width can be trusted: Latin, Greek and Cyrillic letters and the usual punctuation. Elsewhere there are
// characters as wide as a line.
func simple(text string) bool {
	for _, r := range text {
		if r >= 0x300 && (r < 0x370 || r > 0x52f) && r != '…' && r != '–' && r != '—' && r != '’' && r != '·' && r != utf8.RuneError {
			return false
		}
	}
	return true
}

// Wrap breaks text, cleaned by [Clean], into lines no wider than t.Most units, between words where that can be; at most lines of them, the last of
// which ends in an ellipsis if something is left. Sizes too small to be read are as Canvas.Text would write them in a picture of the usual [Width].
func Wrap(text string, t Type, lines int) []string {
	most := 1000 * t.Most / max(t.Size, Width/24)
	width := func(r rune) int { return advance(r, t.Bold) }
	words := strings.Fields(Clean(text))
	var out []string
	for len(words) > 0 && len(out) < lines {
		line := ""
		if len(out) == lines-1 { // what does not fit is cut below
			line, words = strings.Join(words, " "), nil
		}
		for len(words) > 0 {
			next := words[0]
			if line != "" {
				next = " " + next
			}
			if total(line, width)+total(next, width) <= most {
				line, words = line+next, words[1:]
				continue
			}
			if total(words[0], width) > most { // it is broken where the line ends
				part := strings.TrimSuffix(fit(next, most-total(line, width), 0, width), ellipsis)
				if part = strings.TrimSpace(part); part != "" {
					line += next[:len(next)-len(words[0])] + part
					words[0] = words[0][len(part):]
				}
			}
			break
		}
		if line == "" { // not even one character
			line, words = words[0], words[1:]
		}
		if line = fit(line, most, width('…'), width); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func total(text string, width func(rune) int) int {
	n := 0
	for _, r := range text {
		n += width(r)
	}
	return n
}
