package main

import (
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
)

// shot is a position to be shown, and who looks.
type shot struct {
	title string
	state *game.State
	seat  game.Seat
	names []string
}

// scene tells how a position comes about.
type scene struct {
	title   string
	game    game.Game
	ruleset string
	setup   game.Setup
	moves   []string // as text, by whoever's turn it is
	random  int      // steps beyond those, drawn with seed 1
	seat    game.Seat
}

func scenes() []scene {
	pair := game.Setup{Seats: 2, Names: []string{"Ada Lovelace", "Grace Hopper"}}
	hostile := game.Setup{Seats: 2, Names: []string{`<script>alert("x")</script>`, "\x1b[31m\u202ered\u202e 中文名字非常长的一个名字这里"}}
	village := game.Setup{Seats: 9, Names: []string{"Ada", "Grace Hopper", "Alan", "Katherine Johnson", "Barbara", "Edsger W. Dijkstra", "Frances", "<b>Mallory</b>", "Donald"}}
	letters := func(moves string) (out []string) {
		for _, c := range moves {
			out = append(out, string(c))
		}
		return out
	}
	return []scene{
		{title: "Connect Four, the start", game: connectfour.New(), setup: pair, seat: game.Spectator},
		{title: "Connect Four, X to move", game: connectfour.New(), setup: pair, moves: letters("dcdedcbbeacf"), seat: 0},
		{title: "Connect Four, two lines at once", game: connectfour.New(), setup: pair, moves: letters("eaffggegfagad"), seat: game.Spectator},
		{title: "Connect Four, a full board", game: connectfour.New(), setup: hostile, moves: letters("abffaeebegagbdffgafbedceedddaafdcgccbcgcbg"), seat: 1},
		{title: "Connect Four, 16 columns", game: connectfour.New(), ruleset: `{"columns":16,"rows":7,"connect":5}`, setup: pair, random: 60, seat: 0},
		{title: "Connect Four, 4 by 16", game: connectfour.New(), ruleset: `{"columns":4,"rows":16,"connect":16}`, setup: pair, random: 40, seat: 0},
		{title: "Chess, the start", game: chess.New(), setup: pair, seat: 0},
		{title: "Chess, a check, from the other side", game: chess.New(), setup: pair, moves: strings.Fields("e2e4 d7d5 e4d5 d8d5 b1c3 d5e5"), seat: 1},
		{title: "Chess, mate", game: chess.New(), setup: hostile, moves: strings.Fields("e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"), seat: game.Spectator},
		{title: "Chess, many captures", game: chess.New(), setup: pair, random: 160, seat: 0},
		{title: "Grid, the start", game: grid.New(), setup: pair, seat: 0},
		{title: "Grid, in the middle", game: grid.New(), setup: pair, random: 40, seat: 1},
		{title: "Grid, the end", game: grid.New(), setup: hostile, random: 81, seat: game.Spectator},
		{title: "Werewolf, the first night", game: werewolf.New(), setup: village, random: 1, seat: 3},
		{title: "Werewolf, a discussion", game: werewolf.New(), setup: village, random: 9, seat: 2},
		{title: "Werewolf, a werewolf's view", game: werewolf.New(), setup: village, random: 9, seat: 8},
		{title: "Werewolf, for spectators", game: werewolf.New(), setup: village, random: 30, seat: game.Spectator},
		{title: "Nim, which cannot draw itself", game: newNim(), setup: pair, moves: []string{"2 from heap 2", "3 from heap 1"}, seat: 0},
		{title: "Nim, the end", game: newNim(), setup: hostile, moves: []string{"3 from heap 0", "5 from heap 1", "7 from heap 2"}, seat: 1},
		{title: "Werewolf, the end", game: werewolf.New(), setup: village, random: 900, seat: game.Spectator},
	}
}

// shots plays the scenes that have a word in their titles, in whatever case.
func shots(word string) ([]shot, error) {
	var out []shot
	for _, sc := range scenes() {
		if !strings.Contains(strings.ToLower(sc.title), strings.ToLower(word)) {
			continue
		}
		s, err := sc.play()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", sc.title, err)
		}
		out = append(out, shot{sc.title, s, sc.seat, sc.setup.Names})
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no scene has %q in its title", word)
	}
	return out, nil
}

func (sc scene) play() (*game.State, error) {
	table, err := sc.game.Table([]byte(sc.ruleset))
	if err != nil {
		return nil, err
	}
	s, err := table.Start(sc.setup)
	if err != nil {
		return nil, err
	}
	for _, text := range sc.moves {
		seat := s.Turn().Seats.First()
		a, err := s.Parse(seat, text)
		if err != nil {
			return nil, err
		}
		if _, err := s.Play(seat, a); err != nil {
			return nil, err
		}
	}
	r := game.SeedFrom(1).Stream("gallery", 0)
	for range sc.random {
		if s.Turn().Over() {
			break
		}
		step, err := randomStep(s, r.IntN)
		if err != nil {
			return nil, err
		}
		if err := s.Apply(step); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// randomStep draws a move for everybody who is to move, from the listed ones.
func randomStep(s *game.State, intn func(int) int) (game.Step, error) {
	if a, ok := s.Chance(game.SeedFrom(1)); ok {
		return game.Step{{Seat: game.Chance, Action: a}}, nil
	}
	var step game.Step
	for seat := range s.Turn().Seats.All() {
		if s.Turn().Phase == "day_discussion" {
			if a, err := s.Parse(seat, "say "+speech[intn(len(speech))]); err == nil {
				if a, err = s.Check(seat, a); err != nil {
					return nil, err
				}
				step = append(step, game.Move[game.Action]{Seat: seat, Action: a})
				continue
			}
		}
		legal := s.Legal(nil, seat)
		step = append(step, game.Move[game.Action]{Seat: seat, Action: legal[intn(len(legal))]})
	}
	return step, nil
}

// speech is what the players of Werewolf say.
var speech = []string{
	"I am the seer, and 4 is a werewolf", "Good morning", "2 has been very quiet since yesterday; I would like to hear what 2 thinks about it",
	"<i>Trust me</i> & vote for 6!", "\x1b[2J\u202eesrever", "今天我們應該投票給五號玩家，因為他昨天說了謊", "",
}
