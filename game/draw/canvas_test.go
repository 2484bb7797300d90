package draw

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/matchreferee/arena/game"
)

// sketch is a view that draws whatever a test wants.
type sketch func(*Canvas)

func (s sketch) Picture(c *Canvas) { s(c) }

// element is one of a picture, with its attributes by name.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// elements reads a picture, which must be well-formed, one svg element, with nothing in it that does things.
func elements(svg []byte) ([]element, error) {
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	var out []element
	var open []int
	roots := 0
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if roots != 1 || len(open) > 0 {
				return nil, fmt.Errorf("%d roots", roots)
			}
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == 0 {
				roots++
			}
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				if _, twice := e.attrs[a.Name.Local]; twice || a.Name.Local == "id" || a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
					return nil, fmt.Errorf("attribute %s of %s", a.Name.Local, e.name)
				}
				e.attrs[a.Name.Local] = a.Value
			}
			switch e.name {
			case "svg", "title", "desc", "style", "g", "rect", "circle", "line", "path", "text":
			default:
				return nil, fmt.Errorf("element %s", e.name)
			}
			open = append(open, len(out))
			out = append(out, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) == 0 {
				return nil, fmt.Errorf("text outside: %q", token)
			}
			out[open[len(open)-1]].text += string(token)
		default:
			return nil, fmt.Errorf("%T", token)
		}
	}
}

func mustElements(t interface{ Fatalf(string, ...any) }, svg []byte) []element {
	got, err := elements(svg)
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, svg)
	}
	return got
}

// TestCanvas has each kind of element once, to the byte.
func TestCanvas(t *testing.T) {
	draw := sketch(func(c *Canvas) {
		c.Open(100, 50, "a <b>", "it's \"c\"")
		c.Open(1, 1, "again", "")
		c.Rect(1, 2, 3, 4, 5, Paint{Fill: Panel, Stroke: Rule})
		c.Rect(1, 2, 3, 4, 0, Paint{})
		c.Circle(7, 8, 9, Paint{Fill: First, Faint: true})
		c.Line(1, 2, 3, 4, Paint{Fill: First, Stroke: Win, Width: 6})
		c.Group(10, -20, 1500)
		c.Path("M0 0L1,-1.5Z\"/><script>", Paint{Stroke: Alarm, Width: 2})
		c.End()
		c.End()
		c.Text(50, 25, "1 < 2\n&", Type{Size: 10, Anchor: Middle, Bold: true, Strike: true, Ink: Muted})
		c.Text(99, 25, "字", Type{Size: 10, Anchor: End})
	})
	const body = `<rect x="1" y="2" width="3" height="4" rx="5" fill="#e9edf3" stroke="#c3cbd6"CLASS1/>` +
		`<circle cx="7" cy="8" r="9" fill="#d3303b"CLASS2 opacity=".5"/>` +
		`<line x1="1" y1="2" x2="3" y2="4" fill="none" stroke="#0f8a4c"CLASS3 stroke-width="6"/>` +
		`<g transform="translate(10 -20) scale(1.500)"><path d="M0 0L1,-1.5Zscript" fill="none" stroke="#c92a35"CLASS4 stroke-width="2"/></g>` +
		`<text x="50" y="29" font-size="10" fill="#525c69"CLASS5 text-anchor="middle" font-weight="700" text-decoration="line-through">1 &lt; 2 &amp;</text>` +
		`<svg x="88" y="15" width="11" height="20" overflow="hidden"><text x="11" y="14" font-size="10" fill="#1a1f26"CLASS6 text-anchor="end">字</text></svg>`
	const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" role="img" aria-label="a &lt;b&gt;"` +
		` font-family="system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif" stroke-linecap="round" stroke-linejoin="round"`
	const named = `<title>a &lt;b&gt;</title><desc>it&#39;s &#34;c&#34;</desc><rect x="0" y="0" width="100" height="50" rx="16" fill="#f8f9fb"CLASS0/>`
	plain := strings.NewReplacer("CLASS0", "", "CLASS1", "", "CLASS2", "", "CLASS3", "", "CLASS4", "", "CLASS5", "", "CLASS6", "")
	class := func(names string) string { return ` class="` + names + `"` }
	f, s := func(i Ink) string { return "f" + strconv.Itoa(int(i)) }, func(i Ink) string { return "s" + strconv.Itoa(int(i)) }
	classes := strings.NewReplacer("CLASS0", class(f(Paper)), "CLASS1", class(f(Panel)+" "+s(Rule)), "CLASS2", class(f(First)), "CLASS3", class(s(Win)),
		"CLASS4", class(s(Alarm)), "CLASS5", class(f(Muted)), "CLASS6", class(f(Text)))
	rule := func(name, property string, i Ink) string {
		return ".arena-auto ." + name + "{" + property + ":" + palette[i][1] + "}"
	}
	style := "<style>@media (prefers-color-scheme:dark){" + rule(f(Paper), "fill", Paper) + rule(f(Panel), "fill", Panel) + rule(f(Text), "fill", Text) +
		rule(f(Muted), "fill", Muted) + rule(s(Rule), "stroke", Rule) + rule(f(First), "fill", First) + rule(s(Win), "stroke", Win) +
		rule(s(Alarm), "stroke", Alarm) + "}</style>"
	tests := []struct {
		theme Theme
		want  string
	}{
		{Light, head + ">" + plain.Replace(named+body) + "</svg>"},
		{Auto, head + ` class="arena-auto">` + classes.Replace(named+body) + style + "</svg>"},
		{Dark + 1, head + ` class="arena-auto">` + classes.Replace(named+body) + style + "</svg>"},
	}
	for _, tt := range tests {
		got := string(View([]byte("x"), draw, Options{Theme: tt.theme}))
		if d := cmp.Diff(strings.ReplaceAll("x"+tt.want, "<", "\n<"), strings.ReplaceAll(got, "<", "\n<")); d != "" {
			t.Errorf("%v:\n%s", tt.theme, d)
		}
	}
	dark := string(View(nil, draw, Options{Theme: Dark}))
	if strings.Contains(dark, "class") || strings.Contains(dark, "style") || !strings.Contains(dark, palette[Paper][1]) || strings.Contains(dark, palette[Paper][0]) {
		t.Errorf("dark: %s", dark)
	}
}

// TestAnyCalls makes calls in any order with any values: the picture is well-formed and no larger than may be.
func TestAnyCalls(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(-50, 600), rapid.Int())
		paint := rapid.Custom(func(t *rapid.T) Paint {
			ink := rapid.Map(rapid.Uint8(), func(b uint8) Ink { return Ink(b) % (inks + 2) })
			return Paint{Fill: ink.Draw(t, "fill"), Stroke: ink.Draw(t, "stroke"), Width: n.Draw(t, "width")}
		})
		picture := sketch(func(c *Canvas) {
			for range rapid.IntRange(0, 40).Draw(t, "calls") {
				switch rapid.IntRange(0, 9).Draw(t, "call") {
				case 0:
					c.Open(n.Draw(t, "w"), n.Draw(t, "h"), anyText().Draw(t, "title"), anyText().Draw(t, "description"))
				case 1:
					c.Rect(n.Draw(t, "x"), n.Draw(t, "y"), n.Draw(t, "w"), n.Draw(t, "h"), n.Draw(t, "corner"), paint.Draw(t, "paint"))
				case 2:
					c.Circle(n.Draw(t, "x"), n.Draw(t, "y"), n.Draw(t, "r"), paint.Draw(t, "paint"))
				case 3:
					c.Line(n.Draw(t, "x"), n.Draw(t, "y"), n.Draw(t, "w"), n.Draw(t, "h"), paint.Draw(t, "paint"))
				case 4:
					c.Path(anyText().Draw(t, "path"), paint.Draw(t, "paint"))
				case 5:
					for range rapid.IntRange(1, 20).Draw(t, "depth") {
						c.Group(n.Draw(t, "x"), n.Draw(t, "y"), n.Draw(t, "scale"))
					}
				case 6:
					c.End()
				case 8:
					c.Player(n.Draw(t, "x"), n.Draw(t, "y"), n.Draw(t, "w"), Player{Seat: game.Seat(rapid.Int8().Draw(t, "seat")), Name: anyText().Draw(t, "name"),
						Label: anyText().Draw(t, "label"), Note: anyText().Draw(t, "note"), Score: anyText().Draw(t, "score"), Disc: First, Turn: true})
				default:
					c.Text(n.Draw(t, "x"), n.Draw(t, "y"), anyText().Draw(t, "text"), Type{Size: n.Draw(t, "size"), Most: n.Draw(t, "most"),
						Ink: paint.Draw(t, "paint").Fill, Anchor: Anchor(rapid.IntRange(0, 3).Draw(t, "anchor"))})
				}
			}
		})
		o := Options{Theme: Theme(rapid.IntRange(0, 3).Draw(t, "theme")), Names: rapid.SliceOfN(anyText(), 0, 3).Draw(t, "names")}
		for _, e := range mustElements(t, View(nil, picture, o)) {
			if why := unclean(e.text); why != "" && e.name != "style" {
				t.Fatalf("%s: %s", e.name, why)
			}
		}
	})
}

// TestLimit: a picture that would never end is cut between elements.
func TestLimit(t *testing.T) {
	svg := View(nil, sketch(func(c *Canvas) {
		for i := range 20_000 {
			c.Group(1, 1, 1000)
			c.Rect(i, i, i, i, 0, Paint{Fill: First})
			c.Text(10, 10, strings.Repeat("<", 500), Type{})
			if i%2 == 0 {
				c.End()
			}
		}
	}), Options{})
	if len(svg) < maxPicture || len(svg) > maxPicture+8<<10 {
		t.Errorf("%d bytes", len(svg))
	}
	mustElements(t, svg)
}

// TestSize: a picture has some size, and not any.
func TestSize(t *testing.T) {
	for _, tt := range []struct {
		width, height int
		want          string
	}{{480, 100, "0 0 480 100"}, {0, -5, "0 0 1 1"}, {10_001, math.MaxInt32, "0 0 10000 10000"}} {
		got := mustElements(t, View(nil, sketch(func(c *Canvas) { c.Open(tt.width, tt.height, "", "") }), Options{}))
		if got[0].attrs["viewBox"] != tt.want {
			t.Errorf("%d by %d: %s", tt.width, tt.height, got[0].attrs["viewBox"])
		}
	}
}

// TestSmallestType: at 240 pixels no text is smaller than ten.
func TestSmallestType(t *testing.T) {
	for _, width := range []int{100, Width, 1000} {
		svg := View(nil, sketch(func(c *Canvas) {
			c.Open(width, 100, "", "")
			c.Text(0, 50, "i", Type{Size: 1})
		}), Options{})
		for _, e := range mustElements(t, svg) {
			if size, _ := strconv.Atoi(e.attrs["font-size"]); e.name == "text" && 240*size < 10*width {
				t.Errorf("%d units of %d", size, width)
			}
		}
	}
}

// TestContrast: what is read differs from what is behind it as WCAG 2.1 asks of text, 4.5 to 1, and what is looked at as it asks of graphics, 3 to 1.
func TestContrast(t *testing.T) {
	tests := []struct {
		upper, ground Ink
		least         float64
	}{
		{Text, Paper, 7}, {Text, Panel, 7}, {Text, Cell, 7}, {Muted, Paper, 4.5}, {Muted, Panel, 4.5}, {Muted, Cell, 4.5}, {Win, Paper, 3}, {Win, Panel, 3},
		{Alarm, Paper, 4.5}, {Alarm, Panel, 4.5}, {Alarm, Cell, 4.5}, {First, Cell, 3}, {First, Panel, 3}, {Azure, Cell, 3}, {Azure, Panel, 3},
		{WhiteEdge, White, 7}, {BlackEdge, Black, 7}, {WhiteEdge, Board, 4.5}, {WhiteEdge, BoardAlt, 3}, {Black, Board, 4.5}, {Black, BoardAlt, 3},
		{FirstEdge, First, 1.8}, {SecondEdge, Second, 1.8}, {Cell, Frame, 2.2}, {Second, Frame, 2.2}, {Win, White, 1.5},
	}
	for _, tt := range tests {
		for _, theme := range []Theme{Light, Dark} {
			if got := contrast(t, tt.upper.color(theme), tt.ground.color(theme)); got < tt.least {
				t.Errorf("%v: %s on %s is %.2f to 1, want %v", theme, tt.upper.color(theme), tt.ground.color(theme), got, tt.least)
			}
		}
	}
	for i := Paper; i < inks; i++ {
		luminance(t, i.color(Light))
		luminance(t, i.color(Dark))
	}
}

// contrast is that of WCAG 2.1.
func contrast(t *testing.T, a, b string) float64 {
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(t *testing.T, color string) float64 {
	var rgb [3]uint8
	if n, err := fmt.Sscanf(color, "#%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); n != 3 || err != nil || len(color) != 7 {
		t.Fatalf("color %q", color)
	}
	sum := 0.0
	for i, part := range rgb {
		x := float64(part) / 255
		if x <= .03928 {
			x /= 12.92
		} else {
			x = math.Pow((x+.055)/1.055, 2.4)
		}
		sum += []float64{.2126, .7152, .0722}[i] * x
	}
	return sum
}

func TestOutline(t *testing.T) {
	var o Outline
	if o.String() != "" {
		t.Errorf("%q", o)
	}
	o.Line(1, -2, 30, 4)
	o.Circle(10, 20, 5)
	o.Rect(-1, 2, 3, 4)
	const want = "M1 -2L30 4M5 20a5 5 0 1 0 10 0a5 5 0 1 0 -10 0ZM-1 2h3v4h-3Z"
	if o.String() != want {
		t.Errorf("%s", o)
	}
	svg := string(View(nil, sketch(func(c *Canvas) {
		c.Path(o.String(), Paint{Fill: First})
		c.Path("", Paint{Fill: First})
	}), Options{Theme: Light}))
	if n := strings.Count(svg, "<path"); n != 1 || !strings.Contains(svg, `d="`+want+`"`) {
		t.Errorf("%d paths in %s", n, svg)
	}
}
