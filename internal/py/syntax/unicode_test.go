package syntax

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// unicodeScript prints the properties of every character as a digit (1 may begin
// an identifier, 2 may continue one, 4 is printed by repr), then "code name" lines.
const unicodeScript = `
import unicodedata
print("".join(str(chr(c).isidentifier() + 2 * ("a" + chr(c)).isidentifier() + 4 * chr(c).isprintable())
              for c in range(0x110000)))
for c in range(0x110000):
    if name := unicodedata.name(chr(c), ""):
        print(c, name)
`

func TestUnicodeMatchesCPython(t *testing.T) {
	startOracle(t) // skips if there is no Python 3.11
	out, err := exec.Command("python3", "-c", unicodeScript).Output()
	if err != nil {
		t.Fatal(err)
	}
	properties, names, _ := bytes.Cut(out, []byte("\n"))
	for c := range rune(0x110000) {
		if c >= 0xD800 && c <= 0xDFFF {
			continue // not a character in Go; no identifier and not printable
		}
		got := byte('0')
		if isXIDStart(c) {
			got |= 1
		}
		if isXIDContinue(c) {
			got |= 2
		}
		if isPrintable(c) {
			got |= 4
		}
		if got != properties[c] {
			t.Errorf("U+%04X: properties %c, want %c", c, got, properties[c])
		}
	}
	n := 0
	for line := range strings.Lines(string(names)) {
		code, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		want, _ := strconv.Atoi(code)
		// The literal \N{...} accepts fewer names than unicodedata.name returns.
		if got, ok := charByName(name); !ok || got != rune(want) {
			t.Errorf("%q: got U+%04X %v, want U+%04X", name, got, ok, want)
		}
		n++
	}
	if n < 100000 {
		t.Errorf("%d names compared, want all", n)
	}
}

// TestCharByName checks names that follow no table, and what is no name.
func TestCharByName(t *testing.T) {
	for name, want := range map[string]rune{
		"SPACE": ' ', "null": 0, "LF": '\n', "Line Feed": '\n', "vs1": 0xFE00, "VS17": 0xE0100, "VS256": 0xE01EF,
		"CJK UNIFIED IDEOGRAPH-4E00": 0x4E00, "CJK UNIFIED IDEOGRAPH-20000": 0x20000, "CJK UNIFIED IDEOGRAPH-04E00": 0x4E00,
		"HANGUL SYLLABLE GA": 0xAC00, "HANGUL SYLLABLE SSYAELG": 0xC355, "HANGUL SYLLABLE I": 0xC774,
		"greek small letter alpha": 'α',
	} {
		if got, ok := charByName(name); !ok || got != want {
			t.Errorf("%q: got U+%04X %v, want U+%04X", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "NO SUCH NAME", "VS0", "VS257", "VS01", "VS", "<control>", "CJK UNIFIED IDEOGRAPH-4e00",
		"cjk unified ideograph-4e00", "CJK UNIFIED IDEOGRAPH-FFFF", "CJK UNIFIED IDEOGRAPH-", "HANGUL SYLLABLE ", "HANGUL SYLLABLE GX",
		"hangul syllable ga", "TANGUT IDEOGRAPH-17000", "KEYCAP DIGIT ONE", "ARABIC SMALL LOW WORD SAKTA"} {
		if got, ok := charByName(name); ok {
			t.Errorf("%q: got U+%04X, want no character", name, got)
		}
	}
}
