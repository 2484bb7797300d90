package callback

import (
	"encoding/base64"
	"strconv"
	"time"
)

// Headers of Standard Webhooks. The id is that of the message, whose every attempt
// has a timestamp and signatures of its own.
const (
	HeaderID        = "Webhook-Id"
	HeaderTimestamp = "Webhook-Timestamp" // Unix seconds
	HeaderSignature = "Webhook-Signature" // one or several, a space between two
)

const (
	signatureVersion = "v1,"
	maxSignatures    = 8 // of ours, and of those that are looked at
)

// Sign gives the value of HeaderSignature for the message of that id, as it is sent
// at that time: for each secret "v1," and the base64 of HMAC-SHA256 over
// "id.timestamp.body", the timestamp in Unix seconds (Standard Webhooks, the
// symmetric scheme). While secrets change, both the old and the new one sign. The
// id must have no full stop in it, and no secret be the zero one.
func Sign(id string, at time.Time, body []byte, secrets ...Secret) string {
	return string(appendSignatures(nil, appendSigned(nil, id, at.Unix()), body, secrets))
}

// appendSigned appends what is signed, up to the body.
func appendSigned(dst []byte, id string, unix int64) []byte {
	dst = append(append(dst, id...), '.')
	return append(strconv.AppendInt(dst, unix, 10), '.')
}

// appendSignatures appends the value of the header. signed is from appendSigned.
func appendSignatures(dst, signed, body []byte, secrets []Secret) []byte {
	for i, s := range secrets {
		if i > 0 {
			dst = append(dst, ' ')
		}
		m := s.mac(signed, body)
		dst = append(dst, signatureVersion...)
		dst = base64.StdEncoding.AppendEncode(dst, m[:])
	}
	return dst
}
