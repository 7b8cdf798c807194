package memory

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/lecode/lecode/plumbing/fact"
)

// forget calls memory_forget and shows its receipt. It asks nothing (seed).
func forget(ctx context.Context, d Deps, args []string) (Answer, error) {
	answer, err := d.tool(ctx, nil, "memory_forget", struct {
		FactID string `json:"fact_id"`
	}{args[0]})
	if err != nil {
		return Answer{}, err
	}
	var receipt fact.Receipt
	if err := json.Unmarshal([]byte(answer), &receipt); err != nil {
		return Answer{}, fmt.Errorf("read the receipt of memory_forget: %w", err)
	}
	return Answer{Value: receipt, print: func(p *page) { p.forgotten(receipt) }}, nil
}

// forgotten tells a receipt in words.
func (p *page) forgotten(r fact.Receipt) {
	if !r.Changed {
		p.line("", "", fmt.Sprintf("%s was forgotten before; nothing changed (generation %d).", r.FactID, r.Generation), "")
		return
	}
	p.line("", "  ", fmt.Sprintf("forgot %s, %s", r.FactID, counted(r.Revisions, "revision")), bold)
	p.line("excluded for good: ", "  ", positions(r.Positions), "")
	p.line("", "  ", fmt.Sprintf("generation: %d, before %d; what a model said until now is not used again in this project", r.Generation, r.GenerationBefore), "")
	if len(r.Remains) > 0 {
		p.line("", "", "still on disk:", "")
		for _, what := range r.Remains {
			p.line("  - ", "    ", oneLine(what), "")
		}
	}
	p.line("", "  ", "to check: lecode fsck --forgotten", dim)
}

// positions writes what was excluded, session by session.
func positions(list []fact.Position) string {
	said := ""
	for i := 0; i < len(list); {
		var seqs []int64
		id := list[i].SessionID
		for ; i < len(list) && list[i].SessionID == id; i++ {
			seqs = append(seqs, list[i].Seq)
		}
		if said != "" {
			said += "; "
		}
		said += "session " + oneLine(id) + ", " + Records(seqs)
	}
	if said == "" {
		return "nothing (the fact stood on nothing)"
	}
	return said
}
