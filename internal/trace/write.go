package trace

import (
	"fmt"
	"unicode/utf8"
)

// AppendJSON appends the canonical JSON text of v: no spaces, keys in their
// order, number literals as written, text as raw UTF-8 without escaping of HTML,
// and only the escapes that JSON demands (lone surrogates as \ud800). Reading
// the text back gives the same Value and the same text. An absent Value is
// written as null.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.kind {
	case KindBool, KindNumber:
		return append(dst, v.text...)
	case KindString:
		return appendString(dst, v.text)
	case KindArray:
		dst = append(dst, '[')
		for i, item := range v.node.items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case KindObject:
		dst = append(dst, '{')
		for i, f := range v.node.fields {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, f.Key)
			dst = append(dst, ':')
			dst = f.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// String returns the canonical JSON text of v. The contents of a string are
// [Value.Text].
func (v Value) String() string { return string(v.AppendJSON(nil)) }

// MarshalJSON returns the canonical JSON text, so that a Value can be part of
// other records. Encoders of encoding/json need SetEscapeHTML(false) to leave it
// alone.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads a JSON text as [ParseValue] does, without its problems.
func (v *Value) UnmarshalJSON(data []byte) error {
	parsed, _, err := ParseValue(data)
	if err != nil {
		return fmt.Errorf("parse value: %w", err)
	}
	*v = parsed
	return nil
}

// quote returns a key or text as a JSON string, for messages.
func quote(s string) string { return string(appendString(nil, s)) }

const hexDigits = "0123456789abcdef"

// appendString appends a WTF-8 string as a JSON string.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
			i++
			start = i
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && width == 1 {
			r, width, _ = decodeRune(s[i:])
			dst = append(dst, s[start:i]...)
			dst = append(dst, '\\', 'u', hexDigits[r>>12&15], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
			start = i + width
		}
		i += width
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscape appends the shortest escape of an ASCII character.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
