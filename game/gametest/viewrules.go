package gametest

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/matchreferee/arena/game"
	"pgregory.net/rapid"
)

// viewChecks are about what is shown of a state.
func viewChecks() []check {
	return []check{
		{name: "view", needs: []string{"determinism"}, game: checkView},
		{name: "form", needs: []string{"legal"}, game: checkForm},
		{name: "hidden", needs: []string{"view", "outcome"}, when: func(k *kit) bool { return k.hidden }, game: checkHidden, after: afterHidden},
		{name: "public", needs: []string{"view"}, when: func(k *kit) bool { return !k.hidden }, game: checkPublic},
		{name: "svg", needs: []string{"turn"}, when: func(k *kit) bool { return k.has(func(f game.Features) bool { return f.Drawer }) }, game: checkSVG},
	}
}

// has reports whether the rules of some table have an optional interface.
func (k *kit) has(which func(game.Features) bool) bool {
	return slices.ContainsFunc(k.grounds, func(gr ground) bool { return which(gr.table.Features()) })
}

// checkView: views are JSON, empty lists are [] in them, and they live on by themselves.
func checkView(_ *kit, _ *rapid.T, tr *trace) error {
	for _, i := range tr.look {
		for _, seat := range tr.observers() {
			v := tr.states[i].View(seat)
			if v == nil {
				return at(i, "the view of seat %s is nil", seat)
			}
			if _, err := json.Marshal(v); err != nil {
				return at(i, "the view of seat %s is no JSON: %v", seat, err)
			}
			if path := nilList(reflect.ValueOf(v), "view"); path != "" {
				return at(i, "%s of seat %s is a nil slice or map: null in JSON where an empty list is meant", path, seat)
			}
		}
		if err := viewKept(tr, i); err != nil {
			return err
		}
	}
	return nil
}

// viewKept: a view taken earlier stays as it was while the state moves on.
func viewKept(tr *trace, i int) error {
	s := tr.fork(i)
	views := map[game.Seat]any{}
	texts := map[game.Seat]string{}
	for _, seat := range tr.observers() {
		views[seat] = s.View(seat)
		texts[seat] = jsonText(views[seat])
	}
	for n := i; n < min(i+8, len(tr.steps)); n++ {
		if err := s.Apply(tr.steps[n]); err != nil {
			return at(n, "a copy of the state refuses the step that the state took: %v", err)
		}
		for _, seat := range tr.observers() {
			if now := jsonText(views[seat]); now != texts[seat] {
				return at(n+1, "this step changed a view that seat %s was given %d steps ago:\n  %s\n  %s", seat, n+1-i, clip(texts[seat]), clip(now))
			}
		}
	}
	return nil
}

var marshaler = reflect.TypeFor[json.Marshaler]()

// nilList finds a slice or map that encoding/json would write as null.
func nilList(v reflect.Value, path string) string {
	if !v.IsValid() || v.Type().Implements(marshaler) {
		return ""
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return nilList(v.Elem(), path)
	case reflect.Slice, reflect.Map:
		if v.IsNil() {
			return path
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if p := nilList(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); p != "" {
				return p
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, key := range keys {
			if p := nilList(v.MapIndex(key), fmt.Sprintf("%s[%v]", path, key)); p != "" {
				return p
			}
		}
	case reflect.Struct:
		for field, value := range v.Fields() {
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			left := strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
			if !field.IsExported() || name == "-" || left && value.IsZero() {
				continue
			}
			if p := nilList(value, path+"."+field.Name); p != "" {
				return p
			}
		}
	}
	return ""
}

// checkForm: what describes unlisted moves is JSON, and is there if and only if Info says Open.
func checkForm(_ *kit, _ *rapid.T, tr *trace) error {
	open := tr.table.Info().Open
	forms := 0
	for i, s := range tr.states {
		for seat := range s.Turn().Seats.All() {
			form := s.Form(seat)
			if form == nil {
				continue
			}
			forms++
			var schema map[string]any
			if err := json.Unmarshal(form, &schema); err != nil {
				return at(i, "Form of seat %s is no JSON object: %v: %s", seat, err, clip(string(form)))
			}
			if !open {
				return at(i, "Form of seat %s describes moves that are not listed, but Info.Open is not set: %s", seat, clip(string(form)))
			}
		}
	}
	if open && forms == 0 {
		return at(len(tr.steps), "Info.Open is set, and Form described no move in the whole game")
	}
	return nil
}

// checkSVG: pictures are well-formed, whatever players are called, and hold no scripts.
func checkSVG(_ *kit, _ *rapid.T, tr *trace) error {
	for _, i := range tr.look {
		for _, seat := range tr.observers() {
			svg, ok := tr.states[i].SVG([]byte("dst"), seat)
			if !ok {
				continue
			}
			picture, kept := bytes.CutPrefix(svg, []byte("dst"))
			if !kept {
				return at(i, "SVG for seat %s does not append to dst", seat)
			}
			if err := svgError(picture); err != nil {
				return at(i, "SVG for seat %s: %v\n%s", seat, err, clip(string(picture)))
			}
		}
	}
	return nil
}

func svgError(picture []byte) error {
	d := xml.NewDecoder(bytes.NewReader(picture))
	for n := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) && n > 0 {
			return nil
		}
		if err != nil {
			return fmt.Errorf("not well-formed: %w", err)
		}
		if start, ok := token.(xml.StartElement); ok {
			if n++; n == 1 && start.Name.Local != "svg" {
				return fmt.Errorf("the root element is %s, not svg", start.Name.Local)
			}
			if start.Name.Local == "script" {
				return errors.New("it holds a script")
			}
		}
	}
}
