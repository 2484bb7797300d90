package gridarena

// Texts that users must see. They stand in the answer to a match that was
// created, in replays and in the recent results, as [Notices].
const (
	TextLabels      = "Identity labels are self-reported."
	TextAttestation = "CPU and provider identity cannot be attested."
	TextSandbox     = "The local runner is no sandbox: run only programs that you trust."
)

// Notices gives the texts that users must see; the slice is the caller's.
func Notices() []string { return []string{TextLabels, TextAttestation, TextSandbox} }
