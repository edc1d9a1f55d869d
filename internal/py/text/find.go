package text

import (
	"math"
	"strings"
)

// NoEnd stands for an end bound that was not given.
const NoEnd = math.MaxInt

// window returns the part of s between the code point bounds start and end,
// which follow the rules of slices (negative ones count from the end), and the
// position of its first code point. It reports false when start lies after end
// or after the string: then not even the empty string can be found.
func window(s string, start, end int) (part string, base int, ok bool) {
	if start == 0 && end >= len(s) {
		return s, 0, true
	}
	n := Len(s)
	start, end = bound(start, n), min(bound(end, n), n)
	if start > end {
		return "", 0, false
	}
	return Range(s, start, end), start, true
}

func bound(i, n int) int {
	if i < 0 {
		i = max(i+n, 0)
	}
	return i
}

// Find is str.find: the position of the first sub within the bounds, or -1.
func Find(s, sub string, start, end int) int {
	part, base, ok := window(s, start, end)
	if !ok {
		return -1
	}
	i := strings.Index(part, sub)
	if i < 0 {
		return -1
	}
	return base + Len(part[:i])
}

// RFind is str.rfind: the position of the last sub within the bounds, or -1.
func RFind(s, sub string, start, end int) int {
	part, base, ok := window(s, start, end)
	if !ok {
		return -1
	}
	i := strings.LastIndex(part, sub)
	if i < 0 {
		return -1
	}
	return base + Len(part[:i])
}

// Count is str.count: occurrences that do not overlap. The empty string occurs
// before each code point and at the end.
func Count(s, sub string, start, end int) int {
	part, _, ok := window(s, start, end)
	switch {
	case !ok:
		return 0
	case sub == "":
		return Len(part) + 1
	}
	return strings.Count(part, sub)
}

// StartsWith is str.startswith with one prefix.
func StartsWith(s, prefix string, start, end int) bool {
	part, _, ok := window(s, start, end)
	return ok && strings.HasPrefix(part, prefix)
}

// EndsWith is str.endswith with one suffix.
func EndsWith(s, suffix string, start, end int) bool {
	part, _, ok := window(s, start, end)
	return ok && strings.HasSuffix(part, suffix)
}

// RemovePrefix is str.removeprefix.
func RemovePrefix(s, prefix string) string { return strings.TrimPrefix(s, prefix) }

// RemoveSuffix is str.removesuffix.
func RemoveSuffix(s, suffix string) string { return strings.TrimSuffix(s, suffix) }

// ReplaceSize returns the bytes of the result of [Replace], pinned to
// math.MaxInt.
func ReplaceSize(s, old, new string, count int) int {
	n := Count(s, old, 0, NoEnd)
	if count >= 0 {
		n = min(n, count)
	}
	grow := len(new) - len(old)
	if grow > 0 && n > (math.MaxInt-len(s))/grow {
		return math.MaxInt
	}
	return len(s) + n*grow
}

// Replace is str.replace: the first count occurrences of old, all when count is
// negative. An empty old is found before each code point and at the end.
func Replace(s, old, new string, count int) (string, error) {
	size := ReplaceSize(s, old, new, count)
	if size > MaxSize && size > len(s) {
		return "", errTooLarge()
	}
	if old != "" {
		return strings.Replace(s, old, new, count), nil
	}
	if count < 0 {
		count = math.MaxInt
	}
	b := make([]byte, 0, size)
	for count > 0 {
		b = append(b, new...)
		count--
		if s == "" {
			break
		}
		n := skipTail(s, 1)
		b = append(b, s[:n]...)
		s = s[n:]
	}
	return string(append(b, s...)), nil
}

// Translate is str.translate. The callback returns the replacement of a code
// point, which may be empty, or false to keep it; its error stops the work.
func Translate(s string, table func(r rune) (string, bool, error)) (string, error) {
	b := make([]byte, 0, len(s))
	for len(s) > 0 {
		r, n := DecodeRune(s)
		text, ok, err := table(r)
		if err != nil {
			return "", err
		}
		if !ok {
			text = s[:n]
		}
		if len(b)+len(text) > MaxSize {
			return "", errTooLarge()
		}
		b = append(b, text...)
		s = s[n:]
	}
	return string(b), nil
}
