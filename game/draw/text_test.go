package draw

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "Ada & <Grace>", "Ada & <Grace>"},
		{"lines", "a\nb\tc\rd\u2028e\u0085f", "a b c d e f"},
		{"escape sequence", "\x1b[31mred\x1b]8;;x\x07", "\ufffd[31mred\ufffd]8;;x\ufffd"},
		{"C1 control", "a\u009b31mb", "a\ufffd31mb"},
		{"delete", "a\x7fb", "a\ufffdb"},
		{"not UTF-8", "a\xff\xfe\xfdb\xc3", "a\ufffdb\ufffd"},
		{"surrogate half", "a\xed\xa0\x80b", "a\ufffdb"},
		{"override", "a\u202ecod.exe", "a\ufffdcod.exe"},
		{"isolates and marks", "a\u2066b\u2069c\u200ed\u061ce", "a\ufffdb\ufffdc\ufffdd\ufffde"},
		{"zero width", "a\u200bb\ufeffc\u2060d\u00ade", "a\ufffdb\ufffdc\ufffdd\ufffde"},
		{"tag characters", "a\U000e0041\U000e0042b", "a\ufffdb"},
		{"noncharacters", "a\ufffe\uffffb", "a\ufffdb"},
		{"letters that look like nothing", "a\u3164b\u2800c", "a\ufffdb\ufffdc"},
		{"marks", "e" + strings.Repeat("\u0301", 9) + "x\u0301", "e\u0301\u0301\u0301x\u0301"},
		{"joined emoji", "\U0001f469\u200d\U0001f4bb ❤\ufe0f", "\U0001f469\u200d\U0001f4bb ❤\ufe0f"},
		{"many joiners", "a" + strings.Repeat("\u200d", 9), "a\u200d\u200d\u200d"},
		{"other scripts", "中文 العربية हिन्दी", "中文 العربية हिन्दी"},
		{"as long as may be", strings.Repeat("é", 240), strings.Repeat("é", 240)},
		{"too long", strings.Repeat("é", 241), strings.Repeat("é", 239) + "…"},
		{"too long, plain", strings.Repeat("x", 300), strings.Repeat("x", 239) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Clean(tt.in); got != tt.want {
				t.Errorf("%+q, want %+q", got, tt.want)
			}
		})
	}
}

// anyText draws text with a weakness for what does harm.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.StringMatching(`[a-z <>&"'\x00-\x1f\x7f-\x9f\x{300}-\x{305}\x{200b}-\x{202e}\x{2066}-\x{2069}\x{fe0f}\x{feff}\x{4e00}-\x{4e05}]{0,300}`),
	)
}

// clean says what is wrong with a cleaned text; "" if nothing is.
func unclean(text string) string {
	if !utf8.ValidString(text) {
		return "not UTF-8"
	}
	if n := utf8.RuneCountInString(text); n > 240 {
		return "too long"
	}
	for _, r := range text {
		switch {
		case unicode.IsControl(r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r), r == '\ufeff', r >= 0xe0000 && r <= 0xe007f,
			unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
			return "holds " + string(r)
		}
	}
	return ""
}

// checkText is what holds for every text: it is clean, stays as it is when cleaned again, and comes through XML unchanged.
func checkText(t interface{ Fatalf(string, ...any) }, text string) {
	got := Clean(text)
	if why := unclean(got); why != "" {
		t.Fatalf("%+q became %+q: %s", text, got, why)
	}
	if again := Clean(got); again != got {
		t.Fatalf("%+q became %+q, then %+q", text, got, again)
	}
	escaped := string(appendEscaped([]byte("x"), got))[1:]
	if strings.ContainsAny(escaped, "<>\"'") {
		t.Fatalf("%+q is escaped as %+q", got, escaped)
	}
	d := xml.NewDecoder(strings.NewReader("<t a=\"" + escaped + "\" b='" + escaped + "'>" + escaped + "</t>"))
	content := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%+q: %v", escaped, err)
		}
		switch token := token.(type) {
		case xml.CharData:
			content += string(token)
		case xml.StartElement:
			if token.Name.Local != "t" || len(token.Attr) != 2 || token.Attr[0].Value != got || token.Attr[1].Value != got {
				t.Fatalf("%+q as attributes: %+v", got, token)
			}
		}
	}
	if content != got {
		t.Fatalf("%+q came back as %+q", got, content)
	}
}

func TestCleanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkText(t, anyText().Draw(t, "text")) })
}

func FuzzClean(f *testing.F) {
	seeds := []string{
		"", "Ada", "<script>alert(1)</script>", "a&amp;b", "\x1b[2J\x1b]0;x\x07", "\u202egnp.exe", "\xff\xfe", "]]>", "'\"><img>", "\u2028", "e\u0301\u0301\u0301\u0301",
		strings.Repeat("字", 64), strings.Repeat("x", 300), "\ufffd\ufffd", "\U0001f469\u200d\U0001f4bb",
	}
	if len(seeds) < 15 {
		f.Fatal("the seeds are gone")
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) <= 1<<12 {
			checkText(t, text)
		}
	})
}

func TestCells(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "中文": 4, "ｗ": 2, "한": 2, "😀": 2, "→": 1, "…": 1, "\U0001f469\u200d\U0001f4bb": 4, "❤\ufe0f": 2, "\U00018d08": 2} {
		if got := Cells(text); got != want {
			t.Errorf("%+q: %d, want %d", text, got, want)
		}
	}
	for i, w := range wideRanges {
		if w[0] > w[1] || i > 0 && w[0] <= wideRanges[i-1][1] {
			t.Errorf("range %d, %x, is out of order", i, w)
		}
	}
}

// TestFit: what is cut fits, is a beginning of the text, and nothing is cut that fits.
func TestFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Clean(anyText().Draw(t, "text"))
		most := rapid.IntRange(-3, 60).Draw(t, "most")
		got := fitCells(text, most)
		if Cells(got) > max(most, 0) {
			t.Fatalf("%+q in %d: %+q", text, most, got)
		}
		if got == text {
			return
		}
		if Cells(text) <= most {
			t.Fatalf("%+q fits into %d, and became %+q", text, most, got)
		}
		if kept, cut := strings.CutSuffix(got, "…"); got != "" && (!cut || !strings.HasPrefix(text, kept)) {
			t.Fatalf("%+q in %d: %+q", text, most, got)
		}
	})
	for most, want := range map[int]string{0: "", 1: "…", 2: "…", 3: "中…", 5: "中文…", 7: "中文字…", 8: "中文字母"} {
		if got := fitCells("中文字母", most); got != want {
			t.Errorf("%d: %q, want %q", most, got, want)
		}
	}
}

// TestWrap: lines are not too wide, there are not too many, and nothing is lost but at the end.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(anyText(), rapid.StringMatching(`([a-z]{1,12} ){0,30}`)).Draw(t, "text")
		ty := Type{Size: rapid.IntRange(0, 40).Draw(t, "size"), Most: rapid.IntRange(100, 400).Draw(t, "most"), Bold: rapid.Bool().Draw(t, "bold")}
		lines := rapid.IntRange(0, 6).Draw(t, "lines")
		got := Wrap(text, ty, lines)
		if len(got) > lines {
			t.Fatalf("%d lines", len(got))
		}
		for _, line := range got {
			if line == "" || units(line, max(ty.Size, 20), ty.Bold) > ty.Most+1 {
				t.Fatalf("%+q in %d", line, ty.Most)
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		want, whole := squeeze(Clean(text)), squeeze(strings.Join(got, ""))
		if kept, cut := strings.CutSuffix(whole, "…"); whole != want && (!cut && lines > 0 || !strings.HasPrefix(want, kept)) {
			t.Fatalf("%+q became %+q", want, whole)
		}
	})
	got := strings.Join(Wrap("one two three four five six", Type{Size: 20, Most: 120}, 2), "|")
	if got != "one two|three fou…" {
		t.Error(got)
	}
}
