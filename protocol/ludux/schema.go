package ludux

import _ "embed" // of the schemas

var (
	//go:embed schema/action_request.json
	requestSchema string
	//go:embed schema/action_response.json
	responseSchema string
	//go:embed schema/hello.json
	helloSchema string
	//go:embed schema/welcome.json
	welcomeSchema string
	//go:embed schema/match_start.json
	startSchema string
	//go:embed schema/match_end.json
	endSchema string
	//go:embed schema/timeout_warning.json
	warningSchema string
	//go:embed schema/error.json
	errorSchema string
	//go:embed schema/public_state.json
	publicSchema string
)

// Schema gives the JSON Schema (draft 2020-12) of a kind of message, "" for an
// unknown kind. That of action_request describes state for the games of the
// document and takes any object for others. Those of what agents send are stricter
// than [DecodeFromAgent], which cuts a commentary that is too long and passes over
// one that is no string.
func Schema(k Kind) string {
	switch k {
	case KindActionRequest:
		return requestSchema
	case KindActionResponse:
		return responseSchema
	case KindHello:
		return helloSchema
	case KindWelcome:
		return welcomeSchema
	case KindMatchStart:
		return startSchema
	case KindMatchEnd:
		return endSchema
	case KindTimeoutWarning:
		return warningSchema
	case KindError:
		return errorSchema
	case KindPublicState:
		return publicSchema
	}
	return ""
}
