package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/matchreferee/arena/game/draw"
	"github.com/matchreferee/arena/internal/need"
)

// report is what measure.js finds in a page.
type report struct {
	Pictures []struct {
		Name   string   `json:"name"`
		Theme  string   `json:"theme"`
		Width  float64  `json:"width"`  // pixels
		Texts  int      `json:"texts"`  // measured
		Shapes int      `json:"shapes"` // measured
		Faults []string `json:"faults"`
		Paints []string `json:"paints"` // fill and stroke of each element, as the browser resolved them
	} `json:"pictures"`
	Dark bool `json:"dark"` // the page is to be dark
}

// TestBrowser has Chromium render every scene 240 pixels wide, on a light page and on a dark one. Everything drawn lies inside the picture; every text is
// large enough, in a font that was found, differs enough from what is behind it and lies over no other text; and Auto looks as the theme that it stands for.
func TestBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a browser")
	}
	browser := need.Program(t, "chromium", "chromium-browser", "google-chrome")
	script, err := os.ReadFile("measure.js")
	if err != nil {
		t.Fatal(err)
	}
	var html strings.Builder
	html.WriteString("<!doctype html><meta charset=\"utf-8\"><style>div { width: 240px; overflow: visible }</style>\n")
	shots := allShots(t)
	for i, sh := range shots {
		for _, theme := range []draw.Theme{draw.Light, draw.Dark, draw.Auto} {
			fmt.Fprintf(&html, "<div data-name=\"%d\" data-theme=\"%v\">%s</div>\n", i, theme, sh.svg(theme))
		}
	}
	fmt.Fprintf(&html, "<script>%s</script>\n", script)
	path := filepath.Join(t.TempDir(), "pictures.html")
	if err := os.WriteFile(path, []byte(html.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		t.Run(map[bool]string{false: "light", true: "dark"}[dark], func(t *testing.T) {
			rep := measure(t, browser, path, dark)
			if rep.Dark != dark || len(rep.Pictures) != 3*len(shots) {
				t.Fatalf("dark: %v, %d pictures", rep.Dark, len(rep.Pictures))
			}
			for i := range rep.Pictures {
				p := &rep.Pictures[i]
				title := shots[i/3].title + ", " + p.Theme
				if p.Width != 240 || p.Texts < 3 || p.Shapes < 5 {
					t.Errorf("%s: %v wide, %d texts and %d shapes", title, p.Width, p.Texts, p.Shapes)
				}
				for _, f := range p.Faults {
					t.Errorf("%s: %s", title, f)
				}
				if p.Theme == draw.Auto.String() {
					like := rep.Pictures[i-2] // light
					if dark {
						like = rep.Pictures[i-1]
					}
					if d := cmp.Diff(like.Paints, p.Paints); d != "" || len(p.Paints) < 8 {
						t.Errorf("%s does not look like %s: %s", title, like.Theme, d)
					}
				}
			}
		})
	}
}

// TestBrowserSees: the measurements find what is wrong with a picture that is wrong.
func TestBrowserSees(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a browser")
	}
	browser := need.Program(t, "chromium", "chromium-browser", "google-chrome")
	script, err := os.ReadFile("measure.js")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ body, want string }{
		{`<text x="10" y="30" font-size="20">good</text>`, ""},
		{`<rect x="400" y="0" width="90" height="9" fill="#000"/>`, "outside"},
		{`<text x="440" y="30" font-size="20">beyond the edge</text>`, "outside"},
		{`<text x="10" y="30" font-size="18">small</text>`, "9.00 pixels"},
		{`<text x="10" y="30" font-size="20" fill="#999">pale</text>`, "contrast"},
		{`<rect x="0" y="0" width="90" height="90" fill="#222"/><text x="10" y="30" font-size="20">dark on dark</text>`, "contrast"},
		{`<text x="10" y="30" font-size="20">one</text><text x="20" y="35" font-size="20">two</text>`, "lies over"},
		{`<text x="10" y="30" font-size="20"></text>`, "empty"},
	}
	var html strings.Builder
	html.WriteString("<!doctype html><meta charset=\"utf-8\"><style>div { width: 240px }</style>\n")
	for i, tt := range tests {
		fmt.Fprintf(&html, `<div data-name="%d" data-theme="light"><svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 100"><rect width="480" height="100" fill="#fff"/>%s</svg></div>`, i, tt.body)
	}
	fmt.Fprintf(&html, "<script>%s</script>\n", script)
	path := filepath.Join(t.TempDir(), "bad.html")
	if err := os.WriteFile(path, []byte(html.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	rep := measure(t, browser, path, false)
	if len(rep.Pictures) != len(tests) {
		t.Fatalf("%d pictures", len(rep.Pictures))
	}
	for i, tt := range tests {
		faults := strings.Join(rep.Pictures[i].Faults, "; ")
		if tt.want == "" && faults != "" || !strings.Contains(faults, tt.want) {
			t.Errorf("%s: %q, want %q", tt.body, faults, tt.want)
		}
	}
}

// measure loads a page and reads what its script found.
func measure(t *testing.T, browser, path string, dark bool) report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	scheme := "1"
	if dark {
		scheme = "0"
	}
	profile, err := os.MkdirTemp("", "gallery")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(profile) }) // one of its processes may still be writing there
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--user-data-dir="+profile, "--window-size=800,600", "--blink-settings=preferredColorScheme="+scheme, "--dump-dom", "file://"+path)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	_, rest, found := strings.Cut(string(out), `<pre id="report">`)
	encoded, _, ended := strings.Cut(rest, "</pre>")
	if !found || !ended {
		t.Fatalf("no report in %d bytes: %.300s", len(out), out)
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	var rep report
	if err := json.Unmarshal(data, &rep); err != nil {
		t.Fatalf("%v: %.300s", err, data)
	}
	return rep
}
