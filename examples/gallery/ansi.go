package main

import (
	"fmt"
	"html"
	"strconv"
	"strings"
)

// terminalHTML shows a terminal's drawing on a page: of its sequences it knows bold, the 256 colours of xterm and the reset.
func terminalHTML(text string) string {
	var out strings.Builder
	open := false
	for i, part := range strings.Split(text, "\x1b[") {
		if i > 0 {
			codes, rest, _ := strings.Cut(part, "m")
			if open {
				out.WriteString("</span>")
			}
			if open = codes != "0"; open {
				fmt.Fprintf(&out, "<span style=\"%s\">", sgrStyle(strings.Split(codes, ";")))
			}
			part = rest
		}
		out.WriteString(html.EscapeString(part))
	}
	if open {
		out.WriteString("</span>")
	}
	return out.String()
}

// sgrStyle is the CSS of the codes of one sequence.
func sgrStyle(codes []string) string {
	style := ""
	for i := 0; i < len(codes); i++ {
		switch {
		case codes[i] == "1":
			style += "font-weight:bold;"
		case (codes[i] == "38" || codes[i] == "48") && i+2 < len(codes):
			n, _ := strconv.Atoi(codes[i+2])
			style += map[string]string{"38": "color:", "48": "background:"}[codes[i]] + xterm(n) + ";"
			i += 2
		}
	}
	return style
}

// xterm gives one of its colours from 16 on: a cube of 6 by 6 by 6, then 24 greys.
func xterm(n int) string {
	if n >= 232 {
		grey := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", grey, grey, grey)
	}
	levels := [...]int{0, 95, 135, 175, 215, 255}
	n = max(n-16, 0)
	return fmt.Sprintf("#%02x%02x%02x", levels[n/36], levels[n/6%6], levels[n%6])
}
