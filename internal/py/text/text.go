// Package text holds the pure text functions of CPython 3.11 that the
// interpreter needs: code point access, repr, number parsing and printing, the
// two format languages, character classes, case mapping, the str methods and
// the codecs. It knows nothing of interpreter values: it takes and returns Go
// strings, numbers and errors, so each function can be tested against python3
// on its own.
//
// # Strings
//
// A Python str is a sequence of code points, and a code point may be a lone
// surrogate, which UTF-8 cannot express. All strings here are generalized
// UTF-8: ordinary UTF-8, except that a surrogate is written in its three-byte
// form ED A0..BF xx, alone or in pairs. Three properties follow:
//
//   - concatenation of two strings is concatenation of their bytes (a high half
//     followed by a low half stays two code points, as in Python);
//   - byte order is code point order, so < and == on Go strings are right;
//   - a search on bytes can only match at code point boundaries.
//
// Go's range loop does not know surrogates; use [DecodeRune].
//
// Functions never panic on strings that break the rule: a stray byte counts as
// U+FFFD. Positions are code point indexes, never byte offsets.
//
// # Errors
//
// A failure that a Python program can see is an *[Error] (class and text of the
// exception) or a *[UnicodeError] (the two exceptions that carry attributes).
//
// # Memory
//
// A result can be much larger than its arguments ('%2000000000d'). Spec and
// PercentPart export their widths, and [ReplaceSize] and [ExpandTabsSize] give
// sizes, so that a caller can charge for memory before it asks for the text.
package text

import "fmt"

// Names of the Python exception classes in [Error.Class].
const (
	ValueError    = "ValueError"
	TypeError     = "TypeError"
	OverflowError = "OverflowError"
	LookupError   = "LookupError"
	IndexError    = "IndexError"
	MemoryError   = "MemoryError"
)

// MaxSize bounds the bytes of a text that padding or repetition makes. Beyond
// it a function returns a MemoryError with an empty text, as CPython does when
// the allocation fails. It only keeps Go from a panic: callers with a smaller
// budget compare the sizes first.
const MaxSize = 1 << 30

func errTooLarge() error { return &Error{Class: MemoryError} }

// Error is a Python exception to be raised: Class is its class name and Text
// the exact message of CPython 3.11.
type Error struct {
	Class string
	Text  string
}

// Error returns the message without the class.
func (e *Error) Error() string { return e.Text }

func errorf(class, format string, args ...any) *Error {
	return &Error{Class: class, Text: fmt.Sprintf(format, args...)}
}

// UnicodeError carries the attributes of UnicodeEncodeError (Encode true,
// Object set) or UnicodeDecodeError (Bytes set). Start and End bound the bad
// part of the object: code points when encoding, bytes when decoding.
type UnicodeError struct {
	Encode   bool
	Encoding string
	Object   string
	Bytes    []byte
	Start    int
	End      int
	Reason   string
}

// Class returns the name of the Python exception class.
func (e *UnicodeError) Class() string {
	if e.Encode {
		return "UnicodeEncodeError"
	}
	return "UnicodeDecodeError"
}

// Error returns str() of the exception.
func (e *UnicodeError) Error() string {
	verb, unit, units := "decode", "byte", "bytes"
	if e.Encode {
		verb, unit, units = "encode", "character", "characters"
	}
	if e.End-e.Start != 1 {
		return fmt.Sprintf("'%s' codec can't %s %s in position %d-%d: %s",
			e.Encoding, verb, units, e.Start, e.End-1, e.Reason)
	}
	return fmt.Sprintf("'%s' codec can't %s %s %s in position %d: %s",
		e.Encoding, verb, unit, e.culprit(), e.Start, e.Reason)
}

// culprit shows the one bad unit: 0xff for a byte, '\ud800' for a character.
func (e *UnicodeError) culprit() string {
	if !e.Encode {
		if e.Start < 0 || e.Start >= len(e.Bytes) {
			return "0x00"
		}
		return fmt.Sprintf("0x%02x", e.Bytes[e.Start])
	}
	c, _ := Index(e.Object, e.Start)
	r, _ := DecodeRune(c)
	return "'" + string(appendEscape(nil, r)) + "'"
}
