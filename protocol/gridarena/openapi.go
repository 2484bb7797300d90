package gridarena

// OpenAPI gives the description of the API, an OpenAPI 3.1 document in YAML
// ([OpenAPIType]). server is the path under which a host has it; "": that of the
// format's document, /api/benchmarks.
func OpenAPI(server string) string { panic("soon") }

// OpenAPIType is the content-type of [OpenAPI] (RFC 9512).
const OpenAPIType = "application/yaml"

// Example is an observation to try a client with: a fixture, no live match. The copy is the caller's.
func Example() []byte { panic("soon") }
