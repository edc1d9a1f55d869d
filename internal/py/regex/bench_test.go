package regex

import (
	"strings"
	"testing"
)

// BenchmarkSearch measures the searches that programs make most.
func BenchmarkSearch(b *testing.B) {
	long := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 200) + "id=4711; mail to bob@example.com"
	for _, bench := range []struct{ name, pattern, subject string }{
		{"short", `(\w+)=(\d+)`, "id=4711"},
		{"literal", `mail`, long},
		{"digits", `\d+`, long},
		{"groups", `(\w+)@(\w+)\.com`, long},
		{"branch", `(?:cat|cow|id)=\d+`, long},
		{"ignorecase", `(?i)MAIL TO`, long},
		{"unicode", `ü\w+`, long + "über"},
		{"lazy", `brown.*?dog`, long},
		{"repeat", `(?:[a-z]+ )+=`, long[:100]},
	} {
		b.Run(bench.name, func(b *testing.B) {
			re, err := Compile(bench.pattern, 0)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := re.Match(NewSubject(bench.subject), 0, End, Search, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCompile measures a pattern with the usual parts.
func BenchmarkCompile(b *testing.B) {
	for b.Loop() {
		if _, err := Compile(`^(?P<user>[\w.+-]+)@(?P<host>[a-z0-9-]+(?:\.[a-z]{2,})+)$`, IgnoreCase); err != nil {
			b.Fatal(err)
		}
	}
}
