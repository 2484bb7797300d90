package gridarena

// Texts that users must see. They stand in the answer to a match that was
// created, in replays and in the recent results, as [Notices].
const (
	TextLabels      = "Names and other identity labels are self-reported."
	TextAttestation = "Neither the CPU nor the provider behind an agent can be attested."
	TextSandbox     = "The local runner is not a sandbox: start only programs that you trust."
)

// Notices gives the texts that users must see; the slice is the caller's.
func Notices() []string { return []string{TextLabels, TextAttestation, TextSandbox} }
