package report

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	tests := []struct {
		line  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"one two three", 20, []string{"one two three"}},
		{"one two three", 7, []string{"one two ", "three"}},
		{"one  two", 4, []string{"one  ", "two"}},
		{"abcdefgh", 3, []string{"abc", "def", "gh"}},
		{"a bcdefg", 4, []string{"a ", "bcde", "fg"}},
		{"    indented words", 12, []string{"    indented ", "words"}},
		{"      abcdefgh", 8, []string{"      ab", "cdefgh"}},
		{"日本語エージェント", 10, []string{"日本語エー", "ジェント"}},
		{"日本語", 1, []string{"日", "本", "語"}},
		{"x日本", 4, []string{"x日", "本"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
	}
	for _, tt := range tests {
		got := Wrap(tt.line, tt.width)
		if strings.Join(got, "|") != strings.Join(tt.want, "|") {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.line, tt.width, got, tt.want)
		}
	}
}

// A terminal of 100 columns tore the rows of a run's tables in two. A table that
// does not fit is written in parts, and each part can be read by itself.
func TestWideTableIsFolded(t *testing.T) {
	table := &Table{Title: "a title of five words", Keys: 1, Notes: []string{"a note that is longer than the table"}}
	for _, h := range []string{"agent", "first", "second", "third"} {
		table.Columns = append(table.Columns, Column{Header: h, Align: Right})
	}
	table.Rows = [][]Cell{{Text("react"), Int(1), Int(2), Int(3)}, {Text("日本"), Int(4), Int(5), Int(6)}}
	tests := []struct {
		width int
		want  string
	}{
		{0, "a title of five words\n\nagent  first  second  third\n─────  ─────  ──────  ─────\nreact      1       2      3\n 日本      4       5      6\n\na note that is longer than the table\n"},
		{27, "a title of five words\n\nagent  first  second  third\n─────  ─────  ──────  ─────\nreact      1       2      3\n 日本      4       5      6\n\na note that is longer than\nthe table\n"},
		{20, "a title of five\nwords\n\nagent  first  second\n─────  ─────  ──────\nreact      1       2\n 日本      4       5\n\nagent  third\n─────  ─────\nreact      3\n 日本      6\n\na note that is\nlonger than the\ntable\n"},
	}
	for _, tt := range tests {
		var out strings.Builder
		if err := table.WriteText(&out, TextOptions{Width: tt.width}); err != nil {
			t.Fatal(err)
		}
		if out.String() != tt.want {
			t.Errorf("in %d columns:\n%s\nwant:\n%s", tt.width, out.String(), tt.want)
		}
	}
	// Where the first column leaves no room beside it, it is not repeated.
	table.Title, table.Notes = "", nil
	var out strings.Builder
	if err := table.WriteText(&out, TextOptions{Width: 10}); err != nil || !strings.HasPrefix(out.String(), "agent\n─────\nreact\n 日本\n\nfirst\n") || strings.Count(out.String(), "agent") != 1 {
		t.Errorf("error %v; in a very narrow terminal:\n%s", err, out.String())
	}
}
