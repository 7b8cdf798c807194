package budget

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing"
	"github.com/lecode/lecode/plumbing/canon"
	"github.com/lecode/lecode/plumbing/file"
)

// Factor is how much more a model was found to count than was estimated. It
// never takes away: what one kind of content turned out to be overestimated by
// says nothing about the next, so only the largest excess is kept, for good. The
// zero value changes nothing.
type Factor struct {
	// Permille is the largest excess met in a request of at least minObserved
	// tokens, in thousandths of the estimate, from 0 to maxPermille.
	Permille int64 `json:"permille"`
	// Offset is the largest excess met in a smaller one, in tokens: what a
	// provider adds to every request. From 0 to maxOffset.
	Offset int64 `json:"offset"`
	Seen   int64 `json:"seen"` // how many requests it was learned from
}

const (
	minObserved = 2000
	maxPermille = 3000 // a model that counts four times as much is miscounted
	maxOffset   = 4096
)

// Tokens is an estimate as this model would count it at most.
func (f Factor) Tokens(estimate int64) int64 {
	f = f.bounded()
	return estimate + (estimate*f.Permille+999)/1000 + f.Offset
}

// Observe is f after a request that was estimated at e was reported as prompt
// tokens, cached ones included. Where media are much of it nothing is learned:
// their allowance is no estimate.
func (f Factor) Observe(e Estimate, prompt int64) Factor {
	f = f.bounded()
	n := e.Tokens()
	if n <= 0 || prompt <= 0 || e.Media > n/5 {
		return f
	}
	f.Seen++
	excess := prompt - n
	switch {
	case excess <= 0:
	case n < minObserved:
		f.Offset = max(f.Offset, excess)
	default:
		f.Permille = max(f.Permille, (excess*1000+n-1)/n)
	}
	return f.bounded()
}

// bounded keeps a file that was edited, or a report that is nonsense, from making every request too large.
func (f Factor) bounded() Factor {
	return Factor{Permille: min(max(f.Permille, 0), maxPermille), Offset: min(max(f.Offset, 0), maxOffset), Seen: min(max(f.Seen, 0), 1<<53)}
}

// Calibration is the factors of all models, by "provider/model", in a file of
// <cache_dir>: lost, it is learned anew, and until then estimates are those of
// the package.
type Calibration struct {
	Cache file.Tree
}

const (
	calibrationFile = "budget/calibration.json"
	calibrationLock = "budget/calibration.lock"
	maxCalibration  = 1 << 20 // bytes of the file
	maxModels       = 1000
	calibrationWait = 2 * time.Second
	enoughSeen      = 100 // requests, after which only a new excess is written
)

type calibrations struct {
	Models  map[string]Factor `json:"models"`
	Version int               `json:"version"`
}

// Factor is what is known of a model; nothing, where the file is missing or damaged.
func (c Calibration) Factor(provider, model string) Factor {
	return c.read().Models[provider+"/"+model].bounded()
}

// read is the file; a missing, damaged or newer one is empty.
func (c Calibration) read() calibrations {
	all := calibrations{}
	if b, err := c.Cache.ReadFile(calibrationFile, maxCalibration); err == nil {
		if json.Unmarshal(b, &all) != nil || all.Version != 1 {
			all = calibrations{}
		}
	}
	if all.Models == nil {
		all.Models = map[string]Factor{}
	}
	all.Version = 1
	return all
}

// Observe learns from what a provider reported for a request that was
// estimated at e; prompt is its prompt tokens, cached ones included. It writes
// only where that changes what is known. A failure costs nothing but the lesson.
func (c Calibration) Observe(ctx context.Context, provider, model string, e Estimate, prompt int64) error {
	key := provider + "/" + model
	if before := c.read().Models[key]; before.Seen >= enoughSeen {
		after := before.Observe(e, prompt)
		if after.Permille == before.Permille && after.Offset == before.Offset {
			return nil // one more of the same is no lesson
		}
	}
	wait, stop := context.WithTimeout(ctx, calibrationWait)
	defer stop()
	lock, err := c.Cache.Lock(wait, calibrationLock, "lecode")
	if err != nil {
		return fmt.Errorf("keep what a model counts: %w", err)
	}
	defer lock.Unlock()
	if err := c.Cache.CheckFile(calibrationFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keep what a model counts: %w", err)
	}
	all := c.read()
	if _, known := all.Models[key]; !known && len(all.Models) >= maxModels {
		return plumbing.Fail(plumbing.ErrInvalid, fmt.Sprintf("%q holds %d models and takes no more", c.Cache.Path(calibrationFile), maxModels), "delete it")
	}
	all.Models[key] = all.Models[key].Observe(e, prompt)
	b, err := canon.Marshal(all)
	if err != nil {
		return err
	}
	return c.Cache.WriteCache(calibrationFile, func(w io.Writer) error {
		_, err := w.Write(append(b, '\n'))
		return err
	})
}
