package text

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
)

const maxRune = 0x10FFFF

// classes lists the predicates that are compared on every code point. The hash
// is of the text of 0 and 1 that CPython 3.11 (Unicode 14) answers.
var classes = []struct {
	name string // method of str
	test func(rune) bool
	hash string
}{
	{"isalpha", IsAlphaRune, "a176e18617a046f7"},
	{"isdigit", IsDigitRune, "8da815dddc7528de"},
	{"isdecimal", IsDecimalRune, "c562a19c57454c29"},
	{"isnumeric", IsNumericRune, "6c128090abcf0f78"},
	{"isalnum", IsAlnumRune, "e17f450c30cfbcba"},
	{"isspace", IsSpaceRune, "6c4eda9112d4db3c"},
	{"isupper", IsUpperRune, "494a3792b2eb7d33"},
	{"islower", IsLowerRune, "481f0daee99bd54e"},
	{"isprintable", IsPrintableRune, "4ee85060c16cbd4f"},
	{"isidentifier", IsIdentifierStart, "9360524b3e477e22"},
}

var mappings = []struct {
	name string
	conv func(string) string
	hash string
}{
	{"upper", Upper, "b3c814dae9b0ccc2"},
	{"lower", Lower, "3372ef1ac06c8f08"},
	{"title", Title, "1c41e990db1101af"},
	{"capitalize", Capitalize, "1c41e990db1101af"},
	{"swapcase", Swapcase, "bd50b0195e25726c"},
	{"casefold", Casefold, "6658e16f7089feb3"},
}

func bitmap(test func(rune) bool, lo, hi int) string {
	var b strings.Builder
	for r := lo; r < hi; r++ {
		if test(rune(r)) {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	return b.String()
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

// The hashes hold the answers of CPython, so this test needs no python3 and
// shows when a newer Go has newer Unicode tables.
func TestClassHash(t *testing.T) {
	for _, c := range classes {
		if got := hash(bitmap(c.test, 0, maxRune+1)); got != c.hash {
			t.Errorf("%s: hash %s, want %s", c.name, got, c.hash)
		}
	}
	for _, m := range mappings {
		var b strings.Builder
		for r := range rune(maxRune + 1) {
			b.WriteString(m.conv(RuneText(r)))
			b.WriteByte('\n')
		}
		if got := hash(b.String()); got != m.hash {
			t.Errorf("%s: hash %s, want %s", m.name, got, m.hash)
		}
	}
}

func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("asks python3 about every code point: not in short mode")
	}
}

// chunks covers every code point in ranges that keep the lines short.
func chunks(f func(lo, hi int)) {
	for lo := 0; lo <= maxRune; lo += 0x8000 {
		f(lo, lo+0x8000)
	}
}

func TestClassOracle(t *testing.T) {
	skipShort(t)
	var calls []call
	chunks(func(lo, hi int) {
		for _, c := range classes {
			calls = append(calls, call{"scan", []any{c.name, lo, hi}, func() any { return bitmap(c.test, lo, hi) }})
		}
		calls = append(calls,
			call{"part", []any{lo, hi}, func() any { return bitmap(IsIdentifierPart, lo, hi) }},
			call{"lines", []any{lo, hi}, func() any { return bitmap(isLineBreak, lo, hi) }},
			call{"scan", []any{"istitle", lo, hi}, func() any {
				return bitmap(func(r rune) bool { return IsTitle(RuneText(r)) }, lo, hi)
			}},
			call{"decimal", []any{lo, hi}, func() any {
				var out []any
				for r := lo; r < hi; r++ {
					out = append(out, DecimalValue(rune(r)))
				}
				return out
			}})
	})
	ask(t, calls)
}

func TestCaseOracle(t *testing.T) {
	skipShort(t)
	var calls []call
	chunks(func(lo, hi int) {
		for _, m := range mappings {
			calls = append(calls, call{"each", []any{m.name, lo, hi}, func() any {
				var out strings.Builder
				for r := lo; r < hi; r++ {
					out.WriteString(m.conv(RuneText(rune(r))) + "\n")
				}
				return out.String()
			}})
		}
		calls = append(calls, call{"sigma", []any{lo, hi}, func() any {
			var out strings.Builder
			for r := lo; r < hi; r++ {
				c := RuneText(rune(r))
				for _, text := range []string{"A" + c + "Σ", "Σ" + c + "A", "AΣ" + c, "AΣ" + c + "A"} {
					out.WriteString(Lower(text))
				}
			}
			return out.String()
		}})
	})
	ask(t, calls)
}

func TestCaseTable(t *testing.T) {
	for _, c := range []struct{ name, got, want string }{
		{"sharp s grows", Upper("straße"), "STRASSE"},
		{"title of a ligature", Title("ﬁne ŉx"), "Fine ʼNx"},
		{"final sigma", Lower("ΟΔΟΣ ΣΑΣ"), "οδος σας"},
		{"sigma alone is not final", Lower("Σ"), "σ"},
		{"dotted capital i", Lower("İ"), "i̇"},
		{"fold joins sigmas", Casefold("ΣςσẞßıĲ"), "σσσssssıĳ"},
		{"apostrophe ends a word for title", Title("they're bill's"), "They'Re Bill'S"},
		{"capitalize uses title case", Capitalize("ǆUZ"), "ǅuz"},
		{"swapcase", Swapcase("aßC ΑΣ"), "ASSc ας"},
		{"a surrogate has no case", Upper("a\xed\xa0\x80b"), "A\xed\xa0\x80B"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
}

func TestClassTable(t *testing.T) {
	for _, c := range []struct {
		name string
		got  bool
		want bool
	}{
		{"empty is not alpha", IsAlpha(""), false},
		{"empty is printable", IsPrintable(""), true},
		{"two is numeric", IsNumeric("二½²"), true},
		{"half is no digit", IsDigit("½"), false},
		{"superscript is a digit", IsDigit("²"), true},
		{"superscript is not decimal", IsDecimal("²"), false},
		{"mixed alnum", IsAlnum("aé二9"), true},
		{"istitle", IsTitle("Ab 3Cd"), true},
		{"istitle rejects", IsTitle("AB"), false},
		{"isupper needs a cased one", IsUpper("12"), false},
		{"isupper", IsUpper("A1"), true},
		{"islower", IsLower("aA"), false},
		{"titlecase letter is not upper", IsUpper("ǅ"), false},
		{"identifier", IsIdentifier("_é9"), true},
		{"identifier starts with a digit", IsIdentifier("9a"), false},
		{"identifier empty", IsIdentifier(""), false},
		{"line separator is a space", IsSpace("\u2028\x1c"), true},
		{"added in Unicode 15", IsAlpha("\U00031350"), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v", c.name, c.got)
		}
	}
}
