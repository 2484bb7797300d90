package replay

import (
	"context"
	"io"
)

// Follow reads a record that is still being written, until it has its seal, or
// its end event and at the next look nothing after it: whenever src is at its end, it calls more,
// which returns when reading on may be worth while, and with an error to give up,
// such as the context's. After each reading that brought steps it calls
// on, which may look around. Files are read on from where they ended, as [os.File] does it.
//
// The error is the context's, more's, or one of [Playback.Extend].
func (p *Playback) Follow(ctx context.Context, src io.Reader, more func(context.Context) error, on func(*Playback)) error {
	for {
		before, ended := len(p.steps), p.end != nil
		if err := p.Extend(src); err != nil {
			return err
		}
		if (len(p.steps) > before || p.end != nil && !ended) && on != nil {
			on(p)
		}
		if p.seal != nil || ended && !p.Half() {
			return nil // the second look after the end found no seal, or there is one
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := more(ctx); err != nil {
			return err
		}
	}
}
