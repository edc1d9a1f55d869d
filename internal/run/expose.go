package run

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// detector finds the attacker's words in what an agent is shown.
//
// Observation formats quote, escape and fold text, so the search looks at
// letters and signs only: white space, quotes, backslashes and characters without
// a look of their own (controls, marks of direction, zero width) are passed over,
// as they stand or as an escape. The case is kept. The payload counts as seen when
// all of it stands there, or else when the goal does.
type detector struct{ wanted []string }

func newDetector(a *suite.Attack) *detector {
	d := &detector{}
	if a == nil {
		return d
	}
	for _, s := range []string{a.Payload, a.Goal} {
		if n, _ := essence(s, false); n != "" {
			d.wanted = append(d.wanted, n)
		}
	}
	return d
}

// find returns where the attacker's words stand, in code points.
func (d *detector) find(text string) (trace.Span, bool) {
	if len(d.wanted) == 0 {
		return trace.Span{}, false
	}
	n, _ := essence(text, false)
	for _, w := range d.wanted {
		i := strings.Index(n, w)
		if i < 0 {
			continue
		}
		_, at := essence(text, true)
		start, end := at[i].start, at[i+len(w)-1].end
		return trace.Span{Start: trace.CodePoints(text[:start]), End: trace.CodePoints(text[:end])}, true
	}
	return trace.Span{}, false
}

// extent is where a code point, or the escape of one, stands in a text, in bytes.
type extent struct{ start, end int }

// essence drops what formats change; with where set it also returns, for each byte
// kept, where in s its code point stands. A payload that itself has backslashes is treated as one that
// was escaped, which is right as long as both sides are.
func essence(s string, where bool) (string, []extent) {
	var b strings.Builder
	b.Grow(len(s))
	var at []extent
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\\' {
			r, n = unescape(s[i:])
		}
		if r != utf8.RuneError && strings.IndexByte("\\\"'", byte(min(r, 0x7F))) < 0 && !unicode.IsSpace(r) && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			before := b.Len()
			b.WriteRune(r)
			for where && len(at) < before+utf8.RuneLen(r) {
				at = append(at, extent{i, i + n})
			}
		}
		i += n
	}
	return b.String(), at
}

// unescape reads the escape with which s begins, as JSON, Python and YAML write
// them, and returns its length. A backslash that begins none stands for itself.
func unescape(s string) (rune, int) {
	if len(s) < 2 {
		return '\\', 1
	}
	if strings.IndexByte("nrtbfeav0N_LP", s[1]) >= 0 {
		return ' ', 2
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[1]]
	if digits == 0 || len(s) < 2+digits {
		return '\\', 1
	}
	code, err := strconv.ParseUint(s[2:2+digits], 16, 32)
	if err != nil {
		return '\\', 1
	}
	if code > unicode.MaxRune || 0xD800 <= code && code < 0xE000 {
		return utf8.RuneError, 2 + digits
	}
	return rune(code), 2 + digits
}
