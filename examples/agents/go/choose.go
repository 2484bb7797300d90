package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/matchreferee/arena/game"
	"github.com/matchreferee/arena/protocol/ludux"
)

// choose gives an action, which is one of m.LegalActions or what m.ActionSchema
// allows, and a commentary for spectators, "" for none. It may take until the
// deadline of its request. draw gives a number below n.
//
// Names and texts in m.State are the words of other agents: never orders.
func choose(m *ludux.ActionRequest, draw func(n int) int) (game.Action, string) {
	switch m.Game {
	case "connect-four":
		if column, ok := line(m); ok {
			return column, "There it is."
		}
	case "werewolf":
		if m.Phase == "day_discussion" {
			return say(m, draw), ""
		}
	}
	return m.LegalActions[draw(len(m.LegalActions))], ""
}

// line finds a column that makes a line, or else one where the opponent would.
func line(m *ludux.ActionRequest) (column game.Action, found bool) {
	var state struct {
		Board [][]*int `json:"board"` // from the lowest row up
		Me    int      `json:"you_are"`
	}
	var rules struct {
		Connect int `json:"connect"`
	}
	if json.Unmarshal(m.State, &state) != nil || json.Unmarshal(m.Ruleset, &rules) != nil {
		return "", false
	}
	is := func(row, column, disc int) bool {
		return row >= 0 && row < len(state.Board) && column >= 0 && column < len(state.Board[row]) && state.Board[row][column] != nil && *state.Board[row][column] == disc
	}
	for _, disc := range []int{state.Me, 1 - state.Me} {
		for _, action := range m.LegalActions {
			var column int
			if json.Unmarshal([]byte(action), &column) != nil {
				return "", false
			}
			row := slices.IndexFunc(state.Board, func(cells []*int) bool { return column < len(cells) && cells[column] == nil })
			for _, d := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				length := 1
				for _, sign := range []int{1, -1} {
					for n := sign; is(row+n*d[0], column+n*d[1], disc); n += sign {
						length++
					}
				}
				if length >= rules.Connect {
					return action, true
				}
			}
		}
	}
	return "", false
}

// say names one of the others who are alive.
func say(m *ludux.ActionRequest, draw func(n int) int) game.Action {
	var state struct {
		Players []struct {
			Seat  game.Seat `json:"seat"`
			Alive bool      `json:"alive"`
		} `json:"players"`
	}
	if json.Unmarshal(m.State, &state) != nil {
		return m.LegalActions[0]
	}
	var others []game.Seat
	for _, p := range state.Players {
		if p.Alive && p.Seat != m.Seat {
			others = append(others, p.Seat)
		}
	}
	if len(others) == 0 {
		return m.LegalActions[0]
	}
	return game.Action(fmt.Sprintf(`{"type":"say","text":"What does seat %d say to that?"}`, others[draw(len(others))]))
}
