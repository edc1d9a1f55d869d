package regex

import (
	"fmt"
	"strings"
	"testing"
)

// matchTable holds what search finds in a subject: the spans of all groups,
// "-" for one that took no part, then lastindex. Python gave these answers;
// TestMatchTable has it confirm them when it is there.
var matchTable = []struct{ pattern, flags, subject, want string }{
	// The first alternative that leads to a match wins, not the longest.
	{`a|ab|abc`, "", "abc", "0-1"},
	// Greedy, lazy and possessive.
	{`a{2,3}`, "", "aaaa", "0-3"},
	{`a{2,3}?`, "", "aaaa", "0-2"},
	{`a{,2}`, "", "aaaa", "0-2"},
	{`a++a`, "", "aaaa", "none"},
	{`a?+b`, "", "ab", "0-2"},
	{`(?:ab){1,2}+ab`, "", "ababab", "0-6"},
	{`(?>a*)a`, "", "aaa", "none"},
	{`(?>a|ab)c`, "", "abc", "none"},
	// A group keeps its last iteration.
	{`(?:(a)|b)*`, "", "ab", "0-2 0-1 last 1"},
	{`(?:(a)|(b)|(c))+`, "", "abca", "0-4 3-4 1-2 2-3 last 1"},
	{`((a)|b)*?c`, "", "abc", "0-3 1-2 0-1 last 1"},
	// An empty iteration ends a repeat.
	{`(a?)*`, "", "aab", "0-2 2-2 last 1"},
	{`(a*)+`, "", "b", "0-0 0-0 last 1"},
	{`(?:a?)*?b`, "", "aab", "0-3"},
	{`(|a)+`, "", "aaa", "0-0 0-0 last 1"},
	// Backtracking restores groups inside a repeat.
	{`(?:(a)b|ab)+c`, "", "ababc", "0-5 2-3 last 1"},
	{`(?:(a)(b)?)+`, "", "aba", "0-3 2-3 1-2 last 1"},
	{`(a(b)?)+?$`, "", "aba", "0-3 2-3 1-2 last 1"},
	// Lookahead keeps its groups, negative lookahead drops them.
	{`(?=(a+))a*b\1`, "", "baaabac", "3-6 3-4 last 1"},
	{`(?!(a)b)(.)`, "", "ab", "1-2 - 1-2 last 2"},
	{`(?<=(a)b)c`, "", "abc", "2-3 0-1 last 1"},
	{`(?<!a)b`, "", "abb", "2-3"},
	{`(?<=a|b)c`, "", "bc", "1-2"},
	{`(?<=^)a`, "m", "\na", "1-2"},
	// Backreferences.
	{`(a*)b\1`, "", "aabaa", "0-5 0-2 last 1"},
	{`(?P<q>[\'"]).*?(?P=q)`, "", "say \"it's\"", "4-10 4-5 last 1"},
	{`(a)|b\1`, "", "b", "none"},
	{`(Σ)\1`, "i", "Σς", "none"},
	{`(Σ)\1`, "i", "ΣσΣ", "0-2 0-1 last 1"},
	// Conditionals.
	{`(<)?a(?(1)>|!)`, "", "<a>", "0-3 0-1 last 1"},
	{`(<)?a(?(1)>|!)`, "", "a!", "0-2 -"},
	{`(?P<o><)?a(?(o)>)`, "", "<a", "1-2 -"},
	// Lines and ends.
	{`^b$`, "m", "a\nb\nc", "2-3"},
	{`a$`, "", "a\n", "0-1"},
	{`a\Z`, "", "a\n", "none"},
	{`$`, "m", "a\n", "1-1"},
	{`.*`, "", "a\nb", "0-1"},
	{`.*`, "s", "a\nb", "0-3"},
	{`\Bb\B`, "", "abc", "1-2"},
	{`\B`, "", "", "none"},
	{`\bé\b`, "", "é", "0-1"},
	{`\bé\b`, "a", "é", "none"},
	// Verbose.
	{" a # comment\n [ ] \\  b", "x", "a  b", "0-4"},
	{`(?x: a b ) c`, "", "ab c", "0-4"},
	// Sets.
	{`[]a]+`, "", "a]", "0-2"},
	{`[^]a]`, "", "a]b", "2-3"},
	{`[a\]-]+`, "", "-]a", "0-3"},
	{`[\w-]+`, "", "a-b c", "0-3"},
	{`[\s\S]`, "", "\n", "0-1"},
	{`[^\W\d]+`, "", "12ab", "2-4"},
	{`[[a]+`, "", "[a", "0-2"},
	// Escapes.
	{`\x41\u0042\U00000043\104\0\07`, "", "ABCD\x00\x07", "0-6"},
	{`[\b]`, "", "\x08", "0-1"},
	{`\N{LATIN SMALL LETTER E WITH ACUTE}`, "", "é", "0-1"},
	// A brace that is no quantifier.
	{`a{,x}`, "", "a{,x}", "0-5"},
	{`{}`, "", "{}", "0-2"},
	{`x{1`, "", "x{1", "0-3"},
	{`a{2}{`, "", "aa{", "0-3"},
	// {,} is a quantifier.
	{`a{,}`, "", "aaa", "0-3"},
	// Case.
	{`straße`, "i", "STRAßE", "0-6"},
	{`straße`, "i", "STRAẞE", "0-6"},
	{`s`, "i", "ſ", "0-1"},
	{`K`, "i", "k", "0-1"},
	{`k`, "i", "\u212a", "0-1"},
	{`i`, "i", "İ", "0-1"},
	{`ı`, "i", "I", "0-1"},
	{`[a-z]`, "i", "ſ", "0-1"},
	{`[a-z]`, "ia", "ſ", "none"},
	{`[^s]`, "i", "ſ", "none"},
	{`\u0345`, "i", "Ι", "0-1"},
	{`[\U00010400x]`, "i", "𐐨", "none"},
	{`[\U00010400-\U00010401]`, "i", "𐐨", "0-1"},
	{`(?i:a)b`, "", "Ab", "0-2"},
	{`(?i:a)b`, "", "AB", "none"},
	{`(?-i:a)b`, "i", "aB", "0-2"},
	{`(?a:\w)\w`, "", "éa", "none"},
	{`(?a:\w)\w`, "", "aé", "0-2"},
	// Global flags at the start.
	{`(?im)^A`, "", "b\na", "2-3"},
	// Digits and spaces of all scripts.
	{`\d+`, "", "x٣४", "1-3"},
	{`\d+`, "a", "x٣4", "2-3"},
	{`\s+`, "", "a\x1c\u2028\u3000", "1-4"},
	{`\s+`, "a", "a\x1c b", "2-3"},
	{`\w+`, "", "²½Ⅷ㊀_", "0-5"},
	// Lone surrogates are characters.
	{"\xed\xa0\x80", "", "a\xed\xa0\x80", "1-2"},
	{"[\xed\xa0\x80-\xed\xbf\xbf]+", "", "\xed\xa0\xbd\xed\xb8\x80", "0-2"},
	{`.`, "", "😀", "0-1"},
	// Comments.
	{`a(?#x)b`, "", "ab", "0-2"},
	{`a(?#x)+b`, "", "aab", "0-3"},
	// Nested quantifiers of groups.
	{`(?:(?:a{2}){2}){2}`, "", "aaaaaaaaa", "0-8"},
	{`(?:a*)*`, "", "aaa", "0-3"},
	{`((a)(b)?)*`, "", "aab", "0-3 1-3 1-2 2-3 last 1"},
}

// errorTable holds patterns and the message Python has for them.
var errorTable = []struct{ pattern, want string }{
	{`[a`, `unterminated character set at position 0`},
	{`[`, `unterminated character set at position 0`},
	{`[a-`, `unterminated character set at position 0`},
	{`[^`, `unterminated character set at position 0`},
	{`[z-a]`, `bad character range z-a at position 1`},
	{`[\w-a]`, `bad character range \w-a at position 1`},
	{`[a-\d]`, `bad character range a-\d at position 1`},
	{`*`, `nothing to repeat at position 0`},
	{`a|*`, `nothing to repeat at position 2`},
	{`^*`, `nothing to repeat at position 1`},
	{`a**`, `multiple repeat at position 2`},
	{`a+*`, `multiple repeat at position 2`},
	{`a{2}{3}`, `multiple repeat at position 4`},
	{`(?i)*`, `nothing to repeat at position 4`},
	{`a{2,1}`, `min repeat greater than max repeat at position 2`},
	{`(`, `missing ), unterminated subpattern at position 0`},
	{`a(b`, `missing ), unterminated subpattern at position 1`},
	{`(?:a`, `missing ), unterminated subpattern at position 0`},
	{`(?=a`, `missing ), unterminated subpattern at position 0`},
	{`a)`, `unbalanced parenthesis at position 1`},
	{`(?`, `unexpected end of pattern at position 2`},
	{`(?x`, `missing -, : or ) at position 3`},
	{`(?P`, `unexpected end of pattern at position 3`},
	{`(?Px`, `unknown extension ?Px at position 1`},
	{`(?P<`, `missing group name at position 4`},
	{`(?P<>a)`, `missing group name at position 4`},
	{`(?P<a`, `missing >, unterminated name at position 4`},
	{`(?P<1>a)`, `bad character in group name '1' at position 4`},
	{`(?P<a b>c)`, `bad character in group name 'a b' at position 4`},
	{`(?P=a)`, `unknown group name 'a' at position 4`},
	{`(?P=`, `missing group name at position 4`},
	{`(?P<a>x(?P=a))`, `cannot refer to an open group at position 11`},
	{`(?P<a>x)(?P<a>y)`, `redefinition of group name 'a' as group 2; was group 1 at position 12`},
	{`\2`, `invalid group reference 2 at position 1`},
	{`(a)\2`, `invalid group reference 2 at position 4`},
	{`(a\1)`, `cannot refer to an open group at position 2`},
	{`\q`, `bad escape \q at position 0`},
	{`[\q]`, `bad escape \q at position 1`},
	{`\`, `bad escape (end of pattern) at position 0`},
	{`a\`, `bad escape (end of pattern) at position 1`},
	{`\x1`, `incomplete escape \x1 at position 0`},
	{`\u12`, `incomplete escape \u12 at position 0`},
	{`\U0001`, `incomplete escape \U0001 at position 0`},
	{`\U00110000`, `bad escape \U00110000 at position 0`},
	{`\400`, `octal escape value \400 outside of range 0-0o377 at position 0`},
	{`[\400]`, `octal escape value \400 outside of range 0-0o377 at position 1`},
	{`[\8]`, `bad escape \8 at position 1`},
	{`\N`, `missing { at position 2`},
	{`\N{`, `missing character name at position 3`},
	{`\N{}`, `missing character name at position 3`},
	{`\N{NO SUCH}`, `undefined character name 'NO SUCH' at position 0`},
	{`(?(`, `missing group name at position 3`},
	{`(?(1`, `missing ), unterminated name at position 3`},
	{`(?()a)`, `missing group name at position 3`},
	{`(?(0)a)`, `bad group number at position 3`},
	{`(?(1)a)`, `invalid group reference 1 at position 3`},
	{`(?(9)a)`, `invalid group reference 9 at position 3`},
	{`(?(x)a)`, `unknown group name 'x' at position 3`},
	{`(?(1x)a)`, `bad character in group name '1x' at position 3`},
	{`(?(-1)a)`, `bad character in group name '-1' at position 3`},
	{`(a)(?(1)b|c|d)`, `conditional backref with more than two branches at position 11`},
	{`(?<=a*)`, `look-behind requires fixed-width pattern`},
	{`(?<!a|bc)`, `look-behind requires fixed-width pattern`},
	{`(?<a)`, `unknown extension ?<a at position 1`},
	{`(?<`, `unexpected end of pattern at position 3`},
	{`(?<=(a)\1)`, `cannot refer to group defined in the same lookbehind subpattern at position 9`},
	{`((?<=\1)a)`, `cannot refer to an open group at position 5`},
	{`a(?i)`, `global flags not at the start of the expression at position 1`},
	{`(?i`, `missing -, : or ) at position 3`},
	{`(?iz)`, `unknown flag at position 3`},
	{`(?i-`, `missing flag at position 4`},
	{`(?i-z:a)`, `unknown flag at position 4`},
	{`(?i-i:a)`, `bad inline flags: flag turned on and off at position 5`},
	{`(?-a:a)`, `bad inline flags: cannot turn off flags 'a', 'u' and 'L' at position 4`},
	{`(?-:a)`, `missing flag at position 3`},
	{`(?ua:a)`, `bad inline flags: flags 'a', 'u' and 'L' are incompatible at position 4`},
	{`(?L)`, `bad inline flags: cannot use 'L' flag with a str pattern at position 3`},
	{`(?#a`, `missing ), unterminated comment at position 0`},
	{`(?q)`, `unknown extension ?q at position 1`},
	{`(?é)`, `unknown extension ?é at position 1`},
	{"a\n(", `missing ), unterminated subpattern at position 2 (line 2, column 1)`},
	{`(?t)a*`, `internal: unsupported template operator MAX_REPEAT`},
	{`(?t:a)`, `bad inline flags: cannot turn on global flag at position 3`},
	{`(?-t:a)`, `bad inline flags: cannot turn off global flag at position 4`},
	{`x{99999999999}`, `the repetition number is too large`},
	{`\UFFFFFFFF`, `Python int too large to convert to C int`},
}

// templateErrorTable holds templates for (a)(?P<n>b)? and Python's messages.
var templateErrorTable = []struct{ template, want string }{
	{`\`, `bad escape (end of pattern) at position 0`},
	{`\3`, `invalid group reference 3 at position 1`},
	{`\g`, `missing < at position 2`},
	{`\g<`, `missing group name at position 3`},
	{`\g<>`, `missing group name at position 3`},
	{`\g<1`, `missing >, unterminated name at position 3`},
	{`\g<3>`, `invalid group reference 3 at position 3`},
	{`\g<x>`, `unknown group name 'x'`},
	{`\g<1x>`, `bad character in group name '1x' at position 3`},
	{`\g<-1>`, `bad character in group name '-1' at position 3`},
	{`\q`, `bad escape \q at position 0`},
	{`\777`, `octal escape value \777 outside of range 0-0o377 at position 0`},
	{`\99`, `invalid group reference 99 at position 1`},
	{`\g<99999999999>`, `invalid group reference 99999999999 at position 3`},
	{"\n\\g<", `missing group name at position 4 (line 2, column 4)`},
}

func parseFlags(letters string) Flag {
	var f Flag
	for _, c := range letters {
		f |= flagOf(token(c))
	}
	return f
}

func describe(m *Match) string {
	if m == nil {
		return "none"
	}
	var parts []string
	for g := 0; g <= m.Regexp.NumGroups(); g++ {
		start, end := m.Span(g)
		if start < 0 {
			parts = append(parts, "-")
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", start, end))
		}
	}
	if m.LastIndex > 0 {
		parts = append(parts, fmt.Sprint("last ", m.LastIndex))
	}
	return strings.Join(parts, " ")
}

func TestMatchTable(t *testing.T) {
	for _, row := range matchTable {
		re, err := Compile(row.pattern, parseFlags(row.flags))
		if err != nil {
			t.Errorf("%q: %v", row.pattern, err)
			continue
		}
		m, err := re.Match(NewSubject(row.subject), 0, End, Search, nil)
		if err != nil {
			t.Errorf("%q: %v", row.pattern, err)
		} else if got := describe(m); got != row.want {
			t.Errorf("%q flags %q on %q: got %s, want %s", row.pattern, row.flags, row.subject, got, row.want)
		}
	}
}

func TestErrorTable(t *testing.T) {
	for _, row := range errorTable {
		if _, err := Compile(row.pattern, 0); err == nil || err.Error() != row.want {
			t.Errorf("%q: got %v, want %s", row.pattern, err, row.want)
		}
	}
	re := mustCompile(t, `(a)(?P<n>b)?`, 0)
	for _, row := range templateErrorTable {
		if _, err := ParseTemplate(row.template, re); err == nil || err.Error() != row.want {
			t.Errorf("template %q: got %v, want %s", row.template, err, row.want)
		}
	}
}

// TestTableInPython has Python confirm the tables above, with all the ways to
// apply a pattern.
func TestTableInPython(t *testing.T) {
	o := startPython(t, oracleScript)
	ask := func(pattern, subject, template string, flags Flag) {
		o.check(t, &diffCase{
			Pattern: chars(pattern, false), Flags: int(flags), Subjects: [][]rune{chars(subject, false)},
			Repl: chars(template, false), Pos: 1, End: 3,
		})
	}
	for _, row := range matchTable {
		ask(row.pattern, row.subject, `<\g<0>>`, parseFlags(row.flags))
	}
	for _, row := range errorTable {
		ask(row.pattern, "", "", 0)
	}
	for _, row := range templateErrorTable {
		ask(`(a)(?P<n>b)?`, "a", row.template, 0)
	}
}

func mustCompile(t *testing.T, pattern string, flags Flag) *Regexp {
	t.Helper()
	re, err := Compile(pattern, flags)
	if err != nil {
		t.Fatalf("%q: %v", pattern, err)
	}
	return re
}
