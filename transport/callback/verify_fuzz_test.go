package callback

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// headerSeeds are ids, timestamps and signatures for the fuzzer; body, secret and time
// are fixed, and the first one is good.
func headerSeeds(good string) [][3]string {
	return [][3]string{
		{"msg_1", "1787947185", good},
		{"msg_1", "1787947185", "v1a,AAAA " + good},
		{"msg_1", "1787947185", strings.Repeat(good+" ", 100)},
		{"msg_1", "01787947185", good}, {"msg_1", "-1", good}, {"msg_1", "9223372036854775807", good}, {"msg_1", "1e9", good},
		{"msg_1.1787947185", "1", good}, {"", "", ""}, {"\x00", "\xff", "v1,"}, {"msg_1", "1787947185", "v1," + strings.Repeat("A", 44)},
	}
}

// FuzzVerify reads any headers: what is let in has the signature that Sign gives, as
// it stands, and is not let in twice.
func FuzzVerify(f *testing.F) {
	s, err := ParseSecret("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX")
	if err != nil {
		f.Fatal(err)
	}
	now, body := time.Unix(1_787_947_185, 0), []byte("{}")
	good := Sign("msg_1", now, body, s)
	seeds := headerSeeds(good)
	if len(seeds) < 5 {
		f.Fatal("no seeds")
	}
	for _, x := range seeds {
		f.Add(x[0], x[1], x[2])
	}
	f.Fuzz(func(t *testing.T, id, at, signature string) {
		v, err := NewVerifier(VerifierOptions{Secrets: []Secret{s}, Now: func() time.Time { return now }})
		if err != nil {
			t.Fatal(err)
		}
		h := http.Header{HeaderID: {id}, HeaderTimestamp: {at}, HeaderSignature: {signature}}
		err = v.Verify(h, body)
		if id == "msg_1" && at == "1787947185" && signature == good && err != nil {
			t.Fatal(err)
		}
		if err != nil {
			if !errors.Is(err, ErrSignature) && !errors.Is(err, ErrTimestamp) {
				t.Fatal(err)
			}
			return
		}
		_, when, _, err := readSignature(h)
		if err != nil || !strings.Contains(" "+signature+" ", " "+Sign(id, when, body, s)+" ") || when.Sub(now).Abs() > 5*time.Minute {
			t.Fatalf("%q %q %q was let in: %v", id, at, signature, err)
		}
		if err := v.Verify(h, body); !errors.Is(err, ErrReplay) {
			t.Fatalf("again: %v", err)
		}
	})
}

// FuzzSecret reads any text as a secret: one that is taken is written as it was.
func FuzzSecret(f *testing.F) {
	seeds := []string{
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "", "whsec_whsec_", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS=",
		"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=", "whsec_" + strings.Repeat("A", 1000),
	}
	if len(seeds) < 5 {
		f.Fatal("no seeds")
	}
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseSecret(text)
		if err != nil {
			if !errors.Is(err, ErrSecret) || len(text) > 12 && strings.Contains(err.Error(), text) {
				t.Fatal(err)
			}
			return
		}
		if got := s.Reveal(); got != text && got != "whsec_"+text {
			t.Fatalf("%q became %q", text, got)
		}
		if n := len(s.key()); n < 24 || n > 64 {
			t.Fatalf("%d bytes", n)
		}
	})
}
