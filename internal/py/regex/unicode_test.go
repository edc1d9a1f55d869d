package regex

import (
	"encoding/json"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/runenames"
)

// unicodeScript answers questions about whole tables.
const unicodeScript = `
import json, re, sys, unicodedata
every = "".join(map(chr, range(0x110000)))
cased = "".join(c for c in every if c.lower() != c or c.upper() != c)
def lookup(name):
    try:
        return ord(unicodedata.lookup(name))
    except (KeyError, TypeError):
        return -1
def spans(p, s, f):
    return [x for m in re.finditer(p, s, f) for x in m.span()]
for line in sys.stdin:
    q = json.loads(line)
    if q["kind"] == "spans":
        out = spans(q["pattern"], every, q["flags"])
    elif q["kind"] == "cased":
        out = [ord(c) for c in cased]
    elif q["kind"] == "case":
        out = [spans(q["pattern"].replace("X", chr(c)), cased, q["flags"]) for c in q["chars"]]
    elif q["kind"] == "start":
        out = [i for i, c in enumerate(every) if c.isidentifier()]
    elif q["kind"] == "continue":
        out = [i for i, c in enumerate(every) if ("a" + c).isidentifier()]
    elif q["kind"] == "repr":
        out = [ord(c) for c in repr("".join(map(chr, q["chars"])))]
    elif q["kind"] == "name":
        out = [lookup(n) for n in q["names"]]
    print(json.dumps(out, separators=(",", ":")), flush=True)
`

type unicodeQuestion struct {
	Kind    string   `json:"kind"`
	Pattern string   `json:"pattern"`
	Flags   Flag     `json:"flags"`
	Names   []string `json:"names"`
	Chars   []rune   `json:"chars"`
}

// everyRune is all code points in order, surrogates included.
func everyRune() []rune {
	all := make([]rune, utf8.MaxRune+1)
	for i := range all {
		all[i] = rune(i)
	}
	return all
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// sameAnswer compares without flooding the log.
func sameAnswer(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(i-40, 0)
	t.Errorf("%s differs: got ...%.120s want ...%.120s", what, got[from:], want[from:])
}

func allSpans(t *testing.T, pattern string, flags Flag, s *Subject) []int {
	t.Helper()
	re, err := Compile(pattern, flags)
	if err != nil {
		t.Fatal(err)
	}
	all, err := re.FindAll(s, 0, End, nil)
	if err != nil {
		t.Fatal(err)
	}
	spans := []int{}
	for _, m := range all {
		spans = append(spans, m.Spans...)
	}
	return spans
}

// TestCategories compares the character classes for all code points.
func TestCategories(t *testing.T) {
	o := startPython(t, unicodeScript)
	s := NewSubject(encode(everyRune()))
	for _, pattern := range []string{`\w+`, `\W+`, `\d+`, `\D+`, `\s+`, `\S+`, `.+`, `[\w\s]+`, `[^\d]+`, `\b`,
		`[a-\uffff]+`, `[^\u0100-\U00010500]+`, `(?i)[a-z]+`, `(?i)[A-Z]+`, `(?i)[^a-z]+`, `(?i)[α-ω]+`,
		`(?i)[\u0080-\uffff]+`, `(?i)[\U00010400-\U00010410]+`, `(?i)[\u0200-\U00010400]+`,
		`(?i)[\u0391-\U00010400]+`, `(?i)[\u1fb5-\U00010400]+`, `(?i)[\u1f88-\U00010400]+`, `(?i)[\u1fc5-\U00010400]+`, `(?i)[\u1ff5-\U00010400]+`,
		`(?i)[\U0001e900\U0001e922]+`} {
		for _, flags := range []Flag{0, ASCII} {
			if flags == ASCII && pattern[0] == '[' {
				continue // the class escapes are enough
			}
			want := o.ask(t, unicodeQuestion{Kind: "spans", Pattern: pattern, Flags: flags})
			sameAnswer(t, pattern, marshal(t, allSpans(t, pattern, flags, s)), want)
		}
	}
}

// TestCase compares which characters match which regardless of case. The
// patterns have every character of interest and a sample of the others; each
// is tried on all characters that have case.
func TestCase(t *testing.T) {
	o := startPython(t, unicodeScript)
	var cased []rune
	if err := json.Unmarshal([]byte(o.ask(t, unicodeQuestion{Kind: "cased"})), &cased); err != nil {
		t.Fatal(err)
	}
	s := NewSubject(encode(cased))
	var chars []rune
	for i, c := range cased {
		if i%16 == 0 || c < 0x180 || c >= 0x370 && c < 0x3F6 || len(equivalents(unicode.ToLower(c))) > 0 {
			chars = append(chars, c)
		}
	}
	for _, pattern := range []string{"X", "[X!]", "[^X-X]"} {
		flags := IgnoreCase
		all := [][]int{}
		for _, c := range chars {
			p := ""
			for _, x := range pattern {
				if x == 'X' {
					x = c
				}
				p += encode([]rune{x})
			}
			all = append(all, allSpans(t, p, flags, s))
		}
		want := o.ask(t, unicodeQuestion{Kind: "case", Pattern: pattern, Flags: flags, Chars: chars})
		sameAnswer(t, pattern, marshal(t, all), want)
	}
}

// TestIdentifier compares the characters of names for all code points.
func TestIdentifier(t *testing.T) {
	o := startPython(t, unicodeScript)
	var start, rest []rune
	for _, c := range everyRune() {
		if isIdentifier([]rune{c}) {
			start = append(start, c)
		}
		if isIdentifier([]rune{'a', c}) {
			rest = append(rest, c)
		}
	}
	sameAnswer(t, "start", marshal(t, start), o.ask(t, unicodeQuestion{Kind: "start"}))
	sameAnswer(t, "continue", marshal(t, rest), o.ask(t, unicodeQuestion{Kind: "continue"}))
}

// TestQuote compares repr for every kind of character.
func TestQuote(t *testing.T) {
	o := startPython(t, unicodeScript)
	var text []rune
	for _, c := range everyRune() {
		if c != '"' && (c < 0x3100 || c%61 == 0 || isNewer(c) != isNewer(c+1)) {
			text = append(text, c)
		}
	}
	for _, chars := range [][]rune{text, []rune(`it's`), []rune(`"`), []rune(`'"`), {}} {
		want := o.ask(t, unicodeQuestion{Kind: "repr", Chars: chars})
		sameAnswer(t, "repr", marshal(t, decodeAll(quote(chars), false)), want)
	}
}

// TestNames looks up names of all kinds of characters.
func TestNames(t *testing.T) {
	o := startPython(t, unicodeScript)
	names := []string{"latin small letter a", "CJK UNIFIED IDEOGRAPH-4E00", "CJK UNIFIED IDEOGRAPH-20000",
		"CJK UNIFIED IDEOGRAPH-4e01", "CJK UNIFIED IDEOGRAPH-0041", "CJK UNIFIED IDEOGRAPH-", "HANGUL SYLLABLE GAG",
		"HANGUL SYLLABLE A", "HANGUL SYLLABLE HIH", "HANGUL SYLLABLE X", "NO SUCH NAME", "", " SPACE", "<control>"}
	for c := rune(0); c <= utf8.MaxRune; c += 97 {
		if n := runenames.Name(c); n != "" && n[0] != '<' {
			names = append(names, n)
		}
	}
	got := []rune{}
	for _, n := range names {
		c, ok := lookupName(n)
		if !ok {
			c = -1
		}
		got = append(got, c)
	}
	sameAnswer(t, "names", marshal(t, got), o.ask(t, unicodeQuestion{Kind: "name", Names: names}))
}
