package game

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/matchreferee/arena/internal/jsontext"
)

// ErrRuleset is wrapped by the errors of [Game.Table] about the ruleset it was given.
var ErrRuleset = errors.New("game: bad ruleset")

// decodeRuleset gives a copy of defaults with what the JSON says in place. Lists, maps and pointers that it names are replaced whole.
func decodeRuleset[R any](defaults R, ruleset []byte) (R, error) {
	r := defaults
	target := reflect.ValueOf(&r).Elem()
	if target.Kind() == reflect.Pointer && !target.IsNil() { // rules with pointer methods: a copy of what it points to
		fresh := reflect.New(target.Type().Elem())
		fresh.Elem().Set(target.Elem())
		target.Set(fresh)
		target = fresh.Elem()
	}
	if len(ruleset) == 0 {
		return r, nil
	}
	v, err := parseJSON(ruleset)
	if err != nil {
		return r, err
	}
	return r, setFrom(target, v, "")
}

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// setFrom sets target from v: one error a bad member, joined.
func setFrom(target reflect.Value, v *jsontext.Value, path string) error {
	where := path
	if where == "" {
		where = "the ruleset"
	}
	pointer := reflect.PointerTo(target.Type())
	if pointer.Implements(jsonUnmarshaler) || pointer.Implements(textUnmarshaler) {
		return leaf(target, v.Raw, where)
	}
	if v.Kind == jsontext.Null && target.Kind() != reflect.Pointer && target.Kind() != reflect.Interface {
		return fmt.Errorf("%s: null is no value here", where)
	}
	switch target.Kind() {
	case reflect.Struct:
		if v.Kind != jsontext.Object {
			return fmt.Errorf("%s: an object is wanted, not %s", where, v.Kind)
		}
		return setStruct(target, v, path)
	case reflect.Pointer:
		if v.Kind == jsontext.Null {
			target.SetZero()
			return nil
		}
		fresh := reflect.New(target.Type().Elem())
		target.Set(fresh)
		return setFrom(fresh.Elem(), v, path)
	case reflect.Slice, reflect.Array:
		if v.Kind != jsontext.Array {
			break // a []byte is a string
		}
		if target.Kind() == reflect.Slice {
			target.Set(reflect.MakeSlice(target.Type(), len(v.Items), len(v.Items)))
		} else if len(v.Items) != target.Len() {
			return fmt.Errorf("%s: length %d is wanted, not %d", where, target.Len(), len(v.Items))
		}
		var errs []error
		for i := range v.Items {
			errs = append(errs, setFrom(target.Index(i), &v.Items[i], fmt.Sprintf("%s[%d]", path, i)))
		}
		return errors.Join(errs...)
	case reflect.Map:
		if v.Kind != jsontext.Object || target.Type().Key().Kind() != reflect.String {
			break
		}
		target.Set(reflect.MakeMapWithSize(target.Type(), len(v.Items)))
		var errs []error
		for i := range v.Items {
			name := v.Items[i].Name
			item := reflect.New(target.Type().Elem()).Elem()
			errs = append(errs, setFrom(item, &v.Items[i], join(path, name)))
			target.SetMapIndex(reflect.ValueOf(name).Convert(target.Type().Key()), item)
		}
		return errors.Join(errs...)
	}
	return leaf(target, v.Raw, where)
}

func setStruct(target reflect.Value, v *jsontext.Value, path string) error {
	fields := jsonFields(target)
	var errs []error
	for i := range v.Items {
		item, name := &v.Items[i], v.Items[i].Name
		field, ok := fields[name]
		if !ok {
			errs = append(errs, fmt.Errorf("%s: no such member%s", clipName(join(path, name)), nearName(fields, name)))
			continue
		}
		where := join(path, name)
		switch {
		case !field.quoted:
			errs = append(errs, setFrom(field.Value, item, where))
		case item.Kind != jsontext.String:
			errs = append(errs, fmt.Errorf("%s: a string is wanted, not %s", where, item.Kind))
		default:
			errs = append(errs, leaf(field.Value, item.Text, where))
		}
	}
	return errors.Join(errs...)
}

func leaf(target reflect.Value, text, where string) error {
	fresh := reflect.New(target.Type())
	if err := json.Unmarshal([]byte(text), fresh.Interface()); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return fmt.Errorf("%s: %s does not fit", clipName(where), clipName(wrong.Value))
		}
		return fmt.Errorf("%s: %w", clipName(where), err)
	}
	target.Set(fresh.Elem())
	return nil
}

// jsonField is a settable field of a struct; quoted: its value stands inside a JSON string.
type jsonField struct {
	reflect.Value
	quoted bool
}

// jsonFields gives the settable fields of a struct by their exact JSON names, those of embedded structs included.
func jsonFields(v reflect.Value) map[string]jsonField {
	fields := map[string]jsonField{}
	var embedded []reflect.Value
	for f, field := range v.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		quoted := slices.Contains(strings.Split(options, ","), "string")
		switch {
		case f.Tag.Get("json") == "-":
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			embedded = append(embedded, field)
		case !f.IsExported():
		case name != "":
			fields[name] = jsonField{field, quoted}
		default:
			fields[f.Name] = jsonField{field, quoted}
		}
	}
	for _, e := range embedded { // outer names hide inner ones
		for name, field := range jsonFields(e) {
			if _, ok := fields[name]; !ok {
				fields[name] = field
			}
		}
	}
	return fields
}

// nearName says which field was meant by a name in the wrong case.
func nearName(fields map[string]jsonField, name string) string {
	for _, known := range slices.Sorted(maps.Keys(fields)) {
		if foldName(known) == foldName(name) {
			return ": it is spelt " + known
		}
	}
	return ""
}

// clipName makes a path from outside fit for an error.
func clipName(path string) string {
	for _, r := range path {
		if r < ' ' || r > '~' {
			return jsontext.Quote(path)
		}
	}
	if len(path) > 64 {
		return jsontext.Quote(path)
	}
	return path
}
