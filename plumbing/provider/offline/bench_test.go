package offline

import (
	"context"
	"strconv"
	"testing"
)

// BenchmarkSummary is a request of 100,000 bytes, the most there is, made of
// real transcripts, with a full prior summary; and a tenth of it, to compare.
func BenchmarkSummary(b *testing.B) {
	talks := corpus(b)
	for _, c := range []struct {
		name string
		size int
	}{{"10KB", 10_000}, {"100KB", 100_000}} {
		in, prior := Input{}, Input{}
		size := 0
		for i := len(talks) - 1; i >= 0; i-- {
			for _, r := range talks[i].records {
				n := len(line(b, r)) + 1
				if size+n <= c.size {
					in.Records = append(in.Records, r)
					size += n
				} else {
					prior.Records = append(prior.Records, r)
				}
			}
		}
		in.Prior = Summary(prior, 2048, threeBytes)
		request := compactRequest(b, in, 2048)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(request.Messages[0].Content[0].Text)))
			for b.Loop() {
				if _, err := New(Options{}).Complete(context.Background(), request, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHostile is 100,000 bytes in which every sentence is an open point,
// a report of something done and a failed command.
func BenchmarkHostile(b *testing.B) {
	var in Input
	for i := range int64(700) {
		n := strconv.FormatInt(i, 10)
		in.Records = append(in.Records,
			says(3*i+1, user, "Item "+n+" is still open in a"+n+".go."),
			calls(3*i+2, n, "bash", `{"command":"make x`+n+`"}`),
			gives(3*i+2, n, "Exit code 1\nerror: item "+n, true),
			says(3*i+3, agentRole, "Another thing, "+n+", is done."))
	}
	for b.Loop() {
		Summary(in, 2048, threeBytes)
	}
}

// BenchmarkExtract is a transcript of 16,000 bytes, the most that a request to
// learn holds, in which every message has a convention among tasks.
func BenchmarkExtract(b *testing.B) {
	var records []Record
	for size := 0; size < 16_000; {
		r := says(int64(len(records)+1), user, "Please fix the login test. We never rebase shared branches. Then bump the version to 0.9."+strconv.Itoa(len(records))+", will you?")
		size += len(line(b, r)) + 1
		records = append(records, r)
	}
	b.SetBytes(16_000)
	for b.Loop() {
		Extract(records)
	}
}
