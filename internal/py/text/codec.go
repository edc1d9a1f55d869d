package text

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Codec is one of the encodings the interpreter knows.
type Codec uint8

// The codecs.
const (
	UTF8 Codec = iota
	ASCIICodec
	Latin1
)

// String returns the name that error texts use.
func (c Codec) String() string {
	switch c {
	case ASCIICodec:
		return "ascii"
	case Latin1:
		return "latin-1"
	}
	return "utf-8"
}

// FindCodec returns the codec of an encoding name or alias; case does not
// count, nor which punctuation separates the words.
func FindCodec(name string) (Codec, error) {
	switch normalizeCodec(name) {
	case "utf_8", "utf8", "u8", "utf", "utf8_ucs2", "utf8_ucs4", "cp65001":
		return UTF8, nil
	case "ascii", "646", "ansi_x3.4_1968", "ansi_x3_4_1968", "ansi_x3.4_1986", "cp367", "csascii",
		"ibm367", "iso646_us", "iso_646.irv_1991", "iso_ir_6", "us", "us_ascii":
		return ASCIICodec, nil
	case "latin_1", "latin1", "latin", "l1", "8859", "cp819", "csisolatin1", "ibm819", "iso8859",
		"iso8859_1", "iso_8859_1", "iso_8859_1_1987", "iso_ir_100":
		return Latin1, nil
	}
	return 0, errorf(LookupError, "unknown encoding: %s", name)
}

// normalizeCodec lowers name and turns each run of punctuation into "_".
func normalizeCodec(name string) string {
	var b []byte
	gap := false
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '.' && digitValue(c) == 99 {
			gap = true
			continue
		}
		if gap && len(b) > 0 {
			b = append(b, '_')
		}
		gap = false
		b = append(b, c)
	}
	return strings.ToLower(string(b))
}

// Encode is s.encode(encoding, errors). The error handlers are strict, ignore,
// replace, backslashreplace, xmlcharrefreplace, surrogateescape and
// surrogatepass; as in CPython an unknown handler only matters at an error.
func Encode(s string, codec Codec, errors string) ([]byte, error) {
	if IsASCII(s) || codec == UTF8 && utf8.ValidString(s) {
		return []byte(s), nil
	}
	b := make([]byte, 0, len(s))
	pos := 0
	for at := 0; at < len(s); {
		r, n := DecodeRune(s[at:])
		if codec.encodes(r) {
			b = codec.append(b, r)
			at, pos = at+n, pos+1
			continue
		}
		bad := UnicodeError{Encode: true, Encoding: codec.String(), Object: s, Start: pos, Reason: codec.reason()}
		start := at
		for at < len(s) {
			if r, n = DecodeRune(s[at:]); codec.encodes(r) {
				break
			}
			at, pos = at+n, pos+1
		}
		bad.End = pos
		var err error
		if b, err = codec.encodeBad(b, s[start:at], errors, bad); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (c Codec) reason() string {
	switch c {
	case ASCIICodec:
		return "ordinal not in range(128)"
	case Latin1:
		return "ordinal not in range(256)"
	}
	return "surrogates not allowed"
}

func (c Codec) encodes(r rune) bool {
	switch c {
	case ASCIICodec:
		return r < 0x80
	case Latin1:
		return r < 0x100
	}
	return !IsSurrogate(r)
}

func (c Codec) append(b []byte, r rune) []byte {
	if c == UTF8 {
		return AppendRune(b, r)
	}
	return append(b, byte(r))
}

// encodeBad applies the error handler to a run that the codec cannot encode.
func (c Codec) encodeBad(b []byte, run, errors string, bad UnicodeError) ([]byte, error) {
	for run != "" {
		r, n := DecodeRune(run)
		switch errors {
		case "ignore":
		case "replace":
			b = append(b, '?')
		case "backslashreplace":
			b = appendEscape(b, r)
		case "xmlcharrefreplace":
			b = fmt.Appendf(b, "&#%d;", r)
		case "surrogatepass":
			if c != UTF8 {
				return nil, &bad
			}
			b = AppendRune(b, r)
		case "surrogateescape":
			if r < 0xDC80 || r > 0xDCFF {
				return nil, &bad
			}
			b = append(b, byte(r))
		case "strict", "":
			return nil, &bad
		default:
			return nil, unknownHandler(errors)
		}
		run = run[n:]
		bad.Start++
	}
	return b, nil
}

func unknownHandler(name string) error {
	return errorf(LookupError, "unknown error handler name '%s'", name)
}

// Decode is b.decode(encoding, errors) with the handlers of [Encode].
func Decode(p []byte, codec Codec, errors string) (string, error) {
	if codec == Latin1 {
		b := make([]byte, 0, len(p))
		for _, c := range p {
			b = utf8.AppendRune(b, rune(c))
		}
		return string(b), nil
	}
	s := string(p)
	if IsASCII(s) || codec == UTF8 && utf8.ValidString(s) {
		return s, nil
	}
	b := make([]byte, 0, len(p))
	for at := 0; at < len(p); {
		size, reason := 1, ""
		switch {
		case p[at] < utf8.RuneSelf:
		case codec == ASCIICodec:
			reason = codec.reason()
		default:
			size, reason = scanUTF8(p[at:])
		}
		if reason == "" {
			b = append(b, p[at:at+size]...)
			at += size
			continue
		}
		bad := UnicodeError{Encoding: codec.String(), Bytes: p, Start: at, End: at + size, Reason: reason}
		var err error
		if b, size, err = codec.decodeBad(b, errors, bad); err != nil {
			return "", err
		}
		at += size
	}
	return string(b), nil
}

// scanUTF8 returns the size of the code point at the start of p, which is not
// empty, or the size of the bad part and what is wrong with it.
func scanUTF8(p []byte) (size int, reason string) {
	want, low, high := 0, byte(0x80), byte(0xBF)
	switch c := p[0]; {
	case c < 0x80:
		return 1, ""
	case c < 0xC2 || c > 0xF4:
		return 1, "invalid start byte"
	case c < 0xE0:
		want = 2
	case c < 0xF0:
		want = 3
	default:
		want = 4
	}
	// The second byte excludes overlong forms, surrogates and values too large.
	switch p[0] {
	case 0xE0:
		low = 0xA0
	case 0xED:
		high = 0x9F
	case 0xF0:
		low = 0x90
	case 0xF4:
		high = 0x8F
	}
	for size = 1; size < want; size++ {
		if size == len(p) {
			return size, "unexpected end of data"
		}
		if p[size] < low || p[size] > high {
			return size, "invalid continuation byte"
		}
		low, high = 0x80, 0xBF
	}
	return want, ""
}

// decodeBad applies the error handler and returns the number of bytes used up.
func (c Codec) decodeBad(b []byte, errors string, bad UnicodeError) ([]byte, int, error) {
	part := bad.Bytes[bad.Start:bad.End]
	switch errors {
	case "ignore":
	case "replace":
		b = utf8.AppendRune(b, utf8.RuneError)
	case "backslashreplace":
		for _, x := range part {
			b = append(b, '\\', 'x', hexDigits[x>>4], hexDigits[x&15])
		}
	case "surrogateescape":
		for _, x := range part {
			b = AppendRune(b, 0xDC00|rune(x))
		}
	case "surrogatepass":
		if c == UTF8 && bad.Start+3 <= len(bad.Bytes) {
			if s := string(bad.Bytes[bad.Start : bad.Start+3]); isSurrogateForm(s) {
				return append(b, s...), 3, nil
			}
		}
		return nil, 0, &bad
	case "strict", "":
		return nil, 0, &bad
	case "xmlcharrefreplace":
		return nil, 0, errorf(TypeError, "don't know how to handle UnicodeDecodeError in error callback")
	default:
		return nil, 0, unknownHandler(errors)
	}
	return b, len(part), nil
}
