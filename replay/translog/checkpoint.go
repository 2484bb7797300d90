package translog

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint is a log at one moment: how many entries it has and their root.
type Checkpoint struct {
	Origin string // the log's name
	Size   int64
	Root   [32]byte
	Note   []byte // the signed note that says so
}

// ErrCheckpoint is wrapped where a note is no checkpoint of the log, or nobody
// signed it whose key is known.
var ErrCheckpoint = errors.New("translog: not a checkpoint of this log")

// maxNote bounds a checkpoint: three lines, and a signature for each of many keys.
const maxNote = 16 << 10

// text is what is signed.
func (c *Checkpoint) text() string {
	return c.Origin + "\n" + strconv.FormatInt(c.Size, 10) + "\n" + base64.StdEncoding.EncodeToString(c.Root[:]) + "\n"
}

// OpenCheckpoint reads a signed checkpoint of the log of that name: at least one
// of the keys must have signed it. Errors wrap [ErrCheckpoint].
func OpenCheckpoint(signed []byte, origin string, keys note.Verifiers) (*Checkpoint, error) {
	if len(signed) > maxNote {
		return nil, fmt.Errorf("%w: %d bytes", ErrCheckpoint, len(signed))
	}
	n, err := note.Open(signed, keys)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCheckpoint, err)
	}
	lines := strings.SplitN(n.Text, "\n", 4)
	if len(lines) < 4 || lines[0] != origin {
		return nil, fmt.Errorf("%w: it is not of %q", ErrCheckpoint, origin)
	}
	c := &Checkpoint{Origin: origin, Note: append([]byte(nil), signed...)}
	c.Size, err = strconv.ParseInt(lines[1], 10, 64)
	if err != nil || c.Size < 0 || c.Size > maxSize || strconv.FormatInt(c.Size, 10) != lines[1] {
		return nil, fmt.Errorf("%w: its size is no number", ErrCheckpoint)
	}
	root, err := base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(root) != len(c.Root) {
		return nil, fmt.Errorf("%w: its root is no hash", ErrCheckpoint)
	}
	copy(c.Root[:], root)
	return c, nil
}

// maxSize bounds the number of entries.
const maxSize = int64(1) << 48

func (c *Checkpoint) tree() tlog.Tree { return tlog.Tree{N: c.Size, Hash: tlog.Hash(c.Root)} }

// empty is the root of no entries.
func empty() [32]byte { return sha256.Sum256(nil) }

// algorithm is the byte for Ed25519 in the keys of signed notes.
const algorithm = 1

// NoteSigner makes a signer of checkpoints from a key; name is the log's origin,
// or the name of whoever signs beside the log. It has neither spaces nor a plus.
func NoteSigner(name string, key ed25519.PrivateKey) (note.Signer, error) {
	if len(key) != ed25519.PrivateKeySize {
		return nil, errors.New("translog: not an Ed25519 key")
	}
	public := append([]byte{algorithm}, key.Public().(ed25519.PublicKey)...)
	return note.NewSigner(fmt.Sprintf("PRIVATE+KEY+%s+%s+%s", name, keyHash(name, public),
		base64.StdEncoding.EncodeToString(append([]byte{algorithm}, key.Seed()...))))
}

// NoteVerifier makes the verifier of a public key and name.
func NoteVerifier(name string, key ed25519.PublicKey) (note.Verifier, error) {
	if len(key) != ed25519.PublicKeySize {
		return nil, errors.New("translog: not an Ed25519 key")
	}
	public := append([]byte{algorithm}, key...)
	return note.NewVerifier(fmt.Sprintf("%s+%s+%s", name, keyHash(name, public), base64.StdEncoding.EncodeToString(public)))
}

func keyHash(name string, public []byte) string {
	h := sha256.Sum256(append([]byte(name+"\n"), public...))
	return fmt.Sprintf("%08x", h[:4])
}
