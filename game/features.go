package game

import (
	"fmt"
	"reflect"
	"strings"
)

// Features tells which optional interfaces the rules of a table have.
type Features struct {
	Validator, Cloner, Checker, Former, Defaulter, Chancer, Asker, Indexed,
	Texter, Parser, Labeler, Boarder, Drawer, Positioner, Resampler, Forfeiter bool
}

// nearMisses compares the methods of R with those of the optional interfaces.
func nearMisses[R Rules[S, A], S any, A comparable]() []string {
	optional := []reflect.Type{
		reflect.TypeFor[Validator](), reflect.TypeFor[Cloner[S]](), reflect.TypeFor[Checker[S, A]](), reflect.TypeFor[Former[S]](),
		reflect.TypeFor[Defaulter[S, A]](), reflect.TypeFor[Chancer[S, A]](), reflect.TypeFor[Asker[S]](), reflect.TypeFor[Indexed[A]](),
		reflect.TypeFor[Texter[S, A]](), reflect.TypeFor[Parser[S, A]](), reflect.TypeFor[Labeler](), reflect.TypeFor[Boarder[S]](), reflect.TypeFor[Drawer[S]](),
		reflect.TypeFor[Positioner[S]](), reflect.TypeFor[Resampler[S]](), reflect.TypeFor[Forfeiter[S]](),
	}
	rules := reflect.TypeFor[R]()
	all := rules // with the methods of the pointer too
	if rules.Kind() != reflect.Pointer && rules.Kind() != reflect.Interface {
		all = reflect.PointerTo(rules)
	}
	var misses []string
	for _, want := range optional {
		if rules.Implements(want) {
			continue
		}
		name, _, _ := strings.Cut(want.Name(), "[")
		for method := range want.Methods() {
			if miss := nearMiss(rules, all, method); miss != "" {
				misses = append(misses, fmt.Sprintf("%s: %s", name, miss))
			}
		}
	}
	return misses
}

// nearMiss says how a method of the rules misses the one wanted, or "" where there is none like it.
func nearMiss(rules, all reflect.Type, want reflect.Method) string {
	for have := range all.Methods() {
		if !strings.EqualFold(have.Name, want.Name) {
			if withoutReceiver(have.Type) == want.Type.String() && misspelt(have.Name, want.Name) {
				return fmt.Sprintf("the method %s looks like a misspelt %s", have.Name, want.Name)
			}
			continue
		}
		if have.Name != want.Name {
			return fmt.Sprintf("the method %s is spelt %s", have.Name, want.Name)
		}
		if got := withoutReceiver(have.Type); got != want.Type.String() {
			return fmt.Sprintf("%s is %s, not %s", have.Name, got, want.Type)
		}
		if _, ok := rules.MethodByName(have.Name); !ok {
			return fmt.Sprintf("%s has a pointer receiver, and the rules are no pointer", have.Name)
		}
		return fmt.Sprintf("%s is there, but not the rest of the interface", have.Name)
	}
	return ""
}

func withoutReceiver(t reflect.Type) string {
	var in, out []reflect.Type
	for i := 1; i < t.NumIn(); i++ {
		in = append(in, t.In(i))
	}
	for o := range t.Outs() {
		out = append(out, o)
	}
	return reflect.FuncOf(in, out, t.IsVariadic()).String()
}

// misspelt reports whether two letters at most make have of want, which has five or more: put in, left out or taken for another each.
func misspelt(have, want string) bool {
	if len(want) < 5 {
		return false
	}
	row := make([]int, len(want)+1) // of the table of distances between what have and want begin with
	for j := range row {
		row[j] = j
	}
	for i := range len(have) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(want) {
			change := corner
			if have[i] != want[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, corner+1)
		}
	}
	return row[len(want)] <= 2
}
