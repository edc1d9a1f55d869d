package regex

import (
	"cmp"
	"slices"
	"sort"
	"unicode"
)

// category is a class escape.
type category uint8

const (
	catDigit category = iota
	catNotDigit
	catSpace
	catNotSpace
	catWord
	catNotWord
)

// newer is what Unicode 15.0 added. Go's tables have it; to Python 3.11, which
// is at Unicode 14.0, these characters are unassigned.
var newer = &unicode.RangeTable{
	R16: []unicode.Range16{{0xCF3, 0xCF3, 1}, {0xECE, 0xECE, 1}},
	R32: []unicode.Range32{
		{0x10EFD, 0x10EFF, 1}, {0x1123F, 0x11241, 1}, {0x11B00, 0x11B09, 1}, {0x11F00, 0x11F10, 1},
		{0x11F12, 0x11F3A, 1}, {0x11F3E, 0x11F59, 1}, {0x1342F, 0x1342F, 1}, {0x13439, 0x13455, 1},
		{0x1B132, 0x1B132, 1}, {0x1B155, 0x1B155, 1}, {0x1D2C0, 0x1D2D3, 1}, {0x1DF25, 0x1DF2A, 1},
		{0x1E030, 0x1E06D, 1}, {0x1E08F, 0x1E08F, 1}, {0x1E4D0, 0x1E4F9, 1}, {0x1F6DC, 0x1F6DC, 1},
		{0x1F774, 0x1F776, 1}, {0x1F77B, 0x1F77F, 1}, {0x1F7D9, 0x1F7D9, 1}, {0x1FA75, 0x1FA77, 1},
		{0x1FA87, 0x1FA88, 1}, {0x1FAAD, 0x1FAAF, 1}, {0x1FABB, 0x1FABD, 1}, {0x1FABF, 0x1FABF, 1},
		{0x1FACE, 0x1FACF, 1}, {0x1FADA, 0x1FADB, 1}, {0x1FAE8, 0x1FAE8, 1}, {0x1FAF7, 0x1FAF8, 1},
		{0x2B739, 0x2B739, 1}, {0x31350, 0x323AF, 1},
	},
}

func isNewer(c rune) bool { return c >= 0xCF3 && unicode.Is(newer, c) }

// isDecimal is str.isdecimal for one character.
func isDecimal(c rune) bool { return unicode.Is(unicode.Nd, c) && !isNewer(c) }

// isSpace is str.isspace for one character: category Zs or bidirectional class
// WS, B or S.
func isSpace(c rune) bool {
	switch {
	case c < 0x100:
		return c >= '\t' && c <= '\r' || c >= 0x1C && c <= ' ' || c == 0x85 || c == 0xA0
	case c >= 0x2000 && c <= 0x200A:
		return true
	}
	switch c {
	case 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000:
		return true
	}
	return false
}

// isWord is str.isalnum for one character, or an underscore.
func isWord(c rune) bool {
	if c < 0x80 {
		return isASCIIWord(c)
	}
	return (unicode.IsLetter(c) || unicode.IsNumber(c)) && !isNewer(c)
}

func isASCIIWord(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
}

// has tells whether c belongs to the category. flags select the tables.
func (cat category) has(c rune, flags Flag) bool {
	ascii := flags&Unicode == 0
	var in bool
	switch cat {
	case catDigit, catNotDigit:
		in = c >= '0' && c <= '9' || c >= 0x80 && !ascii && isDecimal(c)
	case catSpace, catNotSpace:
		if ascii {
			in = c >= '\t' && c <= '\r' || c == ' '
		} else {
			in = isSpace(c)
		}
	case catWord, catNotWord:
		if ascii {
			in = isASCIIWord(c)
		} else {
			in = isWord(c)
		}
	}
	return in != (cat&1 == 1)
}

// setKind is the kind of a setItem.
type setKind uint8

const (
	setLiteral  setKind = iota // lo
	setRange                   // lo to hi
	setCategory                // cat
)

// setItem is one member of a character set as written.
type setItem struct {
	kind   setKind
	cat    category
	lo, hi rune
}

// span is an inclusive range of code points.
type span struct{ lo, hi rune }

// charset is a compiled character set. Characters below 256 are answered by
// a bitmap that already accounts for case folding, categories and negation.
type charset struct {
	bits    [4]uint64
	spans   []span // sorted and disjoint
	upper   []span // spans beyond the BMP that also match by their upper case
	cats    []category
	fold    foldMode
	flags   Flag
	negated bool
}

// newCharset compiles the items of a set under flags.
func newCharset(items []setItem, negated bool, flags Flag) *charset {
	cs := &charset{flags: flags, negated: negated}
	fold := foldOf(flags)
	for _, it := range items {
		switch {
		case it.kind == setCategory:
			cs.cats = append(cs.cats, it.cat)
		case it.kind == setLiteral && fold == foldNone:
			cs.add(it.lo, it.lo)
		case fold == foldNone:
			cs.add(it.lo, it.hi)
		case it.kind == setLiteral:
			cs.fold = fold
			cs.addFolded(it.lo, it.lo, fold)
		default:
			cs.fold = fold
			if it.hi > 0xFFFF {
				cs.upper = append(cs.upper, span{it.lo, it.hi})
			}
			if it.lo <= 0xFFFF {
				cs.addFolded(it.lo, min(it.hi, 0xFFFF), fold)
			}
		}
	}
	cs.spans = joinSpans(cs.spans)
	if cs.fold == foldUnicode {
		cs.addEquivalents()
	}
	cs.upper = joinSpans(cs.upper)
	for c := rune(0); c < 256; c++ {
		if cs.member(cs.fold.lower(c)) {
			cs.bits[c>>6] |= 1 << (c & 63)
		}
	}
	return cs
}

func (cs *charset) add(lo, hi rune) { cs.spans = append(cs.spans, span{lo, hi}) }

// addFolded adds a range of the BMP, or one character, whose members match
// regardless of case. A set is asked about the lower case of a character, so it
// must hold the lower case of its members.
//
// Beyond the BMP Python takes a shortcut that shows: a range is compared with
// the lower case of the character and with the upper case of that, but a
// literal only with the lower case. So [\U00010400x] does not match
// "\U00010400" under IGNORECASE. We do the same.
func (cs *charset) addFolded(lo, hi rune, fold foldMode) {
	cs.add(lo, hi)
	if lo > 0xFFFF {
		return
	}
	if fold == foldASCII {
		if lo, hi = max(lo, 'A'), min(hi, 'Z'); lo <= hi {
			cs.add(fold.lower(lo), fold.lower(hi))
		}
		return
	}
	for _, r := range unicode.CaseRanges {
		for c := max(lo, rune(r.Lo)); c <= min(hi, rune(r.Hi)); c++ {
			if l := unicode.ToLower(c); l < lo || l > hi {
				cs.add(l, l)
			}
		}
	}
}

// addEquivalents adds what Python treats as equal to a member although its
// lower case differs.
func (cs *charset) addEquivalents() {
	joined := cs.spans
	for _, class := range equivalenceClasses {
		if slices.ContainsFunc(class, func(c rune) bool { return inSpans(joined, c) }) {
			for _, c := range class {
				cs.add(c, c)
			}
		}
	}
	cs.spans = joinSpans(cs.spans)
}

// joinSpans sorts spans and joins those that touch.
func joinSpans(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	var out []span
	for _, s := range spans {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	return out
}

// inSpans tells whether c lies in one of the spans, which must be sorted.
func inSpans(spans []span, c rune) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].hi >= c })
	return i < len(spans) && spans[i].lo <= c
}

// has tells whether the set matches character c of the subject.
func (cs *charset) has(c rune) bool {
	if c < 256 {
		return cs.bits[c>>6]&(1<<(c&63)) != 0
	}
	return cs.member(cs.fold.lower(c))
}

// member decides for a character that has been folded.
func (cs *charset) member(c rune) bool {
	if inSpans(cs.spans, c) {
		return !cs.negated
	}
	if len(cs.upper) > 0 && (inSpans(cs.upper, c) || inSpans(cs.upper, upper(c))) {
		return !cs.negated
	}
	for _, cat := range cs.cats {
		if cat.has(c, cs.flags) {
			return !cs.negated
		}
	}
	return cs.negated
}
