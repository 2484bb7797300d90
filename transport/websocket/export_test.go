package websocket

// Judging counts the readers that judge, and reports whether anybody watches them.
func (t *Transport) Judging() (readers int, watched bool) {
	return t.watch.manned(), t.watch.awake.Load()
}
