package werewolf

import (
	"fmt"
	"strings"

	"github.com/matchreferee/arena/game/draw"
)

// logText gives the newest of the public log as at most n lines, oldest first. The votes of a day are told together.
func (v *View) logText(n int) []string {
	var lines []string // newest first
	log := v.PublicLog[max(0, len(v.PublicLog)-MaxLog):]
	for i := len(log) - 1; i >= 0 && len(lines) < n; i-- {
		e := &log[i]
		seat, _ := e.Seat.Get()
		switch e.Type {
		case "say":
			if text, _ := e.Text.Get(); text == "" {
				lines = append(lines, fmt.Sprintf("%d is silent", seat))
			} else {
				lines = append(lines, fmt.Sprintf("%d: %s", seat, text))
			}
		case "death":
			lines = append(lines, fmt.Sprintf("Night %d: %d was killed", e.Day, seat))
		case "no_kill":
			lines = append(lines, fmt.Sprintf("Night %d: nobody was killed", e.Day))
		case "eliminated":
			lines = append(lines, fmt.Sprintf("Day %d: %d was voted out", e.Day, seat))
		case "vote":
			from := i
			for from > 0 && log[from-1].Type == "vote" && log[from-1].Day == e.Day {
				from--
			}
			lines = append(lines, votesText(log[from:i+1]))
			i = from
		}
	}
	for i, k := 0, len(lines)-1; i < k; i, k = i+1, k-1 {
		lines[i], lines[k] = lines[k], lines[i]
	}
	return lines
}

// wrapped gives the newest of the public log as at most logLines lines, of an entry two at most.
func (v *View) wrapped() []string {
	var lines []string
	entries := v.logText(logLines)
	for i := len(entries) - 1; i >= 0; i-- {
		entry := draw.Wrap(entries[i], draw.Type{Size: logSize, Most: draw.Width - 32}, 2)
		if len(lines)+len(entry) > logLines {
			break
		}
		lines = append(entry, lines...)
	}
	return lines
}

// votesText tells who voted for whom: "Votes: 1 3 4 for 2; 2 for nobody".
func votesText(votes []Entry) string {
	var b strings.Builder
	b.WriteString("Votes: ")
	told := make([]bool, len(votes))
	for i := range votes {
		if told[i] {
			continue
		}
		if i > 0 {
			b.WriteString("; ")
		}
		target, cast := votes[i].Target.Get()
		for k := i; k < len(votes); k++ {
			if t, ok := votes[k].Target.Get(); ok == cast && t == target {
				voter, _ := votes[k].Seat.Get()
				fmt.Fprintf(&b, "%d ", voter)
				told[k] = true
			}
		}
		if cast {
			fmt.Fprintf(&b, "for %d", target)
		} else {
			b.WriteString("for nobody")
		}
	}
	return b.String()
}
