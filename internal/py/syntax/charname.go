package syntax

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

// charNames maps the names of characters to the characters. It is built on the
// first use of a \N escape and never changes afterwards.
var charNames = sync.OnceValue(func() map[string]rune {
	names := make(map[string]rune, 40000)
	for r := rune(' '); r <= unicode.MaxRune; r++ {
		name := runenames.Name(r)
		// Names in angle brackets are labels of characters without a name.
		if name != "" && name[0] != '<' && !unicode.Is(unicode15, r) {
			names[name] = r
		}
	}
	return names
})

// charByName returns the character with a Unicode 14 name or alias. As in
// CPython, case does not matter except in the names that follow a rule.
func charByName(name string) (rune, bool) {
	if hex, ok := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); ok {
		return unifiedIdeograph(hex)
	}
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		return hangulSyllable(syllable)
	}
	upper := strings.ToUpper(name)
	if n, ok := strings.CutPrefix(upper, "VS"); ok {
		return variationSelector(n)
	}
	if r, ok := charAlias[upper]; ok {
		return r, true
	}
	r, ok := charNames()[upper]
	return r, ok
}

// unifiedIdeograph returns the ideograph with a code point in hexadecimal.
func unifiedIdeograph(hex string) (rune, bool) {
	if len(hex) < 4 || len(hex) > 5 || strings.ToUpper(hex) != hex {
		return 0, false
	}
	v, err := strconv.ParseUint(hex, 16, 32)
	r := rune(v)
	ok := err == nil && unicode.Is(unicode.Unified_Ideograph, r) && !unicode.Is(unicode15, r)
	// The twelve unified ideographs of the compatibility block have other names.
	return r, ok && !(r >= 0xFA0E && r <= 0xFA29)
}

// variationSelector returns the character abbreviated VS1 to VS256.
func variationSelector(n string) (rune, bool) {
	v, err := strconv.ParseUint(n, 10, 16)
	switch {
	case err != nil || n[0] == '0' || v > 256:
		return 0, false
	case v <= 16:
		return 0xFE00 + rune(v) - 1, true
	}
	return 0xE0100 + rune(v) - 17, true
}

// hangulSyllable composes a syllable from the short names of its letters
// (Unicode Standard, section 3.12, Hangul syllable name generation).
func hangulSyllable(name string) (rune, bool) {
	leads := strings.Split("G GG N D DD R M B BB S SS  J JJ C K T P H", " ")
	vowels := strings.Split("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I", " ")
	tails := strings.Split(" G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H", " ")
	l, rest := longestPrefix(name, leads)
	v, rest := longestPrefix(rest, vowels)
	t, rest := longestPrefix(rest, tails)
	if l < 0 || v < 0 || t < 0 || rest != "" {
		return 0, false
	}
	return 0xAC00 + rune((l*len(vowels)+v)*len(tails)+t), true
}

// longestPrefix returns the index of the longest word that s begins with, or -1,
// and the rest of s.
func longestPrefix(s string, words []string) (index int, rest string) {
	index = -1
	for i, w := range words {
		if strings.HasPrefix(s, w) && (index < 0 || len(w) > len(words[index])) {
			index = i
		}
	}
	if index < 0 {
		return index, s
	}
	return index, s[len(words[index]):]
}
