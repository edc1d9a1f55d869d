package stdlib

import (
	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
	"strings"
)

// text writes a string literal. With ensure_ascii every code point outside the
// printable ASCII range is escaped, as a surrogate pair above U+FFFF.
func (e *jsonEncoder) text(v *py.Str) error {
	s := v.String()
	if err := e.t.Charge(len(s) / 16); err != nil {
		return err
	}
	b := &e.b
	b.WriteByte('"')
	plain := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && (c < 0x7F || !e.ascii) {
			i++
			continue
		}
		b.WriteString(s[plain:i])
		n := 1
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' && strings.IndexByte("\n\r\t\f\b", c) >= 0:
			b.WriteByte('\\')
			b.WriteByte("nrtfb"[strings.IndexByte("\n\r\t\f\b", c)])
		default:
			var r rune
			r, n = text.DecodeRune(s[i:])
			writeJSONEscape(b, r)
		}
		i += n
		plain = i
	}
	b.WriteString(s[plain:])
	b.WriteByte('"')
	return nil
}

func writeJSONEscape(b *strings.Builder, r rune) {
	if r > 0xFFFF {
		r -= 0x10000
		writeJSONEscape(b, 0xD800|r>>10)
		r = 0xDC00 | r&0x3FF
	}
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(hexDigits[r>>shift&15])
	}
}
