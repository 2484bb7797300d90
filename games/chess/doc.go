// Package chess holds the rules of chess: [Position], with which programs that play or read chess can work, and the game made of it.
//
// A [Position] is a small value. [ParseFEN] and [Initial] make one, [Position.Legal] lists the moves, [Position.Play] makes one of them, and
// a copy taken before is how it is taken back:
//
//	p := chess.Initial()
//	for _, m := range p.Legal(nil) {
//		next := p
//		next.Play(m)
//	}
package chess
