package regex

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/runenames"
)

// lookupName finds the character with a Unicode name, as Python's
// unicodedata.lookup does: in any case, save for the names that follow from a
// rule. Aliases, which control characters have for names, are not known.
func lookupName(name string) (rune, bool) {
	if hex, ok := strings.CutPrefix(name, "CJK UNIFIED IDEOGRAPH-"); ok {
		n, err := strconv.ParseUint(hex, 16, 32)
		c := rune(n)
		ok := err == nil && hex == strings.ToUpper(hex) && (len(hex) == 4 || len(hex) == 5) &&
			unicode.Is(unicode.Unified_Ideograph, c) && !isNewer(c)
		return c, ok
	}
	if syllable, ok := strings.CutPrefix(name, "HANGUL SYLLABLE "); ok {
		return lookupHangul(syllable)
	}
	c, ok := nameIndex()[strings.ToUpper(name)]
	return c, ok
}

// nameIndex inverts the table of character names. It is built at its first use,
// in some 20 ms, since few patterns contain \N. No character outside these
// ranges has a name of its own.
var nameIndex = sync.OnceValue(func() map[string]rune {
	index := make(map[string]rune, 1<<15)
	for _, r := range [...]span{{0, 0x1FFFF}, {0x2F800, 0x2FA1F}, {0xE0000, 0xE01FF}} {
		for c := r.lo; c <= r.hi; c++ {
			if name := runenames.Name(c); name != "" && name[0] != '<' && !isNewer(c) {
				index[name] = c
			}
		}
	}
	return index
})

// lookupHangul composes a syllable from the short names of its parts (Unicode
// Standard, section 3.12).
func lookupHangul(s string) (rune, bool) {
	lead := strings.Split("G,GG,N,D,DD,R,M,B,BB,S,SS,,J,JJ,C,K,T,P,H", ",")
	vowel := strings.Split("A,AE,YA,YAE,EO,E,YEO,YE,O,WA,WAE,OE,YO,U,WEO,WE,WI,YU,EU,YI,I", ",")
	trail := strings.Split(",G,GG,GS,N,NJ,NH,D,L,LG,LM,LB,LS,LT,LP,LH,M,B,BS,S,SS,NG,J,C,K,T,P,H", ",")
	for l, a := range lead {
		for v, b := range vowel {
			rest, ok := strings.CutPrefix(s, a+b)
			if !ok {
				continue
			}
			for t, c := range trail {
				if rest == c {
					return rune(0xAC00 + (l*len(vowel)+v)*len(trail) + t), true
				}
			}
		}
	}
	return 0, false
}
