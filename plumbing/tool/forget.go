package tool

import "context"

// forget is memory_forget: {fact_id}. The answer is the receipt
// (fact.Forgotten); a retry says that nothing changed.
func forget(a *arguments, d Deps, _ Caller) action {
	id := a.text("fact_id")
	return func(ctx context.Context) (Result, error) {
		r, err := d.Facts.Forget(ctx, id)
		if err != nil {
			return Result{}, err
		}
		return object(r.Told())
	}
}
