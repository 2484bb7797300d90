package callback

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// practiceSeeds are request bodies for the fuzzer.
func practiceSeeds() []string {
	return []string{
		`{"url":"https://agent.example/","game":"connect4","house":"decent","seat":1}`,
		`{"url":"https://agent.example/","game":"connect4","house":"decent"}`,
		`{"url":"","game":"connect4","house":"decent","seat":-1}`,
		`{"URL":"x","seat":1e400}`, `{"seat":1.5}`, `{"seat":null,"url":null}`, `{}`, `null`, `[]`, ``, "\xff", "\xef\xbb\xbf{}",
	}
}

// FuzzPractice reads any bytes: either a whole request comes of them, or a
// problem that can be told.
func FuzzPractice(f *testing.F) {
	seeds := practiceSeeds()
	if len(seeds) < 5 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p, bad := decodePractice(body)
		if bad == nil {
			if p.url == "" || p.game == "" || p.house == "" {
				t.Fatalf("%q gave %+v", body, p)
			}
			return
		}
		w := httptest.NewRecorder()
		bad.Write(w)
		if w.Code != 400 && w.Code != 422 || w.Code == 422 && len(bad.Errors) == 0 {
			t.Fatalf("%q gave %d %s", body, w.Code, w.Body)
		}
	})
}

// FuzzURL reads any URL: what is accepted is https to a name or a public
// address, and means the same when it is written and read again.
func FuzzURL(f *testing.F) {
	seeds := append([]string{
		"https://agent.example/play?x=1", "https://1.1.1.1:8443/", "https://[2606:4700::1111]/", "https://a@b/", "https://127.1/", "https://0x7f.1/",
		"https://[::ffff:1.2.3.4]/", "https://xn--bcher-kva.test", "https://a.b:1/", "https:a", "//", "https://a%2eb/",
	}, refused...)
	if len(seeds) < 20 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add(s)
		f.Add("https://" + s + "/")
	}
	t, err := New(Options{ReplayURL: "https://arena.example/{match_id}"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(tt *testing.T, raw string) {
		u, err := t.parseURL(raw)
		if err != nil {
			return
		}
		again, err := t.parseURL(u.String())
		if err != nil || again.String() != u.String() {
			tt.Fatalf("%q became %q, which gives %v", raw, u, err)
		}
		port := u.Port()
		if u.Scheme != "https" || u.User != nil || u.Fragment != "" || u.Hostname() == "" || len(port) > 0 && len(port) < 4 && port != "443" {
			tt.Fatalf("%q was accepted", raw)
		}
		if host := strings.ToLower(u.Hostname()); host != u.Hostname() || strings.HasSuffix(host, ".") {
			tt.Fatalf("host %q", host)
		}
		if other, err := url.ParseRequestURI(raw); err != nil || !strings.EqualFold(other.Host, u.Host) {
			tt.Fatalf("%q is read in two ways: %v", raw, err)
		}
	})
}
