package replay_test

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/matchreferee/arena/games/chess"
	"github.com/matchreferee/arena/games/connectfour"
	"github.com/matchreferee/arena/games/grid"
	"github.com/matchreferee/arena/games/werewolf"
	"github.com/matchreferee/arena/referee"
	"github.com/matchreferee/arena/replay"
)

// vector is an entry of testdata/record/v1/manifest.json, see docs/record-format.md.
type vector struct {
	File     string `json:"file"`
	About    string `json:"about"`
	Game     string `json:"game"`
	Status   string `json:"status"`
	Line     int64  `json:"line,omitempty"`
	Code     string `json:"code,omitempty"`
	Needs    string `json:"needs,omitempty"`
	Events   int64  `json:"events"`
	Head     string `json:"head,omitempty"`
	Root     string `json:"root"`
	Attested any    `json:"attested,omitempty"` // int or code

	record []byte
}

// vectorRules are the rules of all vectors.
var vectorRules = replay.Rules(connectfour.New(), chess.New(), grid.New(), werewolf.New())

// vectors makes the records of format version 1 and says what each is.
func vectors(t testing.TB) []vector {
	v := &vectorList{t: t}
	v.signers, v.keys = vectorKeys(t)
	v.good()
	v.cut()
	v.edited()
	v.lines()
	v.rechained()
	v.attested()
	return v.list
}

type vectorList struct {
	t       testing.TB
	signers map[string]*replay.KeySigner
	keys    *replay.Keys
	list    []vector
}

// add completes an entry with what Verify finds.
func (l *vectorList) add(v vector) {
	l.t.Helper()
	r := verifyBy(l.t, v.record, vectorRules)
	v.File += ".jsonl"
	if v.Game == "" {
		v.Game = "connect-four@1.0.0"
	}
	v.Events, v.Root = r.Events, hex.EncodeToString(r.Root[:])
	if r.Events > 0 {
		v.Head = hex.EncodeToString(r.Head[:])
	}
	if v.Attested == nil && v.Status == "valid" {
		v.Attested = "unattested"
	}
	l.list = append(l.list, v)
}

func (l *vectorList) valid(file, about string, record []byte) {
	l.t.Helper()
	l.add(vector{File: file, About: about, Status: "valid", record: record})
}

func (l *vectorList) invalid(file, about string, line int64, code string, record []byte) {
	l.t.Helper()
	l.add(vector{File: file, About: about, Status: "invalid", Line: line, Code: code, record: record})
}

func (l *vectorList) named(file string) []byte {
	i := slices.IndexFunc(l.list, func(v vector) bool { return v.File == file+".jsonl" })
	return l.list[i].record
}

// code sorts an error as docs/record-format.md does.
func code(err error) string {
	for _, c := range []struct {
		err  error
		code string
	}{
		{replay.ErrChain, "chain"}, {replay.ErrSeal, "seal"}, {replay.ErrTooLong, "too-long"}, {referee.ErrLine, "form"}, {referee.ErrDraw, "draw"},
		{replay.ErrUnattested, "unattested"}, {replay.ErrAttestation, "attestation"}, {replay.ErrKeyUnknown, "key-unknown"}, {replay.ErrSignature, "signature"},
		{replay.ErrKeyRevoked, "key-revoked"}, {replay.ErrKeyPeriod, "key-period"},
	} {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	for _, c := range []struct{ text, code string }{
		{"time runs backwards", "time"}, {"do not open the commitment", "commitment"}, {"the first and no other", "order"}, {"follows the", "order"},
	} {
		if strings.Contains(err.Error(), c.text) {
			return c.code
		}
	}
	return "rules"
}
