package main

import (
	"encoding/base64"
	"fmt"
	"html"

	"github.com/matchreferee/arena/game/draw"
)

const head = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pictures of games</title>
<style>
body { margin: 0; font: 15px system-ui, sans-serif }
h2 { font-size: 16px; margin: 0; width: 100% }
article { display: flex; flex-wrap: wrap; align-items: flex-start }
h2 { padding: 16px; box-sizing: border-box }
section { display: flex; gap: 16px; align-items: flex-start; padding: 16px }
.light { background: #fff; color: #000 }
.dark { background: #000; color: #fff }
pre { margin: 0; font-size: 13px; line-height: 1.25 }
</style>
`

// page makes the whole page. A picture in an <img> is a document of its own: nothing in it reaches the page.
func page(shots []shot) []byte {
	out := []byte(head)
	for _, sh := range shots {
		out = fmt.Appendf(out, "<article><h2>%s</h2>\n", html.EscapeString(sh.title))
		for _, theme := range []draw.Theme{draw.Light, draw.Dark} {
			out = fmt.Appendf(out, "<section class=\"%s\">\n", theme)
			src := base64.StdEncoding.EncodeToString(sh.svg(theme))
			for _, width := range []int{240, 480} {
				out = fmt.Appendf(out, "<img width=\"%d\" alt=\"\" src=\"data:image/svg+xml;base64,%s\">\n", width, src)
			}
			out = append(out, "</section>\n"...)
		}
		text := terminalHTML(draw.Terminal(sh.state, sh.seat, draw.Options{Names: sh.names, Width: 60, Color: true}))
		for _, theme := range []draw.Theme{draw.Light, draw.Dark} {
			out = fmt.Appendf(out, "<section class=\"%s\"><pre>%s</pre></section>\n", theme, text)
		}
		out = append(out, "</article>\n"...)
	}
	return out
}

func (sh shot) svg(theme draw.Theme) []byte {
	return draw.SVG(nil, sh.state, sh.seat, draw.Options{Theme: theme, Names: sh.names})
}
