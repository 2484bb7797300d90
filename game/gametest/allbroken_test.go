package gametest

import (
	"sync/atomic"

	"github.com/matchreferee/arena/game"
)

// allBroken lists the broken games. A game without a repaired twin of its own has one of the five whole games.
func allBroken() []broken {
	whole := nim{Pile: 2}
	fine := game.New(whole)
	cards, questing, talking, racing := game.New(kuhn{}), game.New(quest{}), game.New(talk{}), game.New(race{})
	checks := nimChecks{whole}
	return []broken{
		{"unknown names of the ruleset are dropped", "ruleset", "name is accepted", lenient{fine}, fine, Options{}},
		{"a zero is left out of the ruleset", "ruleset", "comes back as", game.New(nimForgets{whole, 3}), game.New(nimRemembers{whole, 3}),
			Options{Rulesets: []string{`{"extra":0}`}}},
		{"an optional method has the wrong signature", "info", "Default", game.New(nimNearMiss{whole}), fine, Options{}},
		{"hidden without Resample", "info", "no Resampler", game.New(nimHides{whole}), fine, Options{}},
		{"Resample is misspelt", "info", "the method Resampel looks like a misspelt Resample", game.New(nimMisspells{nimHides{whole}}), cards, Options{}},
		{"both seats have one label", "labels", "both have the label", game.New(nimTwins{whole}), game.New(nimNamed{whole, [2]string{"first", "second"}}), Options{}},
		{"the game goes on too long", "play", "MaxSteps = 3", game.New(nimShort{whole}), fine, Options{}},
		{"Apply panics", "play", "the middle heap is gone", game.New(nimPanics{whole}), fine, Options{}},
		{"a phase is not printable", "turn", "Turn.Phase", game.New(nimShouts{whole}), fine, Options{}},
		{"a seat acts that nobody has", "turn", "a table with 2 seats", game.New(nimCrowd{whole}), fine, Options{}},
		{"a move holds a pointer", "codec", "pointer", game.New(racePointer{}), game.New(raceWhole{}), Options{}},
		{"a move loses a field in JSON", "codec", "comes back as JSON", game.New(raceLossy{}), game.New(raceWhole{}), Options{}},
		{"a move is listed twice", "legal", "listed twice", game.New(nimTwice{whole}), fine, Options{}},
		{"a listed move is refused", "legal", "leave one", game.New(nimRefuses{whole}), game.New(checks), Options{}},
		{"an acting seat has no move", "legal", "no", game.New(talkStuck{}), talking, Options{}},
		{"Check panics on numbers out of range", "bytes", "out of range", game.New(nimCrashes{checks}), game.New(checks), Options{}},
		{"Parse panics on short texts", "bytes", "out of range", game.New(nimGuesses{whole}), fine, Options{}},
		{"Check escapes what is escaped", "check", "&amp;", game.New(talkEscapes{}), talking, Options{}},
		{"a move is legal and not listed", "closed", "not listed", game.New(nimLists{checks}), game.New(checks), Options{}},
		{"a seat makes a move of Chance", "impostor", "topic", game.New(talkSwallows{}), talking, Options{}},
		{"the move space lacks a move", "indexed", "Actions()", game.New(raceIndexed{most: 2}), game.New(raceIndexed{most: 3}), Options{}},
		{"two moves have one text", "text", "the same text", game.New(nimVague{whole}), fine, Options{}},
		{"Legal changes the state", "reads", "asked", game.New(racePeeks{}), racing, Options{}},
		{"copies share a slice", "forks", "changed this one", game.New(raceShares{}), racing, Options{}},
		{"a clone lacks a field", "forks", "earlier state", game.New(raceForgets{}), racing, Options{}},
		{"Apply keeps its moves", "forks", "playing on changed", game.New(raceKeeps{}), racing, Options{}},
		{"Legal has the order of a map", "determinism", "Legal of", game.New(nimShuffles{nim{Pile: 7}}), game.New(nim{Pile: 7}), Options{}},
		{"both win a zero-sum game", "outcome", "sum to", game.New(nimUnfair{whole}), fine, Options{}},
		{"the reason is a sentence", "outcome", "reason", game.New(nimMute{whole}), fine, Options{}},
		{"who leaves wins", "forfeit", "those who are out win", game.New(nimCoward{whole}), fine, Options{}},
		{"a position forgets whose turn it is", "position", "the turn", game.New(nimLost{whole}), fine, Options{}},
		{"an empty list is null", "view", "view.Moves", game.New(nimNull{whole}), fine, Options{}},
		{"a view shares memory that changes", "view", "changed a view", game.New(raceBares{}), racing, Options{}},
		{"a view leaks in one phase", "hidden", "for 0, View differs", game.New(kuhnLeaks{}), cards, Options{}},
		{"spectators see a card", "hidden", "for spectator, View differs", game.New(kuhnShows{}), cards, Options{}},
		{"a phase leaks", "hidden", "Turn.Phase differs", game.New(kuhnPhases{}), cards, Options{}},
		{"a hint leaks", "hidden", "Check differs", game.New(kuhnHints{}), cards, Options{}},
		{"Resample changes nothing", "hidden", "nothing was checked", game.New(kuhnStill{}), cards, Options{}},
		{"Resample makes what cannot be", "hidden", "cannot be", game.New(kuhnDoubles{}), game.New(kuhnStrict{}), Options{}},
		{"something is hidden and Info does not say so", "public", "Info.Hidden is not set", game.New(kuhnOpenly{}), cards, Options{}},
		{"Form where all moves are listed", "form", "Info.Open is not set", game.New(nimForms{whole}), fine, Options{}},
		{"no Form where moves are open", "form", "described no move", game.New(talkSilent{}), talking, Options{}},
		{"a Form is no JSON", "form", "no JSON object", game.New(talkGarbled{}), talking, Options{}},
		{"a name breaks the picture", "svg", "not well-formed", game.New(nimRaw{whole}), fine, Options{}},
		{"a draw ignores the seed", "chance", "one seed draws", game.New(kuhnDraws{drawn: new(atomic.Int64)}), game.New(kuhnLots{}), Options{}},
		{"a draw is illegal", "chance", "refuses", game.New(kuhnCheats{}), game.New(kuhnLots{}), Options{}},
		{"asks are numbered as they come", "host", "in the other order", game.New(questTickets{}), questing, Options{}},
		{"the host is asked nothing", "host", "nothing is asked", game.New(kuhnHosted{}), cards, Options{}},
		{"an ask comes back", "host", "there again", game.New(questRepeats{}), questing, Options{}},
		{"a seat sees another work", "independent", "shows for seat", game.New(questWatches{}), questing, Options{}},
		{"the order of independent moves counts", "independent", "the order of", game.New(questHurry{}), questing, Options{}},
		{"the default is gone", "default", "is refused", game.New(nimGreedy{whole}), fine, Options{}},
		{"defaults go on for ever", "default", "all play their defaults", game.New(raceWaits{}), game.New(raceGoes{}), Options{}},
		{"a number of the ruleset leaves no move", "values", "most = -1", game.New(nimFew{whole, 2}), game.New(nimFewChecked{nimFew{whole, 2}}), Options{}},
		{"each table is another game", "resume", "resume", game.New(&nimSerial{nim: whole, tables: new(atomic.Int64)}), fine, Options{}},
		{"matches share a cache", "interleave", "ply by ply", game.New(nimCached{whole, new(atomic.Pointer[map[string]nimView])}), fine, Options{}},
	}
}
