package game

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

func dumpState(s any) string {
	d := dumper{}
	d.value(reflect.ValueOf(s).Elem())
	return d.String()
}

// dumper prints values without calling their methods, which it may not do on unexported fields.
type dumper struct {
	strings.Builder
	path []uintptr // pointers, maps and slices that lead here, against cycles
}

func (d *dumper) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Invalid:
		d.WriteString("nil")
	case reflect.Bool:
		d.WriteString(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.WriteString(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		d.WriteString(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		d.WriteString(strconv.FormatFloat(v.Float(), 'x', -1, 64))
	case reflect.Complex64, reflect.Complex128:
		d.WriteString(strconv.FormatComplex(v.Complex(), 'x', -1, 128))
	case reflect.String:
		d.WriteString(strconv.Quote(v.String()))
	case reflect.Array:
		d.items(v)
	case reflect.Slice: // nil prints as empty: it holds the same
		d.inside(v.Pointer(), func() { d.items(v) })
	case reflect.Struct:
		d.structure(v)
	case reflect.Map:
		d.inside(v.Pointer(), func() { d.mapping(v) })
	case reflect.Pointer:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		d.WriteByte('&')
		d.inside(v.Pointer(), func() { d.value(v.Elem()) })
	case reflect.Interface:
		if v.IsNil() {
			d.WriteString("nil")
			return
		}
		fmt.Fprintf(d, "%s(", v.Elem().Type())
		d.value(v.Elem())
		d.WriteByte(')')
	default: // functions, channels: which one it is
		fmt.Fprintf(d, "%s@%x", v.Kind(), v.Pointer())
	}
}

// inside prints what a reference leads to, unless it leads to itself.
func (d *dumper) inside(at uintptr, print func()) {
	if at != 0 && len(d.path) > 64 && slices.Contains(d.path, at) {
		d.WriteString("(cycle)")
		return
	}
	d.path = append(d.path, at)
	print()
	d.path = d.path[:len(d.path)-1]
}

func (d *dumper) items(v reflect.Value) {
	if v.Type().Elem().Kind() == reflect.Uint8 { // often long: two letters a byte
		d.WriteString("x'")
		for i := range v.Len() {
			const hex = "0123456789abcdef"
			b := v.Index(i).Uint()
			d.WriteByte(hex[b>>4])
			d.WriteByte(hex[b&15])
		}
		d.WriteByte('\'')
		return
	}
	d.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			d.WriteByte(' ')
		}
		d.value(v.Index(i))
	}
	d.WriteByte(']')
}

func (d *dumper) structure(v reflect.Value) {
	t := v.Type()
	if t.PkgPath() == logPackage && strings.HasPrefix(t.Name(), "Log[") { // its own items, not the memory that it shares
		if n := int(v.FieldByName("n").Int()); n > 0 {
			d.items(v.FieldByName("block").Elem().FieldByName("items").Slice(0, n))
		} else {
			d.WriteString("[]")
		}
		return
	}
	d.WriteByte('{')
	for i := range v.NumField() {
		if i > 0 {
			d.WriteByte(' ')
		}
		d.WriteString(t.Field(i).Name + ":")
		d.value(v.Field(i))
	}
	d.WriteByte('}')
}

var logPackage = reflect.TypeFor[Log[int]]().PkgPath()

// mapping prints the entries of a map in the order of their printed keys.
func (d *dumper) mapping(v reflect.Value) {
	var entries []string
	for iter := v.MapRange(); iter.Next(); {
		e := dumper{path: d.path}
		e.value(iter.Key())
		e.WriteByte(':')
		e.value(iter.Value())
		entries = append(entries, e.String())
	}
	slices.Sort(entries)
	d.WriteString("map[" + strings.Join(entries, " ") + "]")
}
