package agentarena

import _ "embed" // of the schemas

var (
	//go:embed schema/move_request.json
	requestSchema string
	//go:embed schema/reply.json
	replySchema string
)

// RequestSchema is the JSON Schema (draft 2020-12) of what [AppendRequest] writes.
func RequestSchema() string { return requestSchema }

// ReplySchema is the JSON Schema (draft 2020-12) of a good reply. It is
// stricter than [Decode], which cuts a reason that is too long and passes over
// one that is no string.
func ReplySchema() string { return replySchema }
