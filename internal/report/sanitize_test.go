package report

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSanitize(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain text", `C:\tmp "ok" 'fine'`, `C:\tmp "ok" 'fine'`},
		{"letters of the world", "Grüße, 日本語, हिन्दी, עברית", "Grüße, 日本語, हिन्दी, עברית"},
		{"line breaks", "a\nb\r\nc\td", `a\nb\r\nc\td`},
		{"colour", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`},
		{"window title", "\x1b]0;pwned\x07", `\x1b]0;pwned\x07`},
		{"one-byte CSI", "\u009b2J", `\u009b2J`},
		{"backspace over text", "rm\b\bls", `rm\x08\x08ls`},
		{"delete", "a\x7f", `a\x7f`},
		{"next line and separators", "a\u0085b\u2028c\u2029d", `a\u0085b\u2028c\u2029d`},
		{"right-to-left override", "a\u202etxt.exe\u202c", `a\u202etxt.exe\u202c`},
		{"isolates and marks", "\u2066x\u2069\u200e\u200f\u061c", `\u2066x\u2069\u200e\u200f\u061c`},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg", `a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg`},
		{"tag characters", "x\U000e0041\U000e007f", `x\U000e0041\U000e007f`},
		{"variation selectors", "❤\ufe0f\U000e0100", `❤\ufe0f\U000e0100`},
		{"fillers", "\u115f\u3164\uffa0\u034f", `\u115f\u3164\uffa0\u034f`},
		{"private and unassigned", "\ue000\U000f0000\u0378", `\ue000\U000f0000\u0378`},
		{"combining mark", "e\u0301", "e\u0301"},
		{"mark without a base", "\u0301e", `\u0301e`},
		{"mark after an escape", "\x1b\u0301", `\x1b\u0301`},
		{"stack of marks", "e" + strings.Repeat("\u0301", 6), "e" + strings.Repeat("\u0301", 4) + `\u0301\u0301`},
		{"not UTF-8", "a\xff\xc3(", `a\xff\xc3(`},
		{"replacement character", "\ufffd", "\ufffd"},
		{"joined emoji", "👩\u200d🚀", `👩\u200d🚀`},
	}
	for _, tt := range tests {
		if got := Sanitize(tt.in); got != tt.want {
			t.Errorf("%s: %+q gives %+q, want %+q", tt.name, tt.in, got, tt.want)
		}
	}
}

// Widths as terminals draw them; those of letters follow UAX #11.
func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "é": 1, "e\u0301": 1, "日本語": 6, "ﾊﾝ": 2, "한글": 4, "Ａ": 2,
		"😀": 2, "🇨🇭": 2, "👍🏽": 2, "कु": 1, "→": 1, "\u3000": 2,
	} {
		if got := width(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"abcdef", 0, "abcdef"}, {"abcdef", 6, "abcdef"}, {"abcdef", 5, "abcd…"}, {"abcdef", 1, "…"},
		{"日本語", 5, "日本…"}, {"日本語", 4, "日…"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"", 1, ""},
	}
	for _, tt := range tests {
		if got := truncate(tt.in, tt.limit, "…"); got != tt.want {
			t.Errorf("%q in %d columns is %q, want %q", tt.in, tt.limit, got, tt.want)
		}
	}
}

func FuzzSanitize(f *testing.F) {
	for _, seed := range []string{"", "abc", "\x1b[31m", "e\u0301\u0301", "\xff\u202e", "日本\u200d", `\u0301`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		safe := Sanitize(s)
		if !utf8.ValidString(safe) {
			t.Fatalf("%+q gives %+q, which is not UTF-8", s, safe)
		}
		for _, r := range safe {
			if hidden(r) {
				t.Fatalf("%+q gives %+q with %U", s, safe, r)
			}
		}
		if again := Sanitize(safe); again != safe {
			t.Fatalf("%+q gives %+q, then %+q", s, safe, again)
		}
		if (width(safe) == 0) != (s == "") {
			t.Fatalf("%+q gives %+q of width %d", s, safe, width(safe))
		}
		for _, r := range ASCII(safe) {
			if r < ' ' || r > '~' {
				t.Fatalf("%+q gives %U in ASCII", s, r)
			}
		}
	})
}
