// Package rating turns results into numbers: ratings after each game (Elo,
// Glicko, Glicko-2, Weng-Lin), strengths from all games at once, intervals and
// sequential tests.
package rating
