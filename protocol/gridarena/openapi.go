package gridarena

import (
	_ "embed" // of the description and the example
	"strings"

	"github.com/matchreferee/arena/internal/jsontext"
)

var (
	//go:embed openapi.yaml
	openAPI string
	//go:embed example.json
	example string
)

// OpenAPI gives the description of the API, an OpenAPI 3.1 document in YAML
// ([OpenAPIType]), for a host that has it under a path, "/api/benchmarks" in the format's own
// document; "" is "/".
func OpenAPI(path string) string {
	if path == "" {
		path = "/"
	}
	return strings.Replace(openAPI, "\n  - url: /api/benchmarks\n", "\n  - url: "+string(jsontext.AppendString(nil, path))+"\n", 1)
}

// OpenAPIType is the content-type of [OpenAPI] (RFC 9512).
const OpenAPIType = "application/yaml"

// Example is an observation to try a client with: a fixture, no live match. The copy is the caller's.
func Example() []byte { return []byte(example) }
