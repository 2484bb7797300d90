package chess_test

import (
	"fmt"
	"strconv"
	"strings"
)

// mailbox is chess as one would explain it: letters on a board of eight by eight, every square looked at for every question.
type mailbox struct {
	at       [8][8]byte // by file and rank: 'P' for a white pawn, 'p' for a black one, 0 for nothing
	white    bool       // to move
	castling string     // part of KQkq
	passed   [2]int     // the square a double step has just passed, by file and rank; {-1, -1}: none
	halfmove int
	fullmove int
}

// step is a move: file and rank of both squares, and the letter of a promotion or 0.
type step struct {
	fromF, fromR, toF, toR int
	promotion              byte
}

func (m step) String() string {
	text := string([]byte{'a' + byte(m.fromF), '1' + byte(m.fromR), 'a' + byte(m.toF), '1' + byte(m.toR)})
	if m.promotion != 0 {
		text += string(m.promotion)
	}
	return text
}

// readMailbox reads a FEN that is known to be right.
func readMailbox(fen string) mailbox {
	b := mailbox{passed: [2]int{-1, -1}}
	fields := strings.Fields(fen)
	for i, rank := range strings.Split(fields[0], "/") {
		file := 0
		for _, c := range []byte(rank) {
			if c > '0' && c < '9' {
				file += int(c - '0')
				continue
			}
			b.at[file][7-i] = c
			file++
		}
	}
	b.white = fields[1] == "w"
	b.castling = strings.Trim(fields[2], "-")
	if fields[3] != "-" {
		b.passed = [2]int{int(fields[3][0] - 'a'), int(fields[3][1] - '1')}
	}
	b.halfmove, _ = strconv.Atoi(fields[4])
	b.fullmove, _ = strconv.Atoi(fields[5])
	return b
}

func (b *mailbox) fen() string {
	var ranks []string
	for rank := 7; rank >= 0; rank-- {
		text := ""
		for file := range 8 {
			if c := b.at[file][rank]; c != 0 {
				text += string(c)
			} else {
				text += "1"
			}
		}
		for n := 8; n > 1; n-- {
			text = strings.ReplaceAll(text, strings.Repeat("1", n), strconv.Itoa(n))
		}
		ranks = append(ranks, text)
	}
	side, castling, passed := "b", b.castling, "-"
	if b.white {
		side = "w"
	}
	if castling == "" {
		castling = "-"
	}
	if b.passed[0] >= 0 {
		passed = string([]byte{'a' + byte(b.passed[0]), '1' + byte(b.passed[1])})
	}
	return fmt.Sprintf("%s %s %s %s %d %d", strings.Join(ranks, "/"), side, castling, passed, b.halfmove, b.fullmove)
}

// identity is what repetition compares.
func (b *mailbox) identity() string {
	c := *b
	c.halfmove, c.fullmove, c.passed = 0, 0, [2]int{-1, -1}
	for _, m := range b.legal() {
		if b.enPassant(m) {
			c.passed = b.passed
		}
	}
	return c.fen()
}

func isWhite(c byte) bool { return c >= 'A' && c <= 'Z' }

// mine tells whether a square holds a piece of the side to move.
func (b *mailbox) mine(file, rank int) bool {
	return b.at[file][rank] != 0 && isWhite(b.at[file][rank]) == b.white
}

func inside(file, rank int) bool { return file >= 0 && file < 8 && rank >= 0 && rank < 8 }

// ways are the directions of the pieces that go straight on, king and knight included.
var ways = map[byte][][2]int{
	'n': {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}},
	'b': {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}},
	'r': {{0, 1}, {1, 0}, {0, -1}, {-1, 0}},
	'q': {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}},
	'k': {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}},
}

func lower(c byte) byte { return c | 0x20 }

// attacked tells whether the side not to move attacks a square.
func (b *mailbox) attacked(file, rank int) bool {
	for f := range 8 {
		for r := range 8 {
			c := b.at[f][r]
			if c == 0 || b.mine(f, r) {
				continue
			}
			if lower(c) == 'p' {
				forward := 1
				if c == 'p' {
					forward = -1
				}
				if r+forward == rank && (f-1 == file || f+1 == file) {
					return true
				}
				continue
			}
			for _, to := range b.reach(f, r) {
				if to == [2]int{file, rank} {
					return true
				}
			}
		}
	}
	return false
}

// reach gives where a piece other than a pawn gets to, whoever stands there.
func (b *mailbox) reach(file, rank int) [][2]int {
	var list [][2]int
	kind := lower(b.at[file][rank])
	for _, d := range ways[kind] {
		for f, r := file+d[0], rank+d[1]; inside(f, r); f, r = f+d[0], r+d[1] {
			list = append(list, [2]int{f, r})
			if b.at[f][r] != 0 || kind == 'n' || kind == 'k' {
				break
			}
		}
	}
	return list
}

func (b *mailbox) enPassant(m step) bool {
	return lower(b.at[m.fromF][m.fromR]) == 'p' && [2]int{m.toF, m.toR} == b.passed && m.fromF != m.toF
}

// tries gives the moves that may leave the king in check.
func (b *mailbox) tries() []step {
	var list []step
	for f := range 8 {
		for r := range 8 {
			if !b.mine(f, r) {
				continue
			}
			if lower(b.at[f][r]) == 'p' {
				list = append(list, b.pawnTries(f, r)...)
				continue
			}
			for _, to := range b.reach(f, r) {
				if !b.mine(to[0], to[1]) {
					list = append(list, step{f, r, to[0], to[1], 0})
				}
			}
		}
	}
	home, letters := 7, "kq"
	if b.white {
		home, letters = 0, "KQ"
	}
	empty := func(files ...int) bool {
		for _, f := range files {
			if b.at[f][home] != 0 {
				return false
			}
		}
		return true
	}
	if strings.Contains(b.castling, letters[:1]) && empty(5, 6) && !b.attacked(4, home) && !b.attacked(5, home) {
		list = append(list, step{4, home, 6, home, 0})
	}
	if strings.Contains(b.castling, letters[1:]) && empty(1, 2, 3) && !b.attacked(4, home) && !b.attacked(3, home) {
		list = append(list, step{4, home, 2, home, 0})
	}
	return list
}

func (b *mailbox) pawnTries(f, r int) []step {
	forward, home := -1, 6
	if b.white {
		forward, home = 1, 1
	}
	var to [][2]int
	if b.at[f][r+forward] == 0 {
		to = append(to, [2]int{f, r + forward})
		if r == home && b.at[f][r+2*forward] == 0 {
			to = append(to, [2]int{f, r + 2*forward})
		}
	}
	for _, side := range []int{f - 1, f + 1} {
		if inside(side, r+forward) {
			if there := b.at[side][r+forward]; there != 0 && !b.mine(side, r+forward) || [2]int{side, r + forward} == b.passed {
				to = append(to, [2]int{side, r + forward})
			}
		}
	}
	var list []step
	for _, t := range to {
		if t[1] == 0 || t[1] == 7 {
			for _, p := range []byte("nbrq") {
				list = append(list, step{f, r, t[0], t[1], p})
			}
		} else {
			list = append(list, step{f, r, t[0], t[1], 0})
		}
	}
	return list
}

func (b *mailbox) inCheck() bool {
	king := byte('k')
	if b.white {
		king = 'K'
	}
	for f := range 8 {
		for r := range 8 {
			if b.at[f][r] == king {
				return b.attacked(f, r)
			}
		}
	}
	return false
}

func (b *mailbox) legal() []step {
	var list []step
	for _, m := range b.tries() {
		next := *b
		next.play(m)
		next.white = b.white // is the one who moved in check?
		if !next.inCheck() {
			list = append(list, m)
		}
	}
	return list
}

func (b *mailbox) play(m step) {
	piece := b.at[m.fromF][m.fromR]
	b.halfmove++
	if b.at[m.toF][m.toR] != 0 || lower(piece) == 'p' {
		b.halfmove = 0
	}
	if b.enPassant(m) {
		b.at[m.toF][m.fromR] = 0
	}
	b.at[m.fromF][m.fromR], b.at[m.toF][m.toR] = 0, piece
	if m.promotion != 0 {
		b.at[m.toF][m.toR] = m.promotion
		if b.white {
			b.at[m.toF][m.toR] = m.promotion - 'a' + 'A'
		}
	}
	if lower(piece) == 'k' && m.toF-m.fromF == 2 {
		b.at[5][m.toR], b.at[7][m.toR] = b.at[7][m.toR], 0
	}
	if lower(piece) == 'k' && m.toF-m.fromF == -2 {
		b.at[3][m.toR], b.at[0][m.toR] = b.at[0][m.toR], 0
	}
	for _, x := range []struct{ letters, square string }{{"KQ", "e1"}, {"K", "h1"}, {"Q", "a1"}, {"kq", "e8"}, {"k", "h8"}, {"q", "a8"}} {
		if text := m.String(); text[:2] == x.square || text[2:4] == x.square {
			for _, letter := range x.letters {
				b.castling = strings.ReplaceAll(b.castling, string(letter), "")
			}
		}
	}
	b.passed = [2]int{-1, -1}
	if lower(piece) == 'p' && (m.toR-m.fromR == 2 || m.fromR-m.toR == 2) {
		b.passed = [2]int{m.fromF, (m.fromR + m.toR) / 2}
	}
	if !b.white {
		b.fullmove++
	}
	b.white = !b.white
}
