package callback_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/matchreferee/arena/internal/need"
	"github.com/matchreferee/arena/transport/callback"
)

// vector is a signature that others have made.
type vector struct {
	Name, Secret, ID, Body, Signature string
	Timestamp                         int64
}

func vectors(t *testing.T) (list []vector) {
	t.Helper()
	b, err := os.ReadFile("testdata/webhooks.json")
	if err == nil {
		err = json.Unmarshal(b, &list)
	}
	if err != nil || len(list) != 5 {
		t.Fatalf("%d vectors: %v", len(list), err)
	}
	return list
}

func secret(t testing.TB, text string) callback.Secret {
	t.Helper()
	s, err := callback.ParseSecret(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			s, at := secret(t, v.Secret), time.Unix(v.Timestamp, 0)
			if got := callback.Sign(v.ID, at, []byte(v.Body), s); got != v.Signature {
				t.Errorf("signed %s, want %s", got, v.Signature)
			}
			verifier := newVerifier(t, at, s)
			if err := verifier.Verify(signedHeader(v.ID, at, v.Signature), []byte(v.Body)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOpenSSL has another implementation sign what ours signs.
func TestOpenSSL(t *testing.T) {
	openssl := need.Program(t, "openssl")
	for _, key := range []string{strings.Repeat("k", 24), "0123456789abcdefghijklmnopqrstuv", strings.Repeat("long", 16)} {
		for _, body := range []string{"", `{"protocol":"ludux/1"}`, strings.Repeat("é\x00\n", 10_000)} {
			s := secret(t, encodeSecret(key))
			at := time.Unix(1_787_947_185, 999_999_999)
			cmd := exec.CommandContext(t.Context(), openssl, "dgst", "-sha256", "-mac", "HMAC", "-macopt", "hexkey:"+fmt.Sprintf("%x", key), "-binary")
			cmd.Stdin = strings.NewReader("msg_1.1787947185." + body)
			out, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if got, want := callback.Sign("msg_1", at, []byte(body), s), "v1,"+encode(out); got != want {
				t.Errorf("%s, %d bytes: %s, want %s", key, len(body), got, want)
			}
		}
	}
}

func TestRotation(t *testing.T) {
	old, next, other := callback.NewSecret(), callback.NewSecret(), callback.NewSecret()
	at, body := time.Unix(1_787_947_185, 0), []byte("{}")
	both := callback.Sign("msg_1", at, body, next, old)
	if want := callback.Sign("msg_1", at, body, next) + " " + callback.Sign("msg_1", at, body, old); both != want {
		t.Errorf("signed %s, want %s", both, want)
	}
	for _, c := range []struct {
		name    string
		secrets []callback.Secret
		signs   string
		ok      bool
	}{
		{"only the old one is known", []callback.Secret{old}, both, true},
		{"only the new one is known", []callback.Secret{next}, both, true},
		{"both are known, the old one signs", []callback.Secret{next, old}, callback.Sign("msg_1", at, body, old), true},
		{"neither is known", []callback.Secret{other}, both, false},
		{"other versions are passed over", []callback.Secret{old}, "v1a,AAAA v2," + strings.TrimPrefix(callback.Sign("msg_1", at, body, old), "v1,") + " " + both, true},
		{"a right one under another version", []callback.Secret{old}, "v2," + strings.TrimPrefix(callback.Sign("msg_1", at, body, old), "v1,"), false},
	} {
		err := newVerifier(t, at, c.secrets...).Verify(signedHeader("msg_1", at, c.signs), body)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, callback.ErrSignature) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	s, at, body := callback.NewSecret(), time.Unix(1_787_947_185, 0), `{"a":1}`
	good := callback.Sign("msg_1", at, []byte(body), s)
	for _, c := range []struct {
		name   string
		change func(h http.Header)
		body   string
		want   error
	}{
		{"nothing", func(http.Header) {}, body, nil},
		{"another body", func(http.Header) {}, `{"a":2}`, callback.ErrSignature},
		{"no body", func(http.Header) {}, "", callback.ErrSignature},
		{"another id", func(h http.Header) { h.Set("webhook-id", "msg_2") }, body, callback.ErrSignature},
		{"another time", func(h http.Header) { h.Set("webhook-timestamp", "1787947186") }, body, callback.ErrSignature},
		{"no id", func(h http.Header) { h.Del("webhook-id") }, body, callback.ErrSignature},
		{"an empty id", func(h http.Header) { h.Set("webhook-id", "") }, body, callback.ErrSignature},
		{"two ids", func(h http.Header) { h.Add("webhook-id", "msg_1") }, body, callback.ErrSignature},
		{"no time", func(h http.Header) { h.Del("webhook-timestamp") }, body, callback.ErrSignature},
		{"no signature", func(h http.Header) { h.Del("webhook-signature") }, body, callback.ErrSignature},
		{"two headers of signatures", func(h http.Header) { h.Add("webhook-signature", good) }, body, callback.ErrSignature},
		{"no version", func(h http.Header) { h.Set("webhook-signature", strings.TrimPrefix(good, "v1,")) }, body, callback.ErrSignature},
		{"no base64", func(h http.Header) { h.Set("webhook-signature", "v1,!!!") }, body, callback.ErrSignature},
		{"cut", func(h http.Header) { h.Set("webhook-signature", good[:len(good)-1]) }, body, callback.ErrSignature},
		{"one bit of a signature", func(h http.Header) { h.Set("webhook-signature", flip(good)) }, body, callback.ErrSignature},
		{"the bits that base64 leaves over", func(h http.Header) { h.Set("webhook-signature", malleate(good)) }, body, callback.ErrSignature},
		{"a right one behind eight others", func(h http.Header) { h.Set("webhook-signature", strings.Repeat(flip(good)+" ", 8)+good) }, body, callback.ErrSignature},
		{"a right one behind seven others", func(h http.Header) { h.Set("webhook-signature", strings.Repeat(flip(good)+" ", 7)+good) }, body, nil},
		{"a time with a sign", func(h http.Header) { h.Set("webhook-timestamp", "+1787947185") }, body, callback.ErrSignature},
		{"a time with a zero", func(h http.Header) { h.Set("webhook-timestamp", "01787947185") }, body, callback.ErrSignature},
		{"a time with a fraction", func(h http.Header) { h.Set("webhook-timestamp", "1787947185.0") }, body, callback.ErrSignature},
		{"a time in milliseconds", func(h http.Header) { h.Set("webhook-timestamp", "1787947185000") }, body, callback.ErrSignature},
		{"a long time", func(h http.Header) { h.Set("webhook-timestamp", strings.Repeat("9", 100)) }, body, callback.ErrSignature},
		{"a long id", func(h http.Header) { h.Set("webhook-id", strings.Repeat("i", 257)) }, body, callback.ErrSignature},
		// "a.9.1.{}": the id a.9 with time 1, or the id a with time 9 and another body.
		{"an id with a full stop", func(h http.Header) {
			h.Set("webhook-id", "msg_1.1")
			h.Set("webhook-signature", callback.Sign("msg_1.1", at, []byte(body), s))
		}, body, callback.ErrSignature},
	} {
		h := signedHeader("msg_1", at, good)
		c.change(h)
		if err := newVerifier(t, at, s).Verify(h, []byte(c.body)); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestTolerance(t *testing.T) {
	t.Run("B91", func(t *testing.T) {
		s, sent := callback.NewSecret(), time.Unix(1_787_947_185, 0)
		for _, c := range []struct {
			late time.Duration
			want error
		}{
			{301 * time.Second, callback.ErrTimestamp},
			{300*time.Second + 1, callback.ErrTimestamp},
			{300 * time.Second, nil},
			{0, nil},
			{-300 * time.Second, nil},
			{-301 * time.Second, callback.ErrTimestamp},
			{-100 * 365 * 24 * time.Hour, callback.ErrTimestamp},
		} {
			v := newVerifier(t, sent.Add(c.late), s)
			err := v.Verify(signedHeader("msg_1", sent, callback.Sign("msg_1", sent, []byte("{}"), s)), []byte("{}"))
			if !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
				t.Errorf("%v late: %v, want %v", c.late, err, c.want)
			}
		}
	})
	t.Run("of a minute", func(t *testing.T) {
		s, sent := callback.NewSecret(), time.Unix(1_787_947_185, 0)
		for late, ok := range map[time.Duration]bool{60 * time.Second: true, 61 * time.Second: false} {
			v, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{s}, Tolerance: time.Minute, Now: func() time.Time { return sent.Add(late) }})
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Verify(signedHeader("m", sent, callback.Sign("m", sent, nil, s)), nil); (err == nil) != ok {
				t.Errorf("%v late: %v", late, err)
			}
		}
	})
}

// TestReplay sends requests that were good before.
func TestReplay(t *testing.T) {
	first, second := callback.NewSecret(), callback.NewSecret()
	begun := time.Unix(1_787_947_185, 0)
	now := begun
	v, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{first, second}, Remember: 4, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	send := func(id string, at time.Time, body string, secrets ...callback.Secret) error {
		return v.Verify(signedHeader(id, at, callback.Sign(id, at, []byte(body), secrets...)), []byte(body))
	}
	for _, c := range []struct {
		name string
		now  int // seconds since it began
		err  error
		want error
	}{
		{"the first time", 0, send("msg_1", begun, "{}", first, second), nil},
		{"again", 0, send("msg_1", begun, "{}", first, second), callback.ErrReplay},
		{"with one of its signatures", 0, send("msg_1", begun, "{}", second), callback.ErrReplay},
		{"with the other", 0, send("msg_1", begun, "{}", first), callback.ErrReplay},
		{"the same message, signed later", 0, send("msg_1", begun.Add(time.Second), "{}", first), nil},
		{"the same message at the same time, with less time left", 0, send("msg_1", begun, `{"deadline_ms":1}`, first), nil},
		{"another message", 0, send("msg_2", begun, "{}", first), nil},
		{"the first one again", 0, send("msg_1", begun, "{}", first), callback.ErrReplay},
		{"a wrong one is not remembered", 0, send("msg_3", begun, "{}", callback.NewSecret()), callback.ErrSignature},
		{"so that the right one counts, which is the fifth", 0, send("msg_3", begun, "{}", first), nil},
		{"four are remembered, the first one no longer", 0, send("msg_1", begun, "{}", first), nil},
	} {
		if !errors.Is(c.err, c.want) || (c.err == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	now = begun.Add(5 * time.Minute)
	if err := send("msg_4", now, "{}", first); err != nil { // what is no longer good is forgotten by it
		t.Error(err)
	}
	if err := send("msg_3", begun, "{}", first); !errors.Is(err, callback.ErrReplay) {
		t.Errorf("at the end of its time: %v", err)
	}
	now = now.Add(time.Second)
	if err := send("msg_3", begun, "{}", first); !errors.Is(err, callback.ErrTimestamp) {
		t.Errorf("after its time: %v", err)
	}
}

func TestSecretsAreNotTold(t *testing.T) {
	s := secret(t, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	inside := struct {
		Public  callback.Secret
		private callback.Secret
		list    []callback.Secret
	}{s, s, []callback.Secret{s}}
	asJSON, err := json.Marshal(inside)
	if err != nil {
		t.Fatal(err)
	}
	told := string(asJSON)
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X"} {
		told += " " + fmt.Sprintf(format, s) + " " + fmt.Sprintf(format, inside) + " " + fmt.Sprintf(format, &inside)
	}
	for _, form := range []string{"MfKQ", "31f290f6", "31F290F6", "49 242 144", "0x31, 0xf2"} {
		if strings.Contains(told, form) {
			t.Errorf("%s is in %s", form, told)
		}
	}
	if got := s.Reveal(); got != "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" {
		t.Errorf("revealed %s", got)
	}
	if (callback.Secret{}).Reveal() != "" {
		t.Error("the zero Secret reveals something")
	}
	for _, bad := range []string{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa!w", "MfKQ9r8G", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwxx"} {
		if _, err := callback.ParseSecret(bad); err == nil || strings.Contains(err.Error(), "MfKQ") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

func TestParseSecret(t *testing.T) {
	for _, c := range []struct {
		bytes int
		ok    bool
	}{{0, false}, {16, false}, {23, false}, {24, true}, {32, true}, {64, true}, {65, false}, {1000, false}} {
		text := encodeSecret(strings.Repeat("k", c.bytes))
		s, err := callback.ParseSecret(text)
		if (err == nil) != c.ok || err != nil && !errors.Is(err, callback.ErrSecret) {
			t.Errorf("%d bytes: %v", c.bytes, err)
		}
		if c.ok && s.Reveal() != text {
			t.Errorf("%d bytes: %s", c.bytes, s.Reveal())
		}
	}
	good := encodeSecret(strings.Repeat("k", 32))
	for _, bad := range []string{" " + good, good + "\n", strings.TrimRight(good, "="), "WHSEC_" + good[6:], "whsec_" + good, strings.Replace(good, "a", "a\n", 1), ""} {
		if s, err := callback.ParseSecret(bad); err == nil {
			t.Errorf("%q: %s", bad, s.Reveal())
		}
	}
	a, b := callback.NewSecret(), callback.NewSecret()
	if a.Equal(b) || !a.Equal(secret(t, a.Reveal())) || len(a.Reveal()) != 6+44 || a.Equal(callback.Secret{}) || (callback.Secret{}).Equal(a) {
		t.Error("two new secrets are the same, or one is not itself")
	}
}

func TestVerifierOptions(t *testing.T) {
	s := callback.NewSecret()
	_, err := callback.NewVerifier(callback.VerifierOptions{Tolerance: -1, MaxBody: -1, Remember: -1})
	if err == nil {
		t.Fatal("no error")
	}
	want := "callback: Secrets: there are none\ncallback: Tolerance: -1ns is negative\ncallback: MaxBody: -1 is negative\ncallback: Remember: -1 is negative"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Error(diff)
	}
	for _, list := range [][]callback.Secret{{s, {}}, {s, s, s, s, s, s, s, s, s}} {
		if _, err := callback.NewVerifier(callback.VerifierOptions{Secrets: list}); err == nil {
			t.Errorf("%d secrets are taken", len(list))
		}
	}
	list := []callback.Secret{s}
	at := time.Now()
	v, err := callback.NewVerifier(callback.VerifierOptions{Secrets: list})
	if err != nil {
		t.Fatal(err)
	}
	list[0] = callback.NewSecret() // the verifier has its own
	if err := v.Verify(signedHeader("m", at, callback.Sign("m", at, nil, s)), nil); err != nil {
		t.Error(err)
	}
}

// TestVerifierHandler sends requests through the middleware, over a server.
func TestVerifierHandler(t *testing.T) {
	s := callback.NewSecret()
	v, err := callback.NewVerifier(callback.VerifierOptions{Secrets: []callback.Secret{s}, MaxBody: 100})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	url := serve(t, v.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := make([]byte, 200)
		n, _ := r.Body.Read(b)
		got = append(got, fmt.Sprint(string(b[:n]), " ", r.ContentLength))
	})))
	send := func(body string, at time.Time, signs callback.Secret) int {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = signedHeader("msg_1", at, callback.Sign("msg_1", at, []byte(body), signs))
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		http.DefaultClient.CloseIdleConnections()
		return resp.StatusCode
	}
	now := time.Now()
	long := strings.Repeat("x", 100)
	for i, c := range []struct{ have, want int }{
		{send("{}", now, s), 200},
		{send("{}", now, s), 409},
		{send("{}", now, callback.NewSecret()), 401},
		{send("{}", now.Add(-time.Hour), s), 401},
		{send(long, now, s), 200},
		{send(long+"x", now, s), 413},
	} {
		if c.have != c.want {
			t.Errorf("request %d: status %d, want %d", i, c.have, c.want)
		}
	}
	if diff := cmp.Diff([]string{"{} 2", long + " 100"}, got); diff != "" {
		t.Error(diff)
	}
}
