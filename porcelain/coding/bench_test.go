package coding

import (
	"fmt"
	"strings"
	"testing"
)

// A tree of 3,000 files, 12 MB, one hit in each hundredth.
func BenchmarkGrep(b *testing.B) {
	x := newBox(b)
	for i := range 3000 {
		text := strings.Repeat("some line of code that says nothing in particular\n", 80)
		if i%100 == 0 {
			text += "func needle() {}\n"
		}
		x.put(fmt.Sprintf("d%02d/f%04d.go", i%50, i), text)
	}
	x.put(".gitignore", strings.Repeat("*.log\n/build/\nvendor/**/x\n", 20))
	for name, args := range map[string]string{"literal": `{"pattern":"needle"}`, "expression": `{"pattern":"(?i)func\\s+\\w+edle\\("}`, "anchored": `{"pattern":"\\Afunc"}`} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x.must("grep", args)
			}
		})
	}
	b.Run("glob", func(b *testing.B) {
		for b.Loop() {
			x.must("glob", `{"pattern":"**/*.go"}`)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	x := newBox(b)
	x.put("f", strings.Repeat("some line of code that says nothing in particular\n", 300_000))
	for b.Loop() {
		x.read("f")
	}
}

// One line of a file of 15 MB is changed and changed back; question and answer.
func BenchmarkEdit(b *testing.B) {
	x := newBox(b)
	for _, end := range []string{"\n", "\r\n"} {
		for _, lines := range []int{100, 30_000, 300_000} {
			b.Run(fmt.Sprintf("%q/%d", end, lines), func(b *testing.B) {
				half := strings.Repeat("some line of code that says nothing in particular"+end, lines/2)
				x.put("f", half+"here"+end+half)
				x.read("f")
				for b.Loop() {
					x.must("edit", one("f", "here", "there!"))
					x.must("edit", one("f", "there!", "here"))
				}
			})
		}
	}
}
