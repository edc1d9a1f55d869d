package run

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// detector finds the attacker's words in what an agent is shown.
//
// Observation formats quote, escape and fold text, so the search looks at
// letters and signs only: white space, quotes and backslashes are passed over,
// and so is the letter of a \n, \r or \t escape. The case is kept. The payload
// counts as seen when all of it stands there, or else when the goal does.
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
	n, at := essence(text, true)
	for _, w := range d.wanted {
		i := strings.Index(n, w)
		if i < 0 {
			continue
		}
		start, end := at[i], at[i+len(w)-1]
		return trace.Span{Start: trace.CodePoints(text[:start]), End: trace.CodePoints(text[:end]) + 1}, true
	}
	return trace.Span{}, false
}

// essence drops white space, quotes, backslashes and the letters of \n, \r and
// \t; with where set it also returns the byte offset in s of each byte kept
// (the offset of the code point that the byte belongs to).
func essence(s string, where bool) (string, []int) {
	var b strings.Builder
	b.Grow(len(s))
	var at []int
	for i := 0; i < len(s); {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case 'n', 'r', 't':
				i += 2
				continue
			}
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if c == '\\' || c == '"' || c == '\'' || unicode.IsSpace(r) {
			i += n
			continue
		}
		b.WriteString(s[i : i+n])
		if where {
			for range n {
				at = append(at, i)
			}
		}
		i += n
	}
	return b.String(), at
}
