package pyfuzz

import (
	"strings"
	"testing"
	"testing/fstest"
)

func TestGrammar(t *testing.T) {
	if _, err := parseFiles(grammarFiles); err != nil {
		t.Fatal(err)
	}
}

func TestGrammarErrors(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"unknown hole", "weight 1\nexpr a 1\n    <nope>\n", "nothing fills <nope>"},
		{"unknown hole in a choice", "weight 1\nstmt a 1\n    «x|<nope>»\n", "nothing fills <nope>"},
		{"no weight", "expr a 1\n    1\n", "no weight"},
		{"twice", "weight 1\nexpr a 1\n    1\nstmt a 1\n    2\n", "twice"},
		{"open choice", "weight 1\nexpr a 1\n    «1|2\n", "« without »"},
		{"empty range", "weight 1\nexpr a 1\n    <3..2>\n", "empty range"},
		{"empty body", "weight 1\nexpr a 1\n", "empty body"},
		{"bad weight", "expr a zero\n    1\n", "bad weight"},
		{"body first", "    1\n", "body without a heading"},
		{"unknown section", "what a\n    1\n", "unknown section"},
	} {
		_, err := parseFiles(fstest.MapFS{"grammar/x.txt": {Data: []byte(tc.text)}})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: error %v, want %q", tc.name, err, tc.want)
		}
	}
}

// FuzzTemplate checks that any template either is refused or expands.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"<int> + <str*>", "«a|<1..3>|$x»", "$$ <b> «", "x<-1..-3>»|", "«««a»|»»", "<int+>$_ü"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		nodes, err := parseTemplate(text)
		if err != nil || loadGrammar().checkNodes(nodes) != nil {
			return
		}
		g := newGen(1)
		if g.fill(nodes, 1, map[string]string{}) != newGen(1).fill(nodes, 1, map[string]string{}) {
			t.Errorf("%q expands in two ways", text)
		}
	})
}

func TestHasComma(t *testing.T) {
	for text, want := range map[string]bool{
		"1, 2": true, "f(1, 2)": false, "[1, 2]": false, "'a,b'": false, `'\',', 1`: true, `"," + x`: false, "(1, 2), 3": true, "": false,
	} {
		if got := hasComma(text); got != want {
			t.Errorf("hasComma(%q) = %v", text, got)
		}
	}
}
