package trace

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// SyntaxError says why a text is not JSON.
type SyntaxError struct {
	Offset  int // position in the text, in bytes from 0
	Message string
}

// Error returns "offset 12: message".
func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Message) }

// ParseValue reads one JSON text (RFC 8259) with optional white space around it.
// It accepts exactly what encoding/json.Valid accepts, in linear time, and keeps
// all that the text says. Duplicate keys, lone surrogates and bytes that are not
// UTF-8 are kept and reported as problems. The error is a [*SyntaxError].
//
// The Value does not alias data.
func ParseValue(data []byte) (Value, []Problem, error) {
	p := parser{text: string(data)}
	v, err := p.document()
	if err != nil {
		return Value{}, nil, err
	}
	return v, p.problems.list, nil
}

// parser is a recursive descent parser over text.
type parser struct {
	text     string
	pos      int
	depth    int
	path     []pathElement // where the parser is, for problems
	items    []Value       // stack shared by the arrays that are open
	fields   []Field       // stack shared by the objects that are open
	problems problemList
}

// pathElement is one step of a JSON pointer: a key of an object, or an index.
type pathElement struct {
	isKey bool
	key   string
	index int
}

func (p *parser) document() (Value, error) {
	p.space()
	v, err := p.value()
	if err != nil {
		return Value{}, err
	}
	p.space()
	if p.pos < len(p.text) {
		return Value{}, p.unexpected("after the end of the value")
	}
	return v, nil
}

func (p *parser) fail(message string) error {
	return &SyntaxError{Offset: p.pos, Message: message}
}

// unexpected reports the character at the current position.
func (p *parser) unexpected(where string) error {
	if p.pos >= len(p.text) {
		return p.fail("unexpected end of text " + where)
	}
	r, width := utf8.DecodeRuneInString(p.text[p.pos:])
	if r == utf8.RuneError && width == 1 {
		return p.fail(fmt.Sprintf("unexpected byte 0x%02x %s", p.text[p.pos], where))
	}
	return p.fail(fmt.Sprintf("unexpected %s %s", strconv.QuoteRune(r), where))
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek returns the current byte, or 0 at the end; 0 is legal nowhere outside of
// the error cases.
func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) value() (Value, error) {
	switch c := p.peek(); {
	case c == '"':
		s, err := p.string()
		return Value{kind: KindString, text: s}, err
	case c == '{':
		return p.nested(p.object)
	case c == '[':
		return p.nested(p.array)
	case c == '-' || isDigit(c):
		n, message := scanNumber(p.text[p.pos:])
		literal := p.text[p.pos : p.pos+n]
		p.pos += n
		if message != "" {
			return Value{}, p.fail(message)
		}
		return Value{kind: KindNumber, text: literal}, nil
	case p.word("null"):
		return Null(), nil
	case p.word("true"):
		return Bool(true), nil
	case p.word("false"):
		return Bool(false), nil
	}
	return Value{}, p.unexpected("where a value must start")
}

func (p *parser) word(w string) bool {
	if !strings.HasPrefix(p.text[p.pos:], w) {
		return false
	}
	p.pos += len(w)
	return true
}

// nested runs a parser of an array or object, whose first byte is current,
// within the depth limit.
func (p *parser) nested(parse func() (Value, error)) (Value, error) {
	if p.depth == MaxDepth {
		return Value{}, p.fail(fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	}
	p.depth++
	p.pos++
	v, err := parse()
	p.depth--
	return v, err
}

func (p *parser) array() (Value, error) {
	start := len(p.items)
	p.path = append(p.path, pathElement{})
	p.space()
	for more := p.peek() != ']'; more; {
		p.path[len(p.path)-1].index = len(p.items) - start
		p.space()
		v, err := p.value()
		if err != nil {
			return Value{}, err
		}
		p.items = append(p.items, v)
		p.space()
		if more = p.peek() == ','; more {
			p.pos++
		}
	}
	if p.peek() != ']' {
		return Value{}, p.unexpected("where ',' or ']' must follow")
	}
	p.pos++
	p.path = p.path[:len(p.path)-1]
	items := append(make([]Value, 0, len(p.items)-start), p.items[start:]...)
	p.items = p.items[:start]
	return Array(items...), nil
}

func (p *parser) object() (Value, error) {
	start := len(p.fields)
	p.path = append(p.path, pathElement{})
	p.space()
	for more := p.peek() != '}'; more; {
		p.space()
		if err := p.field(); err != nil {
			return Value{}, err
		}
		p.space()
		if more = p.peek() == ','; more {
			p.pos++
		}
	}
	if p.peek() != '}' {
		return Value{}, p.unexpected("where ',' or '}' must follow")
	}
	p.pos++
	p.path = p.path[:len(p.path)-1]
	fields := append(make([]Field, 0, len(p.fields)-start), p.fields[start:]...)
	p.fields = p.fields[:start]
	depth := 0
	for i := range fields {
		depth = max(depth, fields[i].Value.Depth())
	}
	v := newObject(fields, depth)
	if v.node.duplicate {
		p.reportDuplicates(fields)
	}
	return v, nil
}

// field parses one key and value and pushes it on the stack.
func (p *parser) field() error {
	if p.peek() != '"' {
		return p.unexpected("where a key must start")
	}
	p.path[len(p.path)-1] = pathElement{isKey: true}
	key, err := p.string()
	if err != nil {
		return err
	}
	p.path[len(p.path)-1].key = key
	p.space()
	if p.peek() != ':' {
		return p.unexpected("where ':' must follow")
	}
	p.pos++
	p.space()
	v, err := p.value()
	if err != nil {
		return err
	}
	p.fields = append(p.fields, Field{key, v})
	return nil
}

func (p *parser) reportDuplicates(fields []Field) {
	count := make(map[string]int, len(fields))
	for _, f := range fields {
		count[f.Key]++
		if count[f.Key] == 2 {
			p.report(ProblemDuplicateKey, fmt.Sprintf("key %s occurs more than once; the last value counts", quote(f.Key)))
		}
	}
}

// report adds a problem at the current path.
func (p *parser) report(kind ProblemKind, detail string) {
	if p.problems.full() {
		return
	}
	var path []byte
	for _, e := range p.path {
		if e.isKey {
			path = appendPointer(path, e.key)
		} else {
			path = appendPointer(path, strconv.Itoa(e.index))
		}
	}
	p.problems.add(Problem{Kind: kind, Path: string(path), Detail: detail})
}

// string parses a string, whose opening quote is current. A string without
// escapes is a substring of the text and costs no allocation.
func (p *parser) string() (string, error) {
	p.pos++
	start := p.pos
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			s := p.text[start:p.pos]
			p.pos++
			return p.checked(s), nil
		case c == '\\':
			return p.escaped(start)
		case c < 0x20:
			return "", p.fail("a control character must be escaped in a string")
		}
		p.pos++
	}
	return "", p.fail("unexpected end of text in a string")
}

// escaped finishes a string that started at start and has its first backslash at
// the current position.
func (p *parser) escaped(start int) (string, error) {
	end := closingQuote(p.text, p.pos)
	if end < 0 {
		p.pos = len(p.text)
		return "", p.fail("unexpected end of text in a string")
	}
	buf := make([]byte, 0, end-start)
	buf = append(buf, p.text[start:p.pos]...)
	for p.pos < end {
		run := p.pos
		for p.pos < end && p.text[p.pos] != '\\' && p.text[p.pos] >= 0x20 {
			p.pos++
		}
		buf = append(buf, p.text[run:p.pos]...)
		if p.pos == end {
			break
		}
		if p.text[p.pos] < 0x20 {
			return "", p.fail("a control character must be escaped in a string")
		}
		r, err := p.escape()
		if err != nil {
			return "", err
		}
		buf = appendRune(buf, r)
	}
	p.pos = end + 1
	return p.checked(string(buf)), nil
}

// closingQuote returns the position of the first quote from i on that no
// backslash escapes, or -1.
func closingQuote(s string, i int) int {
	for ; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// simpleEscapes maps the letter after a backslash to its character.
var simpleEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape parses an escape sequence, whose backslash is current.
func (p *parser) escape() (rune, error) {
	p.pos++
	c := p.peek()
	if r := simpleEscapes[c]; r != 0 {
		p.pos++
		return rune(r), nil
	}
	if c != 'u' {
		return 0, p.unexpected("after '\\' in a string")
	}
	p.pos++
	var r rune
	for range 4 {
		digit, ok := hexDigit(p.peek())
		if !ok {
			return 0, p.unexpected("where a hexadecimal digit must follow")
		}
		r = r<<4 | digit
		p.pos++
	}
	return r, nil
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case '0' <= c && c <= '9':
		return rune(c - '0'), true
	case 'a' <= c && c <= 'f':
		return rune(c-'a') + 10, true
	case 'A' <= c && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}

// checked returns a parsed string as well-formed WTF-8 and reports what UTF-8
// cannot hold.
func (p *parser) checked(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	for rest := s; len(rest) > 0; {
		r, width, ok := decodeRune(rest)
		if !ok {
			p.report(ProblemInvalidUTF8, fmt.Sprintf(`byte 0x%02x is not UTF-8; kept as \udc%02x`, r, r))
			break
		}
		rest = rest[width:]
	}
	s = wellFormed(s)
	for rest := s; len(rest) > 0; {
		r, width, _ := decodeRune(rest)
		if isSurrogate(r) {
			p.report(ProblemLoneSurrogate, fmt.Sprintf(`the string holds the lone surrogate \u%04x`, r))
			break
		}
		rest = rest[width:]
	}
	return s
}
