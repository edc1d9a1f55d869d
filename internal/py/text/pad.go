package text

import "math"

// Side selects the ends of a string.
type Side uint8

// The ends that a strip function works on.
const (
	Left  Side = 1
	Right Side = 2
	Both  Side = Left | Right
)

// StripSpace is str.strip(), lstrip or rstrip without an argument.
func StripSpace(s string, side Side) string { return strip(s, side, IsSpaceRune) }

// StripChars is str.strip(chars), lstrip or rstrip: it removes code points that
// occur in chars.
func StripChars(s, chars string, side Side) string {
	var low [128]bool
	high := map[rune]bool{}
	for len(chars) > 0 {
		r, n := DecodeRune(chars)
		if r < 128 {
			low[r] = true
		} else {
			high[r] = true
		}
		chars = chars[n:]
	}
	return strip(s, side, func(r rune) bool {
		if r < 128 {
			return low[r]
		}
		return high[r]
	})
}

func strip(s string, side Side, drop func(rune) bool) string {
	for side&Left != 0 && s != "" {
		r, n := DecodeRune(s)
		if !drop(r) {
			break
		}
		s = s[n:]
	}
	for side&Right != 0 && s != "" {
		r, n := DecodeLastRune(s)
		if !drop(r) {
			break
		}
		s = s[:len(s)-n]
	}
	return s
}

// ErrFillChar is raised by center, ljust and rjust for a fill of another length
// than one.
var ErrFillChar error = &Error{TypeError, "The fill character must be exactly one character long"}

// Center is str.center(width, fill). With an odd number of places to fill, the
// left side gets the extra one when width is odd too.
func Center(s string, width int, fill rune) (string, error) {
	n := gap(s, width)
	left := n/2 + n&width&1
	return padded(s, left, n-left, fill)
}

// LJust is str.ljust(width, fill).
func LJust(s string, width int, fill rune) (string, error) {
	return padded(s, 0, gap(s, width), fill)
}

// RJust is str.rjust(width, fill).
func RJust(s string, width int, fill rune) (string, error) {
	return padded(s, gap(s, width), 0, fill)
}

// ZFill is str.zfill(width): zeros go after a leading sign.
func ZFill(s string, width int) (string, error) {
	n := gap(s, width)
	if n > 0 && s != "" && (s[0] == '+' || s[0] == '-') {
		body, err := padded(s[1:], n, 0, '0')
		return s[:1] + body, err
	}
	return padded(s, n, 0, '0')
}

// gap returns the places that s lacks to be width code points long.
func gap(s string, width int) int {
	if width <= 0 {
		return 0
	}
	return max(width-Len(s), 0)
}

// ExpandTabsSize returns the bytes of the result of [ExpandTabs], pinned to
// math.MaxInt.
func ExpandTabsSize(s string, tab int) int {
	size := 0
	walkTabs(s, tab, func(spaces int, text string) bool {
		if spaces > math.MaxInt-size-len(text) {
			size = math.MaxInt
			return false
		}
		size += spaces + len(text)
		return true
	})
	return size
}

// ExpandTabs is str.expandtabs(tab): a tab becomes the spaces that lead to the
// next multiple of tab columns, or nothing when tab is not positive.
func ExpandTabs(s string, tab int) (string, error) {
	size := ExpandTabsSize(s, tab)
	if size > MaxSize && size > len(s) {
		return "", errTooLarge()
	}
	b := make([]byte, 0, size)
	walkTabs(s, tab, func(spaces int, text string) bool {
		for range spaces {
			b = append(b, ' ')
		}
		b = append(b, text...)
		return true
	})
	return string(b), nil
}

// walkTabs calls emit for each run of text without a tab, with the number of
// spaces that come before it, until emit returns false.
func walkTabs(s string, tab int, emit func(spaces int, text string) bool) {
	column, start, spaces := 0, 0, 0
	for at := 0; at < len(s); at++ {
		switch c := s[at]; {
		case c == '\t':
			if !emit(spaces, s[start:at]) {
				return
			}
			start, spaces = at+1, 0
			if tab > 0 {
				spaces = tab - column%tab
				column = 0 // only the column modulo tab matters
			}
		case c == '\n' || c == '\r':
			column = 0
		case !isTail(c):
			column++
		}
	}
	emit(spaces, s[start:])
}
