// Command solver is about the smallest program that gridlocal can run: it takes
// the first legal move.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
)

type observation struct {
	Status     string            `json:"status"`     // agent: a move is asked for; anything else: the match is over
	LegalMoves []json.RawMessage `json:"legalMoves"` // {"row":4,"col":4} each
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var o observation
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			log.Fatal(err)
		}
		if o.Status == "agent" {
			fmt.Printf("%s\n", choose(o))
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}

// choose gives one of the legal moves. Replace this with your solver.
func choose(o observation) json.RawMessage { return o.LegalMoves[0] }
