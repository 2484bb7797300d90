//go:build race

package game_test

// raceEnabled: under the race detector a sync.Pool forgets at random.
const raceEnabled = true
