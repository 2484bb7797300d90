// Package werewolf holds the rules of Werewolf (Mafia) for 5 to 15 seats, as ludux/1 plays it: one seer, one werewolf for every four seats,
// and villagers.
//
// A match opens with the deal, a move of Chance. Each day begins with its night, in which the werewolves and the seer act together: each
// werewolf names a victim, the seer looks at one seat. The victim most named dies; a tie is settled by a lot among those tied, another move of
// Chance. A seer killed in that night learns nothing from it. Then everybody alive speaks, twice, around the table from the seat after the
// victim (in a night without one: after the seat that spoke first the day before, and on day 1 from seat 0); and all vote at once on whom to put
// out. The most votes cast decide; after a tie, or where nobody voted, all stay.
//
// The villagers, the seer among them, win when no werewolf lives; the werewolves when they are at least as many as the rest. That is looked at
// after every death. The last day ends in a draw. A side wins or loses as a whole, its dead too.
//
// Whoever does not answer in time kills nobody, looks at nobody, is silent and abstains. A match that ends by the fault of some seat instead
// ([Rules.Forfeit]) is lost by that seat and a draw for the others, whichever their side.
//
// A move is an [Action], as text "kill 3", "peek 3", "vote 3", "abstain", "say" and the words.
//
// # Who knows what
//
// What [Rules.View] and the outputs beside it tell, while the match runs, to those who watch and to the holders of each role, dead or alive.
// A test reads this table and holds the views of every phase against it. Once the match is over everybody's role is in every view.
//
//	fact                                | spectator | villager | seer   | werewolf
//	------------------------------------|-----------|----------|--------|---------
//	who is alive                        | yes       | yes      | yes    | yes
//	what was said                       | yes       | yes      | yes    | yes
//	how a closed vote went              | yes       | yes      | yes    | yes
//	one's own role                      | no        | yes      | yes    | yes
//	the role of a dead seat             | reveal    | reveal   | reveal | reveal
//	whether a living seat is a werewolf | no        | no       | peeked | yes
//	which living seat is the seer       | no        | no       | own    | no
//	what the seer has seen              | no        | no       | yes    | no
//	whether a lot is to be drawn        | no        | no       | no     | no
//	how the pack's votes fell           | no        | no       | no     | no
//
// "reveal": where the ruleset has reveal_roles, which is the default. "peeked": of the seats that it has looked at. "own": of itself alone.
//
// The night asks only those who act in it, and nobody is told whom. So a seat that is not asked learns from the night what everybody does: who
// died.
package werewolf
