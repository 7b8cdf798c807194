package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// row is a figure, ready to print.
type row struct{ figure, ours, baseline, ratio, aim, met string }

// table is what is printed in the end.
type table struct{ rows []row }

// print writes the rows aligned, then the footer.
func (t *table) print(w io.Writer, footer string) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "figure\tours\tbaseline\tratio\taim\tmet")
	for _, r := range t.rows {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\n", r.figure, r.ours, r.baseline, r.ratio, r.aim, r.met)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, footer)
	return err
}

// times adds a time that may be aim times the baseline's; 0 is no aim.
func (t *table) times(figure string, ours, base time.Duration, name string, aim float64) {
	ratio := float64(ours) / float64(base)
	r := row{figure: figure, ours: duration(ours), baseline: against(duration(base), name), ratio: factor(ratio), aim: "-", met: "-"}
	if aim > 0 {
		r.aim, r.met = fmt.Sprintf("<= %gx", aim), met(ratio <= aim)
	}
	t.rows = append(t.rows, r)
}

// extra adds a time that may be at most aim longer than the baseline's.
func (t *table) extra(figure string, ours, base time.Duration, name string, aim time.Duration) {
	t.rows = append(t.rows, row{
		figure: fmt.Sprintf("%s (%+d us)", figure, (ours - base).Microseconds()), ours: duration(ours),
		baseline: against(duration(base), name), ratio: factor(float64(ours) / float64(base)),
		aim: fmt.Sprintf("<= +%d us", aim.Microseconds()), met: met(ours-base <= aim),
	})
}

// most adds a time that may be at most aim, whatever the baseline's is.
func (t *table) most(figure string, ours, base time.Duration, name string, aim time.Duration) {
	t.rows = append(t.rows, row{
		figure: figure, ours: duration(ours), baseline: against(duration(base), name), ratio: factor(float64(ours) / float64(base)),
		aim: "<= " + aim.String(), met: met(ours <= aim),
	})
}

// share adds a part of one core that may be at most aim.
func (t *table) share(figure string, ours, aim float64) {
	t.rows = append(t.rows, row{
		figure: figure, ours: fmt.Sprintf("%.2f %%", 100*ours), baseline: "0 (a program that sleeps)", ratio: "-",
		aim: fmt.Sprintf("<= %g %%", 100*aim), met: met(ours <= aim),
	})
}

// speed adds how fast size bytes are read. The aim is in MB a second of one
// core, so processor time decides, and the clock is shown beside it.
func (t *table) speed(figure string, size int64, ours, base, cpu time.Duration, name string, aim float64) {
	t.rows = append(t.rows, row{
		figure: figure, ours: fmt.Sprintf("%s, %.0f MB/s, %.0f a core", duration(ours), perSecond(size, ours), perSecond(size, cpu)),
		baseline: against(fmt.Sprintf("%s, %.0f MB/s", duration(base), perSecond(size, base)), name),
		ratio:    factor(float64(ours) / float64(base)),
		aim:      fmt.Sprintf(">= %g MB/s a core", aim), met: met(perSecond(size, cpu) >= aim),
	})
}

// memory adds a peak in KiB; the aim is 64 MiB and twice the largest record, in bytes.
func (t *table) memory(figure string, ours, base, largest int64) {
	aim := 64 + 2*float64(largest)/(1<<20)
	t.rows = append(t.rows, row{
		figure: figure, ours: mebibytes(ours), baseline: against(mebibytes(base), "lecode slug"),
		ratio: factor(float64(ours) / float64(base)),
		aim:   fmt.Sprintf("<= %.0f MiB", aim), met: met(float64(ours)/1024 <= aim),
	})
}

// missing adds a figure that could not be taken.
func (t *table) missing(figure string, why error) {
	t.rows = append(t.rows, row{figure: figure, ours: why.Error(), baseline: "-", ratio: "-", aim: "-", met: "-"})
}

func met(yes bool) string {
	if yes {
		return "yes"
	}
	return "NO"
}

func against(figure, name string) string { return fmt.Sprintf("%s (%s)", figure, name) }

func factor(x float64) string { return fmt.Sprintf("%.2fx", x) }

func mebibytes(kib int64) string { return fmt.Sprintf("%.1f MiB", float64(kib)/1024) }

// perSecond is in MB, of a million bytes.
func perSecond(size int64, d time.Duration) float64 { return float64(size) / 1e6 / d.Seconds() }

func duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d us", d.Microseconds())
	case d < time.Second:
		return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
