package replay

import (
	"crypto"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/matchreferee/arena/internal/jsontext"
)

// Attestation is what a signer vouches for: that these are the events of the
// match, all of them and in this order. As JSON it is the object of section 15
// of Arena Protocol 1.1 with two members more, "events" and "head".
type Attestation struct {
	Root      [32]byte // battle_hash: the Merkle root over the events
	Events    int64
	Head      [32]byte // leaf hash of the last event
	SignedAt  int64    // by the signer's clock, Unix seconds
	KeyID     string   // public_key_id
	VerifyURL string   // where the signer answers questions about the match; "" for nowhere
	Signature [ed25519.SignatureSize]byte

	text []byte // what is signed
	raw  string
}

// JSON is the attestation as it was read: canonical, with its signature and with
// members that are not known here; "" for one that was not read.
func (a *Attestation) JSON() string { return a.raw }

var (
	// ErrAttestation is wrapped where something is no attestation, or is one of
	// another record.
	ErrAttestation = errors.New("replay: not an attestation of this record")
	// ErrUnattested says that a record has no attestation.
	ErrUnattested = errors.New("replay: nobody attests to the record")
)

// ParseAttestation reads one attestation in canonical form, without judging its
// signature. Members that are not known are read over; they are signed with the
// rest. Errors wrap [ErrAttestation].
func ParseAttestation(raw []byte) (Attestation, error) {
	var a Attestation
	members, text, signature, err := unsigned(raw)
	if err == nil {
		a.text, a.raw, a.Signature = text, string(raw), [ed25519.SignatureSize]byte(signature)
		err = a.read(members)
	}
	if err != nil {
		return Attestation{}, fmt.Errorf("%w: %w", ErrAttestation, err)
	}
	return a, nil
}

// maxSeconds bounds times, far beyond any calendar.
const maxSeconds = int64(1) << 53

func (a *Attestation) read(o jsontext.Members) (err error) {
	if a.Root, err = hash(o, "battle_hash"); err != nil {
		return err
	}
	if a.Head, err = hash(o, "head"); err != nil {
		return err
	}
	if a.Events, err = o.Int("events", MaxLines); err != nil {
		return err
	}
	if a.SignedAt, err = o.Int("signed_at", maxSeconds); err != nil {
		return err
	}
	if a.KeyID, err = o.Text("public_key_id"); err != nil {
		return err
	}
	if err := validKeyID(a.KeyID); err != nil {
		return fmt.Errorf("public_key_id: %w", err)
	}
	if o.Has("verify_url") {
		a.VerifyURL, err = o.Text("verify_url")
	}
	return err
}

// Attestations gives what a seal holds, in its order; none without signers. They
// are read and not judged: see [Keys.Check].
func (s *Seal) Attestations() ([]Attestation, error) {
	raw, err := s.attestations()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAttestation, err)
	}
	var all []Attestation
	for _, r := range raw {
		a, err := ParseAttestation([]byte(r))
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// Check judges the attestations of a record that [Verify] found complete:
// each has to be by a key of the set that was good then, over these very events.
// It gives all of them, or an error: what Report.Err says of a record that is not
// complete, [ErrUnattested], or what is wrong with the first one that is not good,
// which wraps one of ErrAttestation, ErrKeyUnknown, ErrKeyRevoked,
// ErrKeyPeriod and ErrSignature.
//
// When something was signed is the signer's word. Who stole a key that was
// revoked since can give an earlier time: only a log of what was signed, kept by
// others, shows that.
func (s *Keys) Check(r *Report) ([]Attestation, error) {
	if err := r.Err(); err != nil && !errors.Is(err, ErrUnknownRules) {
		return nil, err
	}
	if r.Seal == nil || r.Seal.Attestation == nil {
		return nil, ErrUnattested
	}
	all, err := r.Seal.Attestations()
	if err != nil {
		return nil, err
	}
	for i := range all {
		a := &all[i]
		if err := s.verify(a.KeyID, a.SignedAt, a.text, a.Signature[:]); err != nil {
			return nil, err
		}
		switch {
		case a.Events != r.Events:
			return nil, fmt.Errorf("%w: it is about %d events, there are %d", ErrAttestation, a.Events, r.Events)
		case a.Head != r.Head:
			return nil, fmt.Errorf("%w: its head is not the last event", ErrAttestation)
		case a.Root != r.Root:
			return nil, fmt.Errorf("%w: its battle_hash is not the root of the events", ErrAttestation)
		}
	}
	return all, nil
}

// KeySigner attests with an Ed25519 key. Safe for concurrent use if Key and Now are.
type KeySigner struct {
	ID  string           // the key's id, as in PublicKey
	Key crypto.Signer    // an ed25519.PrivateKey, or one that is kept elsewhere
	URL string           // becomes verify_url, the match's id in place of {id}: printable ASCII, at most 1024 characters; "" leaves it out
	Now func() time.Time // tells when it signs: time.Now, as a rule; required
}

// Validate says which fields cannot be used; call it once, before matches end.
func (k *KeySigner) Validate() error {
	if k == nil {
		return errors.New("replay: KeySigner: there is none")
	}
	var errs []error
	if err := validKeyID(k.ID); err != nil {
		errs = append(errs, fmt.Errorf("replay: KeySigner: ID: %w", err))
	}
	if _, err := k.public(); err != nil {
		errs = append(errs, fmt.Errorf("replay: KeySigner: Key: %w", err))
	}
	if k.URL != "" {
		if err := printableASCII(k.URL, 1024); err != nil {
			errs = append(errs, fmt.Errorf("replay: KeySigner: URL: %w", err))
		}
	}
	if k.Now == nil {
		errs = append(errs, errors.New("replay: KeySigner: Now: there is no clock"))
	}
	return errors.Join(errs...)
}

// Public is the key for those who check, good from the beginning and for ever;
// it has no Key where the signer has none that can be used.
func (k *KeySigner) Public() PublicKey {
	public, _ := k.public()
	return PublicKey{ID: k.ID, Key: public}
}

func (k *KeySigner) public() (ed25519.PublicKey, error) {
	if k.Key == nil {
		return nil, errors.New("there is none")
	}
	if private, ok := k.Key.(ed25519.PrivateKey); ok && len(private) != ed25519.PrivateKeySize {
		return nil, fmt.Errorf("%d bytes, not %d", len(private), ed25519.PrivateKeySize)
	}
	public, ok := k.Key.Public().(ed25519.PublicKey)
	if !ok || len(public) != ed25519.PublicKeySize {
		return nil, errors.New("not an Ed25519 key")
	}
	return public, nil
}

// time reads the clock, in Unix seconds.
func (k *KeySigner) time() (int64, error) {
	at := k.Now().Unix()
	if at < 0 || at > maxSeconds {
		return 0, fmt.Errorf("replay: KeySigner: Now: it is %d seconds since 1970, which is no time to sign", at)
	}
	return at, nil
}

// Sign implements [Signer].
func (k *KeySigner) Sign(match string, s *Seal) (json.RawMessage, error) {
	if err := k.Validate(); err != nil {
		return nil, err
	}
	at, err := k.time()
	if err != nil {
		return nil, err
	}
	var st statement
	st.text("battle_hash", sha256Prefix+hex.EncodeToString(s.Root[:]))
	st.int("events", s.Count)
	st.text("head", sha256Prefix+hex.EncodeToString(s.Head[:]))
	st.int("signed_at", at)
	st.text("public_key_id", k.ID)
	if k.URL != "" {
		st.text("verify_url", expand(k.URL, match))
	}
	return st.sign(k.Key)
}
