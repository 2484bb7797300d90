package agentarena

import "github.com/matchreferee/arena/internal/jsontext"

// parseObject reads a text that is one JSON object, a byte-order mark before it
// allowed. What is no UTF-8 reads as U+FFFD: inside strings that is a
// character like any other.
func parseObject(text []byte) (jsontext.Members, error) {
	return jsontext.ParseObject(text, jsontext.Replace)
}
