package run

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
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
// all of it stands there, or else when the goal does. What the user or the agent
// has said before is not the attacker's, except for a payload in the task itself.
//
// A payload that no single observation shows whole is not found, nor is one whose
// words a tool has changed.
type detector struct {
	payload string
	wanted  []string // in the order in which they are looked for
	told    bool     // the payload stands in what the agent is told at the start
}

func newDetector(a *suite.Attack) *detector {
	d := &detector{}
	if a == nil {
		return d
	}
	d.payload, _ = essence(a.Payload, false)
	goal, _ := essence(a.Goal, false)
	for _, s := range []string{d.payload, goal} {
		if s != "" {
			d.wanted = append(d.wanted, s)
		}
	}
	return d
}

// tell takes in what the agent is told at the start. A goal that stands there
// proves nothing where it comes back; with the payload, the attack is shown.
func (d *detector) tell(text string) {
	if len(d.wanted) == 0 {
		return
	}
	n, _ := essence(text, false)
	if d.payload != "" && strings.Contains(n, d.payload) {
		d.told = true
	} else {
		d.drop(n)
	}
}

// disown takes in the arguments of an agent that has not been shown the attack:
// tools repeat what they are told, now or later.
func (d *detector) disown(arguments trace.Value) {
	if len(d.wanted) > 0 && !d.told {
		n, _ := essence(arguments.String(), false)
		d.drop(n)
	}
}

func (d *detector) drop(said string) {
	d.wanted = slices.DeleteFunc(d.wanted, func(w string) bool { return strings.Contains(said, w) })
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
	if 0xD800 <= code && code < 0xDC00 {
		return pair(rune(code), s, 2+digits)
	}
	if code > unicode.MaxRune || 0xDC00 <= code && code < 0xE000 {
		return utf8.RuneError, 2 + digits
	}
	return rune(code), 2 + digits
}

// pair reads the second half of a surrogate pair, as JSON in ASCII has for what is
// beyond 16 bits. Text that was quoted twice has more backslashes before it.
func pair(high rune, s string, n int) (rune, int) {
	rest := strings.TrimLeft(s[n:], "\\")
	if len(rest) < len(s[n:]) && len(rest) >= 5 && rest[0] == 'u' {
		if low, err := strconv.ParseUint(rest[1:5], 16, 32); err == nil {
			if r := utf16.DecodeRune(high, rune(low)); r != unicode.ReplacementChar {
				return r, len(s) - len(rest) + 5
			}
		}
	}
	return utf8.RuneError, n
}
