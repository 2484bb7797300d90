package web

import "strings"

// Matches reports whether one of the entity tags of If-None-Match is tag, by the weak comparison of RFC 9110, section 8.8.3.2.
// Tags hold no commas.
func Matches(fields []string, tag string) bool {
	tag = strings.TrimPrefix(tag, "W/")
	for _, field := range fields {
		for one := range strings.SplitSeq(field, ",") {
			if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
				return true
			}
		}
	}
	return false
}
