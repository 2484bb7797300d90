package gridarena

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/matchreferee/arena/internal/jsontext"
)

// reader reads the members of a body and collects what is wrong with them. Reading
// goes on after an error; what is wrong or absent is zero.
type reader struct {
	jsontext.Members
	values []jsontext.Value // the same members, with all that is in them
	prefix string           // of the names in errors
	errs   []FieldError
}

// open reads a body that is one object and has no member that is never accepted.
func open(body []byte) (*reader, *Problem) {
	if len(body) > MaxBody {
		return nil, NewProblem(CodeTooLarge, fmt.Sprintf("a body has at most %d bytes", MaxBody))
	}
	v, err := jsontext.Parse(body, jsontext.Replace)
	if err != nil {
		return nil, NewProblem(CodeMalformed, "the body is not one JSON object: "+err.Error())
	}
	if v.Kind != jsontext.Object {
		return nil, NewProblem(CodeMalformed, fmt.Sprintf("the body is %v, not an object", v.Kind))
	}
	r := readerOf(v, "")
	bad := r.refused()
	if d := v.Find("diagnostics"); d != nil && d.Kind == jsontext.Object {
		bad = append(bad, readerOf(d, "diagnostics.").refused()...)
	}
	if len(bad) > 0 {
		p := NewProblem(CodeForbiddenMember, "only the referee says who scores and wins, and the host against whom")
		p.Errors = bad
		return nil, p
	}
	return r, nil
}

func readerOf(v *jsontext.Value, prefix string) *reader {
	r := &reader{Members: make(jsontext.Members, len(v.Items)), values: v.Items, prefix: prefix}
	for i := range v.Items {
		r.Members[i] = v.Items[i].Member
	}
	return r
}

// never are the names of members that are never accepted, in lower case and without _ and -.
var never = [...]string{
	"aipolicy", "difficulties", "difficulty", "finalscore", "finalscores", "history", "outcome", "points", "policies", "policy", "policyoverride",
	"policyoverrides", "result", "results", "score", "scores", "scoring", "transcript", "transcripts", "verified", "verifiedwin", "winner", "winners",
}

// joined takes out of a name what does not count in it.
var joined = strings.NewReplacer("_", "", "-", "")

// Refused gives the names of the members that no request may have, in lower case and
// without the _ and - that do not count in them. The slice is the caller's.
func Refused() []string { return slices.Clone(never[:]) }

// refused gives one error for each member that is never accepted.
func (r *reader) refused() (bad []FieldError) {
	for i := range r.Members {
		name := r.Members[i].Name
		if len(name) > 64 {
			continue
		}
		plain := joined.Replace(strings.ToLower(name))
		if _, found := slices.BinarySearch(never[:], plain); found {
			bad = append(bad, FieldError{r.prefix + jsontext.Line(name, 64), "is never accepted"})
		}
	}
	return bad
}

func (r *reader) fail(name string, format string, args ...any) {
	r.errs = append(r.errs, FieldError{r.prefix + name, fmt.Sprintf(format, args...)})
}

// problem is nil if nothing was wrong.
func (r *reader) problem() *Problem {
	if len(r.errs) == 0 {
		return nil
	}
	p := NewProblem(CodeMalformed, "the request cannot be read: see errors")
	p.Errors = r.errs
	return p
}

// of gives a member that is not null.
func (r *reader) of(name string, kind jsontext.Kind, needed bool) (*jsontext.Value, bool) {
	for i := range r.values {
		v := &r.values[i]
		if v.Name != name || v.Kind == jsontext.Null {
			continue
		}
		if v.Kind != kind {
			r.fail(name, "is %v, not %v", v.Kind, kind)
			return nil, false
		}
		return v, true
	}
	if needed {
		r.fail(name, "is missing")
	}
	return nil, false
}

func (r *reader) text(name string, needed bool) string {
	if v, ok := r.of(name, jsontext.String, needed); ok {
		return v.Text
	}
	return ""
}

// int gives an integer: 7.0 and 70e-1 are integers too.
func (r *reader) int(name string, needed bool, least, most int64) int64 {
	v, ok := r.of(name, jsontext.Number, needed)
	if !ok {
		return 0
	}
	n, err := strconv.ParseInt(v.Raw, 10, 64)
	if err != nil {
		if v.Float != math.Trunc(v.Float) || math.Abs(v.Float) > 1<<53 {
			r.fail(name, "%s is no integer", jsontext.Quote(v.Raw))
			return 0
		}
		n = int64(v.Float)
	}
	if n < least || n > most {
		r.fail(name, "%s is not %d to %d", jsontext.Quote(v.Raw), least, most)
		return 0
	}
	return n
}

// uuid gives an id in lower case.
func (r *reader) uuid(name string) string {
	v, ok := r.of(name, jsontext.String, true)
	if !ok {
		return ""
	}
	if !ValidID(v.Text) {
		r.fail(name, "%s is no UUID", jsontext.Quote(v.Text))
		return ""
	}
	return strings.ToLower(v.Text)
}

// ValidID reports whether s has the form of a UUID (RFC 9562, section 4): 32
// hexadecimal digits of either case in groups of 8, 4, 4, 4 and 12.
func ValidID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch i {
		case 8, 13, 18, 23:
			if c != '-' {
				return false
			}
		default:
			if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
		}
	}
	return true
}

// diagnostics are looked at and forgotten.
func (r *reader) diagnostics() {
	v, ok := r.of("diagnostics", jsontext.Object, false)
	if !ok {
		return
	}
	in := readerOf(v, "diagnostics.")
	for _, name := range [...]string{"nodes", "depth", "ms"} {
		if n, ok := in.of(name, jsontext.Number, false); ok && n.Float < 0 {
			in.fail(name, "%s is negative", jsontext.Quote(n.Raw))
		}
	}
	r.errs = append(r.errs, in.errs...)
}
