package uci

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of what an engine may declare; what is beyond them is ignored.
const (
	maxDeclared = 1024 // options
	maxVars     = 256  // values of a combo
	maxVarsTold = 1024 // bytes of them in an error
)

// Option is an option that an engine declares in its handshake.
type Option struct {
	Name     string
	Type     string // "check", "spin", "combo", "button" or "string"
	Default  string // as the engine writes it, control characters as U+FFFD; "<empty>" is the empty string
	Min, Max int64  // of a spin; the whole range of int64 where the engine gives none
	Vars     []string
}

// parseOption reads what follows the word option. A name may hold blanks, and so may the values of combos and strings.
func parseOption(rest string) (Option, bool) {
	o := Option{Min: -1 << 63, Max: 1<<63 - 1}
	words := strings.Fields(rest)
	if len(words) < 2 || words[0] != "name" {
		return o, false
	}
	typ := slices.Index(words, "type")
	if typ < 2 || typ+1 >= len(words) {
		return o, false
	}
	o.Name, o.Type = strings.Join(words[1:typ], " "), words[typ+1]
	if len(o.Name) > maxName || !oneLine(o.Name) {
		return o, false
	}
	switch o.Type {
	case "check", "spin", "combo", "button", "string":
	default:
		return o, false
	}
	words = words[typ+2:]
	for len(words) > 0 {
		end := 1
		for end < len(words) && !(o.Type != "string" && attribute(words[end])) {
			end++
		}
		value := printable(cut(strings.Join(words[1:end], " "), MaxValue))
		n, err := strconv.ParseInt(value, 10, 64)
		switch words[0] {
		case "default":
			o.Default = value
		case "min", "max":
			if err != nil {
				return o, false
			}
			if words[0] == "min" {
				o.Min = n
			} else {
				o.Max = n
			}
		case "var":
			if len(o.Vars) < maxVars {
				o.Vars = append(o.Vars, value)
			}
		}
		words = words[end:]
	}
	return o, true
}

func attribute(s string) bool { return s == "default" || s == "min" || s == "max" || s == "var" }

// command gives the line that makes a setting, checked against what the engine declared.
func command(declared []Option, s Setting) (string, error) {
	wanted := strings.Join(strings.Fields(s.Name), " ")
	i := slices.IndexFunc(declared, func(o Option) bool { return strings.EqualFold(o.Name, wanted) })
	if i < 0 {
		return "", fmt.Errorf("uci: Set: the engine declares no option %q", s.Name)
	}
	o, value := declared[i], s.Value
	wrong := func(what string) (string, error) {
		return "", fmt.Errorf("uci: Set: option %s takes %s, not %q", o.Name, what, s.Value)
	}
	switch o.Type {
	case "check":
		if value != "true" && value != "false" {
			return wrong("true or false")
		}
	case "spin":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < o.Min || n > o.Max {
			return wrong(fmt.Sprintf("a whole number from %d to %d", o.Min, o.Max))
		}
		value = strconv.FormatInt(n, 10)
	case "combo":
		i := slices.IndexFunc(o.Vars, func(v string) bool { return strings.EqualFold(v, value) })
		if i < 0 {
			return wrong("one of " + cut(strings.Join(o.Vars, ", "), maxVarsTold))
		}
		value = o.Vars[i]
	case "button":
		if value != "" {
			return wrong("no value")
		}
		return "setoption name " + o.Name, nil
	case "string":
		if value == "" {
			value = "<empty>"
		}
	}
	return "setoption name " + o.Name + " value " + value, nil
}
