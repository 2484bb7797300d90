package referee

// commit records a batch, then lets it have its effects.
func (l *Live) commit(o Output) {
	if l.err != nil {
		return
	}
	if err := l.record.append(l.ctx, o.Events); err != nil {
		l.err = err
		return
	}
	if l.c.Observe != nil {
		for i := range o.Events {
			l.c.Observe(l.m.s.ID, &o.Events[i])
		}
	}
	if l.c.Opened != nil {
		for s := range o.Open.All() {
			l.c.Opened(l.m.s.ID, s, l.m.seats[s].ask)
		}
	}
	if l.c.Ended != nil && len(o.Events) > 0 && l.m.result != nil {
		l.c.Ended(l.m.s.ID, l.m.result)
	}
	if l.onlyInline() && len(o.Effects) == 0 {
		if l.watch.any.Load() && len(o.Events) > 0 {
			stepped := l.visiblyStepped()
			l.watch.recorded(l, &o, stepped || o.Events[0].Kind == KindStart)
		}
		return // nobody to tell
	}
	l.tellLater(&o)
}
