package agent

import "context"

// inject appends what ended in the background since the last request, each as a
// synthetic message with the generation that it began in; what is older than the
// last forget is dropped (seed: background output rejects older epochs).
func (t *turn) inject(ctx context.Context) error {
	a := t.a
	if a.d.Finished == nil {
		return nil
	}
	for _, f := range a.d.Finished() {
		now, err := a.d.Facts.Generation()
		if err != nil {
			return err
		}
		if f.Generation < now {
			a.notice("a background command ended; its output is older than the last forget and was dropped")
			continue
		}
		text := a.masked(f.Text)
		seq, err := a.append(ctx, syntheticMessage(text, f.Generation))
		if err != nil {
			return err
		}
		a.emit(Injected{Seq: seq, Text: text})
	}
	return nil
}
