package translog

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"strconv"

	"github.com/matchreferee/arena/replay"
)

// hash32 is a hash as JSON has it.
func hash32(h [32]byte) string { return "sha256:" + hex.EncodeToString(h[:]) }

func hexes(path [][32]byte) []string {
	out := make([]string, len(path))
	for i, h := range path {
		out[i] = hash32(h)
	}
	return out
}

// battle is what is attested of a match.
func (h *handler) battle(r *http.Request) (*answer, error) {
	_, rep, err := h.finished(r)
	if err != nil {
		return nil, err
	}
	v := battleJSON{ID: rep.Start.ID, Game: rep.Start.Game, Version: rep.Start.Version, Events: rep.Events, Head: hash32(rep.Head), Root: hash32(rep.Root),
		Attestations: []json.RawMessage{}, Result: resultJSON{Cause: rep.End.Cause.String(), Reason: rep.End.Reason, Returns: append([]float64{}, rep.End.Ret...), Places: append([]int{}, rep.End.Places...)}}
	if rep.Seal != nil {
		all, err := rep.Seal.Attestations()
		if err != nil && !errors.Is(err, replay.ErrAttestation) {
			return nil, err
		}
		for i := range all {
			v.Attestations = append(v.Attestations, json.RawMessage(all[i].JSON()))
		}
	}
	if h.Log == nil {
		return &answer{value: v}, nil
	}
	n, e, err := h.Log.Find(r.Context(), v.ID)
	if errors.Is(err, ErrNotLogged) {
		return &answer{value: v}, nil
	}
	if err != nil {
		return nil, err
	}
	path, c, err := h.Log.Inclusion(r.Context(), n)
	if err != nil {
		return nil, err
	}
	v.Log = &loggedJSON{Origin: c.Origin, Number: n, Entry: string(e.Append(nil)), Size: c.Size, Path: hexes(path), Checkpoint: string(c.Note)}
	return &answer{value: v}, nil
}

type battleJSON struct {
	ID           string            `json:"battle_id"`
	Game         string            `json:"game"`
	Version      string            `json:"version"`
	Events       int64             `json:"events"`
	Head         string            `json:"head"`
	Root         string            `json:"battle_hash"`
	Attestations []json.RawMessage `json:"attestations"`
	Result       resultJSON        `json:"result"`
	Log          *loggedJSON       `json:"log"` // null: not in a log, or not yet
}

type resultJSON struct {
	Cause   string    `json:"cause"`
	Reason  string    `json:"reason"`
	Returns []float64 `json:"returns"`
	Places  []int     `json:"places"`
}

type loggedJSON struct {
	Origin     string   `json:"origin"`
	Number     int64    `json:"number"`
	Entry      string   `json:"entry"`
	Size       int64    `json:"size"`
	Path       []string `json:"path"`
	Checkpoint string   `json:"checkpoint"`
}

// record is the whole record of a finished match.
func (h *handler) record(r *http.Request) (*answer, error) {
	record, rep, err := h.finished(r)
	if err != nil {
		return nil, err
	}
	return &answer{kind: "application/x-ndjson", bytes: record, stays: rep.Seal != nil}, nil
}

// event is one line of a record with its proof.
func (h *handler) event(r *http.Request) (*answer, error) {
	record, rep, err := h.finished(r)
	if err != nil {
		return nil, err
	}
	n, err := number(r.PathValue("n"))
	if err != nil {
		return nil, err
	}
	proof, line, err := replay.Prove(bytes.NewReader(record), n)
	if errors.Is(err, replay.ErrProof) {
		return nil, errNotFound
	}
	if err != nil {
		return nil, err
	}
	return &answer{stays: true, value: struct {
		Event  int64    `json:"event"`
		Line   string   `json:"line"`
		Path   []string `json:"path"`
		Events int64    `json:"events"`
		Root   string   `json:"battle_hash"`
	}{n, string(line), hexes(proof.Path), rep.Events, hash32(rep.Root)}}, nil
}

// number reads a number of a path in its one form.
func number(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != s {
		return 0, errNumber
	}
	return n, nil
}

// keys are the public keys.
func (h *handler) keys(*http.Request) (*answer, error) {
	if h.Keys == nil {
		return &answer{value: new(replay.Keys)}, nil
	}
	return &answer{value: h.Keys}, nil
}

// checkpoint is the newest one.
func (h *handler) checkpoint(r *http.Request) (*answer, error) {
	if h.Log == nil {
		return nil, errNoLog
	}
	c, err := h.Log.Checkpoint(r.Context())
	if err != nil {
		return nil, err
	}
	return &answer{kind: "text/plain; charset=utf-8", bytes: c.Note}, nil
}

// consistency is the proof that a smaller log became this one.
func (h *handler) consistency(r *http.Request) (*answer, error) {
	if h.Log == nil {
		return nil, errNoLog
	}
	size, err := number(r.PathValue("size"))
	if err != nil {
		return nil, err
	}
	path, c, err := h.Log.Consistency(r.Context(), size)
	if errors.Is(err, ErrNotLogged) {
		return nil, errNotFound
	}
	if err != nil {
		return nil, err
	}
	return &answer{value: struct {
		From       int64    `json:"from"`
		Size       int64    `json:"size"`
		Path       []string `json:"path"`
		Checkpoint string   `json:"checkpoint"`
	}{size, c.Size, hexes(path), string(c.Note)}}, nil
}

// file is one of the files of the log, as a static server would give it; of tiles
// those alone that the newest checkpoint covers.
func (h *handler) file(r *http.Request) (*answer, error) {
	if h.Log == nil {
		return nil, errNoLog
	}
	path := r.PathValue("path")
	if path == "checkpoint" {
		return h.checkpoint(r)
	}
	t, tile := parseTilePath(path)
	if tile {
		c, err := h.Log.Checkpoint(r.Context())
		if err != nil {
			return nil, err
		}
		tile = within(t, c.Size)
	}
	if !tile {
		return nil, errNotFound
	}
	b, err := h.Log.opts.Storage.Read(r.Context(), path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errNotFound
	}
	if err != nil {
		return nil, err
	}
	return &answer{kind: "application/octet-stream", bytes: b, stays: true}, nil
}
