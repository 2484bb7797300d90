package web

import (
	"net/http/httptest"
	"testing"
	"time"
)

func TestWrite(t *testing.T) {
	p := &Problem{Status: 422, Code: "invalid", Detail: "some members", Retry: 1500 * time.Millisecond}
	p.Add("seat", "is 7")
	w := httptest.NewRecorder()
	p.Write(w)
	const want = `{"title":"Unprocessable Entity","status":422,"code":"invalid","detail":"some members","errors":[{"field":"seat","detail":"is 7"}]}`
	if h := w.Header(); w.Code != 422 || w.Body.String() != want || h.Get("Retry-After") != "2" || h.Get("Content-Type") != "application/problem+json" || h.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %s %v", w.Code, w.Body, h)
	}
	w = httptest.NewRecorder()
	(&Problem{Status: 403, Code: "scope"}).Write(w)
	if _, said := w.Header()["Retry-After"]; said || w.Body.String() != `{"title":"Forbidden","status":403,"code":"scope","detail":""}` {
		t.Errorf("%s %v", w.Body, w.Header())
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		fields []string
		tag    string
		want   bool
	}{
		{nil, `"a"`, false},
		{[]string{`"a"`}, `"a"`, true},
		{[]string{`W/"a"`}, `"a"`, true},
		{[]string{`"a"`}, `W/"a"`, true},
		{[]string{`"b", "a"`}, `"a"`, true},
		{[]string{`"b"`, `"a"`}, `"a"`, true},
		{[]string{`*`}, `"a"`, true},
		{[]string{`"b"`, ``}, `"a"`, false},
		{[]string{`a`}, `"a"`, false},
	} {
		if got := Matches(tt.fields, tt.tag); got != tt.want {
			t.Errorf("%q and %s: %v", tt.fields, tt.tag, got)
		}
	}
}
