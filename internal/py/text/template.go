package text

import (
	"math"
	"strings"
)

// FormatPart is a piece of a str.format template: literal text, or a
// replacement field when Field is not nil.
type FormatPart struct {
	Literal string
	Field   *FormatField
}

// FormatField is a replacement field {name.path!conversion:spec}.
//
// CPython parses while it evaluates, so the order of errors is visible. A
// caller that wants the same order finds the argument, applies Path, fails with
// PathErr, applies Conversion ([FormatField.CheckConversion]), renders Spec,
// fails with SpecErr, and only then formats the value.
type FormatField struct {
	Index      int        // positional argument, -1 for a keyword argument
	Name       string     // keyword argument when Index is -1
	Path       []Accessor // attribute and item accesses in order
	PathErr    error
	Conversion rune // 'r', 's', 'a', any other, or 0 for none
	Spec       []FormatPart
	SpecErr    error
}

// Accessor is one step of a path: .Name, [Index] or [Name].
type Accessor struct {
	Attr  bool
	Name  string
	Index int // item index, -1 when the item key is Name
}

// ErrPositional is what str.format_map raises for a field with an Index.
var ErrPositional error = &Error{ValueError, "Format string contains positional fields"}

// formatDepth is the nesting CPython allows: a field in the specification of a
// field, and no deeper.
const formatDepth = 2

// ParseFormat splits a str.format template into literals and fields. Fields
// without a name are numbered. When the template is broken, the parts before
// the trouble are returned with the error, for CPython renders them first.
func ParseFormat(s string) ([]FormatPart, error) {
	var n numbering
	return n.parse(s, formatDepth)
}

// numbering tells automatic field numbers from manual ones, which do not mix.
type numbering struct {
	mode byte // 0 at first, then 'a' or 'm'
	next int
}

func (n *numbering) parse(s string, depth int) ([]FormatPart, error) {
	if depth == 0 {
		return nil, errorf(ValueError, "Max string recursion exceeded")
	}
	var parts []FormatPart
	for s != "" {
		literal, rest, err := scanLiteral(s)
		if literal != "" {
			parts = append(parts, FormatPart{Literal: literal})
		}
		if err != nil {
			return parts, err
		}
		if s = rest; s == "" {
			break
		}
		raw, rest, err := scanField(s[1:])
		if err != nil {
			return parts, err
		}
		field, err := n.field(raw, depth)
		if err != nil {
			return parts, err
		}
		parts = append(parts, FormatPart{Field: field})
		s = rest
	}
	return parts, nil
}

// scanLiteral reads text up to the brace of a field, resolving doubled braces.
// rest is empty or starts with that brace.
func scanLiteral(s string) (literal, rest string, err error) {
	var b []byte
	for {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			return string(append(b, s...)), "", nil
		}
		b = append(b, s[:i]...)
		c := s[i]
		switch {
		case i+1 < len(s) && s[i+1] == c:
			b = append(b, c)
			s = s[i+2:]
		case c == '{' && i+1 < len(s):
			return string(b), s[i:], nil
		default:
			return string(b), "", errorf(ValueError, "Single '%c' encountered in format string", c)
		}
	}
}

// rawField is a field cut into its three pieces.
type rawField struct {
	name       string
	conversion rune
	spec       string
}

// scanField cuts the field at the start of s, whose opening brace is gone, and
// returns what follows its closing brace.
func scanField(s string) (f rawField, rest string, err error) {
	end := nameEnd(s)
	if end == len(s) {
		return f, "", errorf(ValueError, "expected '}' before end of string")
	}
	f.name = s[:end]
	mark := s[end]
	s = s[end+1:]
	switch mark {
	case '{':
		return f, "", errorf(ValueError, "unexpected '{' in field name")
	case '}':
		return f, s, nil
	case '!':
		r, n := DecodeRune(s)
		if n == 0 {
			return f, "", errorf(ValueError, "end of string while looking for conversion specifier")
		}
		f.conversion, s = r, s[n:]
		if s != "" {
			c := s[0]
			s = s[1:]
			if c == '}' {
				return f, s, nil
			}
			if c != ':' {
				return f, "", errorf(ValueError, "expected ':' after conversion specifier")
			}
		}
	}
	depth := 1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			f.spec = s[:i]
			return f, s[i+1:], nil
		}
	}
	return f, "", errorf(ValueError, "unmatched '{' in format spec")
}

// nameEnd returns the position of the byte that ends a field name; brackets
// hide everything up to the closing one.
func nameEnd(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '}', ':', '!':
			return i
		case '[':
			j := strings.IndexByte(s[i:], ']')
			if j < 0 {
				return len(s)
			}
			i += j
		}
	}
	return len(s)
}

func (n *numbering) field(raw rawField, depth int) (*FormatField, error) {
	first, path := raw.name, ""
	if i := strings.IndexAny(raw.name, ".["); i >= 0 {
		first, path = raw.name[:i], raw.name[i:]
	}
	index, err := fieldIndex(first)
	if err != nil {
		return nil, err
	}
	f := &FormatField{Index: index, Name: first, Conversion: raw.conversion}
	if first == "" || index >= 0 {
		f.Name = ""
		if f.Index, err = n.number(index); err != nil {
			return nil, err
		}
	}
	f.Path, f.PathErr = parsePath(path)
	if strings.IndexByte(raw.spec, '{') >= 0 {
		f.Spec, f.SpecErr = n.parse(raw.spec, depth-1)
	} else if raw.spec != "" {
		f.Spec = []FormatPart{{Literal: raw.spec}}
	}
	return f, nil
}

// number returns the index of a numbered field; index -1 asks for the next one.
func (n *numbering) number(index int) (int, error) {
	mode := byte('m')
	if index < 0 {
		mode = 'a'
	}
	if n.mode == 0 {
		n.mode = mode
	}
	if n.mode != mode {
		from, to := "manual field specification", "automatic field numbering"
		if mode == 'm' {
			from, to = to, from
		}
		return 0, errorf(ValueError, "cannot switch from %s to %s", from, to)
	}
	if index < 0 {
		index = n.next
		n.next++
	}
	return index, nil
}

// parsePath parses ".a[0][k]". Steps before an error are returned with it.
func parsePath(s string) ([]Accessor, error) {
	var path []Accessor
	for s != "" {
		a := Accessor{Attr: s[0] == '.', Index: -1}
		switch s[0] {
		case '.':
			end := strings.IndexAny(s[1:], ".[")
			if end < 0 {
				end = len(s) - 1
			}
			a.Name, s = s[1:1+end], s[1+end:]
		case '[':
			end := strings.IndexByte(s, ']')
			if end < 0 {
				return path, errorf(ValueError, "Missing ']' in format string")
			}
			a.Name, s = s[1:end], s[end+1:]
			var err error
			if a.Index, err = fieldIndex(a.Name); err != nil {
				return path, err
			}
		default:
			return path, errorf(ValueError, "Only '.' or '[' may follow ']' in format field specifier")
		}
		if a.Name == "" {
			return path, errorf(ValueError, "Empty attribute in format string")
		}
		if a.Index >= 0 {
			a.Name = ""
		}
		path = append(path, a)
	}
	return path, nil
}

// fieldIndex returns the value of a name made of decimal digits only (of any
// script), or -1 for other names.
func fieldIndex(s string) (int, error) {
	if s == "" {
		return -1, nil
	}
	n := 0
	for s != "" {
		r, size := DecodeRune(s)
		v := DecimalValue(r)
		if v < 0 {
			return -1, nil
		}
		if n > (math.MaxInt-v)/10 {
			return 0, errorf(ValueError, "Too many decimal digits in format string")
		}
		n, s = n*10+v, s[size:]
	}
	return n, nil
}

// CheckConversion reports a conversion other than r, s, a and none.
func (f *FormatField) CheckConversion() error {
	switch c := f.Conversion; {
	case c == 0 || c == 'r' || c == 's' || c == 'a':
		return nil
	case c > 32 && c < 127:
		return errorf(ValueError, "Unknown conversion specifier %c", c)
	default:
		return errorf(ValueError, `Unknown conversion specifier \x%x`, c)
	}
}

// MissingIndex returns the IndexError for a positional argument that the call
// did not give.
func (f *FormatField) MissingIndex() error {
	return errorf(IndexError, "Replacement index %d out of range for positional args tuple", f.Index)
}
