package agentarena

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/matchreferee/arena/referee"
)

// board draws what the seat sees, in a fence.
func board(r *referee.Request) string {
	if b, ok := r.Board(); ok {
		if strings.HasPrefix(b, "```") {
			return b
		}
		return fenced("", b)
	}
	var view bytes.Buffer
	enc := json.NewEncoder(&view)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.View()); err != nil {
		return fenced("", "") // views marshal, which the authors' kit checks
	}
	return fenced("json", view.String())
}

// fenced puts text between fences that nothing in it can close.
func fenced(language, text string) string {
	longest, run := 2, 0
	for i := range len(text) {
		if text[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
