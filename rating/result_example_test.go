package rating_test

import (
	"fmt"
	"maps"
	"slices"

	"github.com/matchreferee/arena/rating"
	"github.com/matchreferee/arena/referee"
)

// A referee's result becomes a game; a policy says whether it counts.
func ExampleFromResult() {
	result := &referee.Result{
		Cause: referee.CauseForfeit, Reason: "late", Returns: []float64{-1, 1},
		Seats: []referee.SeatResult{{Out: true}, {}},
	}
	kim := rating.PlayerID(referee.Agent{Slug: "kim", Version: "2.0"})
	g, err := rating.FromResult(result, rating.Seating{ID: "m1", Players: []string{kim, "ann"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range g.Sides {
		fmt.Println(s.Players, s.Score, s.Forfeit)
	}
	rated, report, err := rating.Policy{Forfeits: rating.Skip}.Select([]rating.Game{g})
	fmt.Println(len(rated), report.Forfeits, report.TimeLosses, err)
	// Output:
	// [kim@2.0] 0 true
	// [ann] 1 false
	// 0 1 1 <nil>
}

func ExampleElo_Update() {
	elo, err := rating.NewElo(rating.EloOptions{K: rating.FixedK(20)})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b, err := elo.Update(rating.EloPlayer{Rating: 1600}, rating.EloPlayer{Rating: 1500}, 0.5)
	fmt.Printf("%.1f %.1f %v\n", a.Rating, b.Rating, err)
	// Output: 1597.2 1502.8 <nil>
}

// One rating period: who played moves, who did not grows uncertain.
func ExampleGlicko2_Period() {
	glicko, err := rating.NewGlicko2(rating.Glicko2Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	table := map[string]rating.Glicko2Rating{
		"ann": {Rating: 1700, Deviation: 60, Volatility: 0.06},
		"eve": {Rating: 1650, Deviation: 60, Volatility: 0.06},
	}
	games := []rating.Game{rating.Duel("ann", "new", 1), rating.Duel("new", "ann", 0.5)}
	if err := glicko.Period(table, games); err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		fmt.Printf("%s %.0f %.1f\n", name, table[name].Rating, table[name].Deviation)
	}
	// Output:
	// ann 1702 60.2
	// eve 1650 60.9
	// new 1503 223.9
}

// Werewolf: two against five, and nobody knows whose role is the better one.
func ExampleWengLin_Play() {
	w, err := rating.NewWengLin(rating.WengLinOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	players, roles := map[string]rating.Skill{}, map[string]rating.Skill{}
	game := rating.Game{Sides: []rating.Side{
		{Players: []string{"ann", "bob"}, Role: "werewolf", Score: 1},
		{Players: []string{"cid", "dan", "eve", "fay", "gus"}, Role: "villager", Rank: 1},
	}}
	if err := w.Play(players, roles, &game); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("ann %.2f, eve %.2f\n", players["ann"].Mu, players["eve"].Mu)
	fmt.Printf("werewolf %+.2f, villager %+.2f\n", roles["werewolf"].Mu, roles["villager"].Mu)
	// Output:
	// ann 26.35, eve 23.65
	// werewolf +1.35, villager -1.35
}

func ExampleLeaderboard() {
	board, err := rating.NewLeaderboard(
		rating.LeaderboardOptions{Name: "connect four", System: "glicko2", MinGames: 2, ProvisionalGames: 10},
		[]rating.Standing{
			{Player: "kim@1.0", Rating: 1610.2, Deviation: 40, Tally: rating.Tally{Wins: 20, Draws: 4, Losses: 11}},
			{Player: "kim@2.0", Rating: 1655.8, Deviation: 90, Tally: rating.Tally{Wins: 5, Losses: 2}},
			{Player: "ann", Rating: 1609.9, Deviation: 45, Tally: rating.Tally{Wins: 18, Draws: 1, Losses: 9}},
			{Player: "new", Rating: 1900, Deviation: 300, Tally: rating.Tally{Wins: 1}},
		},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range board.Rows {
		fmt.Println(r.Rank, r.Player, r.Rating, r.Provisional)
	}
	// Output:
	// 1 kim@2.0 1656 true
	// 2 ann 1610 false
	// 2 kim@1.0 1610 false
	// 0 new 1900 true
}

func ExamplePerformanceOf() {
	tally := rating.Tally{Wins: 3, Draws: 2, Losses: 1}
	opponents := []float64{1850, 1850, 1850, 1850, 1850, 1850}
	p, err := rating.PerformanceOf(rating.PerformanceLogistic, opponents, tally.Points())
	fmt.Printf("%.0f %.3f %v %v\n", p.Rating, p.Score, p.Capped, err)
	// Output: 1970 0.667 false <nil>
}
