package stdlib

import (
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/runenames"
	"golang.org/x/text/width"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/py/text"
)

// The unicodedata module. Go's tables are of Unicode 15; the code points that
// it added over CPython's Unicode 14 are treated as unassigned.

func buildUnicodedata() *py.Module {
	members := []py.Member{
		{Name: "unidata_version", Value: py.NewStr("14.0.0")},
		py.Func("normalize", "form, unistr, /", uniNormalize),
		py.Func("is_normalized", "form, unistr, /", func(t *py.Thread, a []py.Value) (py.Value, error) {
			v, err := uniNormalize(t, a)
			if err != nil {
				return nil, err
			}
			s, _ := py.AsStr(a[1])
			n, _ := py.AsStr(v)
			return py.Bool(s.String() == n.String()), nil
		}),
		py.Func("name", "chr, default=None, /", uniName),
		py.Func("lookup", "name, /", uniLookup),
		uniText("category", runeCategory),
		uniText("bidirectional", runeBidi),
		uniText("east_asian_width", runeWidth),
		uniNumber("decimal", "not a decimal", func(r rune) (py.Value, bool) {
			n := text.DecimalValue(r)
			return py.Int(n), n >= 0
		}),
		uniNumber("digit", "not a digit", func(r rune) (py.Value, bool) {
			if n := text.DecimalValue(r); n >= 0 {
				return py.Int(n), true
			}
			n, ok := numericTable()[r]
			return py.Int(n), ok && text.IsDigitRune(r)
		}),
		uniNumber("numeric", "not a numeric character", func(r rune) (py.Value, bool) {
			if n := text.DecimalValue(r); n >= 0 {
				return py.Float(n), true
			}
			n, ok := numericTable()[r]
			return py.Float(n), ok
		}),
	}
	for name, f := range map[string]func(r rune) int{
		"combining": func(r rune) int { return int(norm.NFD.PropertiesString(string(r)).CCC()) },
		"mirrored": func(r rune) int {
			if unicode.Is(mirroredTable(), r) {
				return 1
			}
			return 0
		},
	} {
		members = append(members, py.Func(name, "chr, /", func(_ *py.Thread, a []py.Value) (py.Value, error) {
			r, err := oneRune(name+"() argument", a[0])
			if err != nil || !assigned(r) {
				return py.Int(0), err
			}
			return py.Int(f(r)), nil
		}))
	}
	return py.NewModule("unicodedata", members...)
}

// oneRune returns the code point of a str of length 1.
func oneRune(what string, v py.Value) (rune, error) {
	s, ok := py.AsStr(v)
	if !ok {
		name := py.TypeName(v)
		if v == py.None {
			name = "None"
		}
		return 0, py.TypeErrorf("%s must be a unicode character, not %s", what, name)
	}
	if s.Len() != 1 {
		return 0, py.TypeErrorf("%s must be a unicode character, not str", what)
	}
	r, _ := text.DecodeRune(s.String())
	return r, nil
}

// uniText makes a function from a code point to a text.
func uniText(name string, f func(r rune) string) py.Member {
	return py.Func(name, "chr, /", func(_ *py.Thread, a []py.Value) (py.Value, error) {
		r, err := oneRune(name+"() argument", a[0])
		if err != nil {
			return nil, err
		}
		return py.NewStr(f(r)), nil
	})
}

// uniNumber makes a function from a code point to a number, with a default.
func uniNumber(name, missing string, f func(r rune) (py.Value, bool)) py.Member {
	return py.Func(name, "chr, default=None, /", func(_ *py.Thread, a []py.Value) (py.Value, error) {
		r, err := oneRune(name+"() argument 1", a[0])
		if err != nil {
			return nil, err
		}
		if v, ok := f(r); ok {
			return v, nil
		}
		if a[1] == nil {
			return nil, py.ValueErrorf("%s", missing)
		}
		return a[1], nil
	})
}

// runeRanges reads a list of hexadecimal code points and ranges.
func runeRanges(list string) *unicode.RangeTable {
	t := &unicode.RangeTable{}
	for _, f := range strings.Fields(list) {
		from, to, isRange := strings.Cut(f, "-")
		lo, _ := strconv.ParseUint(from, 16, 32)
		hi := lo
		if isRange {
			hi, _ = strconv.ParseUint(to, 16, 32)
		}
		if hi <= 0xFFFF {
			t.R16 = append(t.R16, unicode.Range16{Lo: uint16(lo), Hi: uint16(hi), Stride: 1})
		} else {
			t.R32 = append(t.R32, unicode.Range32{Lo: uint32(lo), Hi: uint32(hi), Stride: 1})
		}
	}
	return t
}

var (
	addedTable    = sync.OnceValue(func() *unicode.RangeTable { return runeRanges(added15) })
	mirroredTable = sync.OnceValue(func() *unicode.RangeTable { return runeRanges(mirroredRunes) })
	numericTable  = sync.OnceValue(func() map[rune]float64 {
		m := map[rune]float64{}
		var r rune
		for _, f := range strings.Fields(numericRunes) {
			if hex, ok := strings.CutPrefix(f, "U+"); ok {
				n, _ := strconv.ParseUint(hex, 16, 32)
				r = rune(n)
				continue
			}
			num, den, _ := strings.Cut(f, "/")
			x, _ := strconv.ParseFloat(num, 64)
			if y, err := strconv.ParseFloat(den, 64); err == nil {
				x /= y
			}
			m[r] = x
			r++
		}
		return m
	})
)

// assigned reports whether Unicode 14 has the code point.
func assigned(r rune) bool {
	return !unicode.Is(addedTable(), r) &&
		unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co)
}

func runeCategory(r rune) string {
	if !assigned(r) {
		return "Cn"
	}
	for _, c := range [...]string{"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc", "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co"} {
		if unicode.Is(unicode.Categories[c], r) {
			return c
		}
	}
	return "Cn"
}

// bidiNames are the names of package bidi's classes.
var bidiNames = map[bidi.Class]string{
	bidi.L: "L", bidi.R: "R", bidi.EN: "EN", bidi.ES: "ES", bidi.ET: "ET", bidi.AN: "AN", bidi.CS: "CS", bidi.B: "B", bidi.S: "S",
	bidi.WS: "WS", bidi.ON: "ON", bidi.BN: "BN", bidi.NSM: "NSM", bidi.AL: "AL", bidi.LRO: "LRO", bidi.RLO: "RLO", bidi.LRE: "LRE",
	bidi.RLE: "RLE", bidi.PDF: "PDF", bidi.LRI: "LRI", bidi.RLI: "RLI", bidi.FSI: "FSI", bidi.PDI: "PDI",
}

// bidiControls are the explicit directional characters, which package bidi
// puts in one class.
var bidiControls = map[rune]string{
	0x202A: "LRE", 0x202B: "RLE", 0x202C: "PDF", 0x202D: "LRO", 0x202E: "RLO",
	0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI",
}

func runeBidi(r rune) string {
	if name, ok := bidiControls[r]; ok {
		return name
	}
	if text.IsSurrogate(r) {
		return "L"
	}
	if !assigned(r) {
		return ""
	}
	p, _ := bidi.LookupRune(r)
	return bidiNames[p.Class()]
}

func runeWidth(r rune) string {
	if text.IsSurrogate(r) {
		return "N"
	}
	if !assigned(r) {
		return "F" // CPython 3.11 says so of unassigned code points
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianAmbiguous:
		return "A"
	case width.EastAsianWide:
		return "W"
	case width.EastAsianNarrow:
		return "Na"
	case width.EastAsianFullwidth:
		return "F"
	case width.EastAsianHalfwidth:
		return "H"
	}
	return "N"
}

func uniNormalize(t *py.Thread, a []py.Value) (py.Value, error) {
	var parts [2]*py.Str
	for i, v := range a {
		s, ok := py.AsStr(v)
		if !ok {
			return nil, py.TypeErrorf("normalize() argument %d must be str, not %s", i+1, argTypeName(v))
		}
		parts[i] = s
	}
	if parts[1].Len() == 0 {
		return parts[1], nil
	}
	forms := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}
	form, ok := forms[parts[0].String()]
	if !ok {
		return nil, py.ValueErrorf("invalid normalization form")
	}
	s := parts[1].String()
	// The longest expansion is that of U+FDFA: 3 bytes become 33.
	if err := t.Alloc(11 * len(s)); err != nil {
		return nil, err
	}
	return py.NewStr(normalizeText(form, s)), nil
}

// normalizeText keeps code points unknown to Unicode 14 as they are.
func normalizeText(form norm.Form, s string) string {
	var b strings.Builder
	start := 0
	for i, r := range s {
		if r > 0xCF0 && unicode.Is(addedTable(), r) {
			b.WriteString(form.String(s[start:i]))
			start = i + len(string(r))
			b.WriteString(s[i:start])
		}
	}
	b.WriteString(form.String(s[start:]))
	return b.String()
}

func uniName(_ *py.Thread, a []py.Value) (py.Value, error) {
	r, err := oneRune("name() argument 1", a[0])
	if err != nil {
		return nil, err
	}
	if name := runeName(r); name != "" {
		return py.NewStr(name), nil
	}
	if a[1] == nil {
		return nil, py.ValueErrorf("no such name")
	}
	return a[1], nil
}

// runeName returns the name of a code point, or "".
// Source of the rules: the Unicode Standard, chapter 4.8 and 3.12.
func runeName(r rune) string {
	if !assigned(r) {
		return ""
	}
	if r >= 0xAC00 && r <= 0xD7A3 {
		initials := strings.Fields("G GG N D DD R M B BB S SS - J JJ C K T P H")
		vowels := strings.Fields("A AE YA YAE EO E YEO YE O WA WAE OE YO U WEO WE WI YU EU YI I")
		finals := strings.Fields("- G GG GS N NJ NH D L LG LM LB LS LT LP LH M B BS S SS NG J C K T P H")
		n := int(r - 0xAC00)
		syllable := initials[n/588] + vowels[n%588/28] + finals[n%28]
		return "HANGUL SYLLABLE " + strings.ReplaceAll(syllable, "-", "")
	}
	name := runenames.Name(r)
	if strings.HasPrefix(name, "<CJK Ideograph") {
		return "CJK UNIFIED IDEOGRAPH-" + strings.ToUpper(strconv.FormatInt(int64(r), 16))
	}
	if strings.HasPrefix(name, "<") {
		return ""
	}
	return name
}

// uniLookup reads the name as a \N escape does.
func uniLookup(_ *py.Thread, a []py.Value) (py.Value, error) {
	s, ok := py.AsStr(a[0])
	if !ok {
		return nil, py.TypeErrorf("lookup() argument must be str, not %s", argTypeName(a[0]))
	}
	name := s.String()
	missing := py.KeyErrorFor(py.NewStr("undefined character name '" + name + "'"))
	if name == "" || strings.ContainsAny(name, "{}\\\"\n\r\x00") || len(name) > 256 {
		return nil, missing
	}
	m, err := syntax.ParseString("<lookup>", `"\N{`+name+`}"`)
	if err != nil {
		return nil, missing
	}
	if e, ok := m.Body[0].(*syntax.ExprStmt); ok {
		if c, ok := e.Value.(*syntax.Constant); ok {
			if v, ok := c.Value.(syntax.Str); ok {
				return py.NewStr(string(v)), nil
			}
		}
	}
	return nil, missing
}
