package jsontext

import (
	"encoding/json"
	"testing"
)

func TestAppendList(t *testing.T) {
	for want, list := range map[string][]int8{"[]": nil, "[-128]": {-128}, "[0,127,-1]": {0, 127, -1}} {
		if got := string(AppendList(nil, list, AppendInt)); got != want {
			t.Errorf("%v: %s, want %s", list, got, want)
		}
	}
	for want, raw := range map[string]json.RawMessage{"x,null": nil, `x,{"a":1}`: json.RawMessage(`{"a":1}`)} {
		if got := string(AppendRaw([]byte("x,"), raw)); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
