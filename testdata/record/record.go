// Package record holds records of matches, good ones and forged ones, with what is to be found in each: test vectors for verifiers of
// docs/record-format.md.
package record

import "embed"

// Files has one folder for each version of the format: v1/manifest.json says what every record in v1 is, v1/keys.json are the keys that
// attest.
//
//go:embed v1
var Files embed.FS
