package stdlib

import (
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// The base64 module, on bytes. Source of the encodings: RFC 4648.

// binasciiErrorType is binascii.Error.
var binasciiErrorType = py.NewType("binascii", "Error", py.ValueErrorType)

func binasciiError(format string, args ...any) error {
	return py.RaiseType(binasciiErrorType, format, args...)
}

func buildBase64() *py.Module {
	encode := func(alt string) py.NativeFunc {
		return func(t *py.Thread, a []py.Value) (py.Value, error) { return encodeBase64(t, a[0], alt) }
	}
	decode := func(alt string) py.NativeFunc {
		return func(t *py.Thread, a []py.Value) (py.Value, error) { return decodeBase64(t, a[0], alt, false) }
	}
	return py.NewModule("base64",
		pyFunc("b64encode", "s, altchars=None", func(t *py.Thread, a []py.Value) (py.Value, error) {
			alt, err := altChars(a[1])
			if err != nil {
				return nil, err
			}
			return encodeBase64(t, a[0], alt)
		}),
		pyFunc("b64decode", "s, altchars=None, validate=False", func(t *py.Thread, a []py.Value) (py.Value, error) {
			alt, err := altChars(a[1])
			if err != nil {
				return nil, err
			}
			strict, err := t.Truth(given(a[2], py.False))
			if err != nil {
				return nil, err
			}
			return decodeBase64(t, a[0], alt, strict)
		}),
		pyFunc("standard_b64encode", "s", encode("+/")), pyFunc("standard_b64decode", "s", decode("+/")),
		pyFunc("urlsafe_b64encode", "s", encode("-_")), pyFunc("urlsafe_b64decode", "s", decode("-_")),
		pyFunc("b32encode", "s", func(t *py.Thread, a []py.Value) (py.Value, error) {
			b, err := bytesLike(t, a[0])
			return &py.Bytes{B: base32.StdEncoding.EncodeToString([]byte(b))}, err
		}),
		pyFunc("b32decode", "s, casefold=False, map01=None", decodeBase32),
		pyFunc("b16encode", "s", func(t *py.Thread, a []py.Value) (py.Value, error) {
			b, err := bytesLike(t, a[0])
			return &py.Bytes{B: strings.ToUpper(hex.EncodeToString([]byte(b)))}, err
		}),
		pyFunc("b16decode", "s, casefold=False", decodeBase16),
	)
}

// bytesLike returns the content of a bytes argument and pays for a copy.
func bytesLike(t *py.Thread, v py.Value) (string, error) {
	b, ok := py.Unwrap(v).(*py.Bytes)
	if !ok {
		return "", py.TypeErrorf("a bytes-like object is required, not '%s'", py.TypeName(v))
	}
	return b.B, t.Alloc(2*len(b.B) + 16)
}

// bytesOrASCII returns the argument of a decoder: bytes, or a str of ASCII.
func bytesOrASCII(t *py.Thread, v py.Value) (string, error) {
	switch x := py.Unwrap(v).(type) {
	case *py.Str:
		if !x.ASCII() {
			return "", py.ValueErrorf("string argument should contain only ASCII characters")
		}
		return x.String(), t.Alloc(x.Len() + 16)
	case *py.Bytes:
		return x.B, t.Alloc(len(x.B) + 16)
	}
	return "", py.TypeErrorf("argument should be a bytes-like object or ASCII string, not '%s'", py.TypeName(v))
}

// altChars returns the two characters that replace "+/".
func altChars(v py.Value) (string, error) {
	if !isSet(v) {
		return "+/", nil
	}
	var s string
	switch x := py.Unwrap(v).(type) {
	case *py.Bytes:
		s = x.B
	case *py.Str:
		s = x.String()
	default:
		return "", py.TypeErrorf("object of type '%s' has no len()", py.TypeName(v))
	}
	if len(s) != 2 {
		return "", py.RaiseType(py.AssertionErrorType, "%s", text.BytesRepr([]byte(s)))
	}
	return s, nil
}

func encodeBase64(t *py.Thread, v py.Value, alt string) (py.Value, error) {
	b, err := bytesLike(t, v)
	if err != nil {
		return nil, err
	}
	s := base64.StdEncoding.EncodeToString([]byte(b))
	return &py.Bytes{B: translatePair(s, "+/", alt)}, nil
}

// translatePair replaces two characters by two others.
func translatePair(s, from, to string) string {
	if from == to {
		return s
	}
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(from, r); i >= 0 {
			return rune(to[i])
		}
		return r
	}, s)
}

const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

// decodeBase64 skips characters outside the alphabet unless strict, and stops
// after a complete padding.
func decodeBase64(t *py.Thread, v py.Value, alt string, strict bool) (py.Value, error) {
	s, err := bytesOrASCII(t, v)
	if err != nil {
		return nil, err
	}
	if strict && strings.HasPrefix(s, "=") {
		return nil, binasciiError("Leading padding not allowed")
	}
	var out []byte
	quad, pads, padded, acc := 0, 0, false, uint32(0)
	for i := range len(s) {
		c := s[i]
		if k := strings.IndexByte(alt, c); k >= 0 && alt != "+/" {
			c = "+/"[k]
		}
		if c == '=' {
			padded = true
			if quad >= 2 {
				if pads++; quad+pads >= 4 {
					if strict && i+1 < len(s) {
						return nil, binasciiError("Excess data after padding")
					}
					return &py.Bytes{B: string(out)}, nil
				}
			}
			continue
		}
		d := strings.IndexByte(base64Alphabet, c)
		switch {
		case d < 0 && strict:
			return nil, binasciiError("Only base64 data is allowed")
		case d < 0:
			continue
		case strict && padded:
			return nil, binasciiError("Discontinuous padding not allowed")
		}
		pads = 0
		acc = acc<<6 | uint32(d)
		if quad > 0 {
			out = append(out, byte(acc>>(6-2*quad)))
		}
		quad = (quad + 1) % 4
	}
	switch quad {
	case 0:
		return &py.Bytes{B: string(out)}, nil
	case 1:
		return nil, binasciiError("Invalid base64-encoded string: number of data characters (%d) cannot be 1 more than a multiple of 4", len(out)/3*4+1)
	}
	return nil, binasciiError("Incorrect padding")
}

func decodeBase32(t *py.Thread, a []py.Value) (py.Value, error) {
	s, err := bytesOrASCII(t, a[0])
	if err != nil {
		return nil, err
	}
	if len(s)%8 != 0 {
		return nil, binasciiError("Incorrect padding")
	}
	if isSet(a[2]) {
		m, err := bytesOrASCII(t, a[2])
		if err != nil {
			return nil, err
		}
		if len(m) != 1 {
			return nil, py.RaiseType(py.AssertionErrorType, "%s", text.BytesRepr([]byte(m)))
		}
		s = translatePair(s, "01", "O"+m)
	}
	fold, err := t.Truth(given(a[1], py.False))
	if err != nil {
		return nil, err
	}
	if fold {
		s = strings.ToUpper(s)
	}
	body := strings.TrimRight(s, "=")
	for i := range len(body) {
		if strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", body[i]) < 0 {
			return nil, binasciiError("Non-base32 digit found")
		}
	}
	switch len(s) - len(body) {
	case 0, 1, 3, 4, 6:
	default:
		return nil, binasciiError("Incorrect padding")
	}
	out, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(body)
	if err != nil {
		return nil, binasciiError("Incorrect padding")
	}
	return &py.Bytes{B: string(out)}, nil
}

func decodeBase16(t *py.Thread, a []py.Value) (py.Value, error) {
	s, err := bytesOrASCII(t, a[0])
	if err != nil {
		return nil, err
	}
	fold, err := t.Truth(given(a[1], py.False))
	if err != nil {
		return nil, err
	}
	if fold {
		s = strings.ToUpper(s)
	}
	if strings.Trim(s, "0123456789ABCDEF") != "" {
		return nil, binasciiError("Non-base16 digit found")
	}
	out, err := hex.DecodeString(s)
	if err != nil {
		return nil, binasciiError("Odd-length string")
	}
	return &py.Bytes{B: string(out)}, nil
}
