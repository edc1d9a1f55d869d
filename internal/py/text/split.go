package text

import (
	"slices"
	"strings"
)

// ErrEmptySeparator is raised by split and partition for the separator "".
var ErrEmptySeparator error = &Error{ValueError, "empty separator"}

// Split is str.split(sep, maxsplit); a negative limit means no limit.
func Split(s, sep string, limit int) ([]string, error) {
	if sep == "" {
		return nil, ErrEmptySeparator
	}
	if limit < 0 || limit > len(s) {
		limit = len(s)
	}
	return strings.SplitN(s, sep, limit+1), nil
}

// RSplit is str.rsplit(sep, maxsplit): like Split, cutting from the right.
func RSplit(s, sep string, limit int) ([]string, error) {
	if sep == "" {
		return nil, ErrEmptySeparator
	}
	var out []string
	for ; limit != 0; limit-- {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		out = append(out, s[i+len(sep):])
		s = s[:i]
	}
	out = append(out, s)
	slices.Reverse(out)
	return out, nil
}

// SplitSpace is str.split(None, maxsplit): runs of white space separate, those
// at the ends are dropped, and the rest after the last cut keeps its end.
func SplitSpace(s string, limit int) []string {
	var out []string
	for s = StripSpace(s, Left); s != ""; s = StripSpace(s, Left) {
		if limit == 0 {
			return append(out, s)
		}
		limit--
		end := 0
		for end < len(s) {
			r, n := DecodeRune(s[end:])
			if IsSpaceRune(r) {
				break
			}
			end += n
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}

// RSplitSpace is str.rsplit(None, maxsplit).
func RSplitSpace(s string, limit int) []string {
	var out []string
	for s = StripSpace(s, Right); s != ""; s = StripSpace(s, Right) {
		if limit == 0 {
			out = append(out, s)
			break
		}
		limit--
		start := len(s)
		for start > 0 {
			r, n := DecodeLastRune(s[:start])
			if IsSpaceRune(r) {
				break
			}
			start -= n
		}
		out = append(out, s[start:])
		s = s[:start]
	}
	slices.Reverse(out)
	return out
}

// SplitLines is str.splitlines: lines end at \n, \r, \r\n, \v, \f, \x1c, \x1d,
// \x1e, \x85, U+2028 and U+2029, and keep their ends when keep is set.
func SplitLines(s string, keep bool) []string {
	var out []string
	start := 0
	for at := 0; at < len(s); {
		r, n := DecodeRune(s[at:])
		end := at
		at += n
		if !isLineBreak(r) {
			continue
		}
		if r == '\r' && at < len(s) && s[at] == '\n' {
			at++
		}
		if keep {
			end = at
		}
		out = append(out, s[start:end])
		start = at
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func isLineBreak(r rune) bool {
	return '\n' <= r && r <= '\r' || 0x1C <= r && r <= 0x1E || r == 0x85 || r == 0x2028 || r == 0x2029
}

// Partition is str.partition: the text before the first sep, sep and the text
// after it, or s and two empty strings.
func Partition(s, sep string) (head, mid, tail string, err error) {
	if sep == "" {
		return "", "", "", ErrEmptySeparator
	}
	if i := strings.Index(s, sep); i >= 0 {
		return s[:i], sep, s[i+len(sep):], nil
	}
	return s, "", "", nil
}

// RPartition is str.rpartition: like Partition at the last sep; without one it
// returns two empty strings and s.
func RPartition(s, sep string) (head, mid, tail string, err error) {
	if sep == "" {
		return "", "", "", ErrEmptySeparator
	}
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], sep, s[i+len(sep):], nil
	}
	return "", "", s, nil
}
