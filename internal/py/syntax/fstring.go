package syntax

import "strings"

// In Python 3.11 an f-string is an ordinary string token whose text is parsed in
// a second step: literal text, and replacement fields {expr!conv:spec}. The
// expressions contain neither backslashes nor the quotes of the string, so they
// are pieces of the source text and keep their positions.

// maxFieldDepth is the number of levels of fields: a field, and fields in its
// format specification.
const maxFieldDepth = 2

// template parses the text of an f-string.
type template struct {
	p        *parser
	lit      literal
	off, end int   // the rest of the text
	mark     lexer // keeps the position; advances to the start of each field
}

// formatted adds the parts of an f-string to j.
func (p *parser) formatted(j *joiner, lit literal) {
	j.format = true
	t := template{p: p, lit: lit, off: lit.start, end: lit.end}
	t.mark = lexer{file: p.file, src: p.src, off: lit.tok.start, line: lit.tok.pos.Line,
		lineStart: lit.tok.start - int(lit.tok.pos.Col) + 1, fragment: true}
	t.parts(j, 0)
}

// parts parses text and fields up to the end of the f-string, or up to the "}"
// that ends a format specification. The level is 0 outside of fields.
func (t *template) parts(j *joiner, level int) {
	for {
		if t.text(j, level) {
			continue
		}
		if t.off >= t.end || t.p.src[t.off] == '}' {
			return
		}
		t.field(j, level)
	}
}

// text parses literal text and reports whether it ended behind a doubled brace.
func (t *template) text(j *joiner, level int) (doubled bool) {
	src, start := t.p.src, t.off
	for t.off < t.end && !doubled {
		c := src[t.off]
		t.off++
		if c == '\\' && !t.lit.raw && t.off < t.end {
			c = src[t.off]
			t.off++
			if c == 'N' {
				t.skipCharName()
				continue
			}
		}
		if c != '{' && c != '}' {
			continue
		}
		if level == 0 && t.off < t.end && src[t.off] == c {
			doubled = true
			continue
		}
		if level == 0 && c == '}' {
			t.fail("f-string: single '}' is not allowed")
		}
		t.off--
		break
	}
	j.text = t.p.appendText(j.text, t.lit, src[start:t.off])
	if doubled {
		t.off++
	}
	return doubled
}

// skipCharName moves over the braces of \N{name}, which are no field.
func (t *template) skipCharName() {
	if t.off >= t.end {
		return
	}
	t.off++
	if t.p.src[t.off-1] != '{' {
		return
	}
	for t.off < t.end && t.p.src[t.off] != '}' {
		t.off++
	}
	if t.off < t.end {
		t.off++
	}
}

// field parses a replacement field, from its "{" to its "}".
func (t *template) field(j *joiner, level int) {
	if level >= maxFieldDepth {
		t.fail("f-string: expressions nested too deeply")
	}
	t.off++
	start := t.off
	t.skipExpr()
	f := &FormattedValue{Conversion: -1}
	f.Value = t.expr(start, t.off, f)
	documented := t.peek() == '='
	if documented {
		t.off++
		for strings.IndexByte(" \t\n\v\f", t.peek()) >= 0 {
			t.off++
		}
		j.text = append(j.text, t.p.src[start:t.off]...)
	}
	if t.peek() == '!' {
		t.off++
		f.Conversion = int(t.peek())
		t.off++
		if c := f.Conversion; c != 's' && c != 'r' && c != 'a' {
			t.fail("f-string: invalid conversion character: expected 's', 'r', or 'a'")
		}
	}
	if t.off < t.end && t.peek() == ':' {
		t.off++
		spec := joiner{at: f.Pos, kind: j.kind, format: true}
		t.parts(&spec, level+1)
		spec.kind = "" // CPython marks only the text before a field as u""
		f.FormatSpec = spec.finish()
	}
	if t.off >= t.end || t.peek() != '}' {
		t.fail("f-string: expecting '}'")
	}
	t.off++
	if documented && f.FormatSpec == nil && f.Conversion == -1 {
		f.Conversion = 'r'
	}
	j.flush()
	j.values = append(j.values, f)
}

// peek returns the current byte; it fails at the end of the text, where a field
// cannot end.
func (t *template) peek() byte {
	if t.off >= t.end {
		t.fail("f-string: expecting '}'")
	}
	return t.p.src[t.off]
}

func (t *template) fail(msg string) {
	t.mark.advance(t.off)
	t.p.fail(t.mark.pos(), "%s", msg)
}

// skipExpr moves over the expression of a field, to the "=", "!", ":" or "}"
// behind it. These end the expression wherever they stand outside of brackets
// and strings, which is why a lambda needs parentheses here.
func (t *template) skipExpr() {
	var open []byte
	for ; t.off < t.end; t.off++ {
		switch c := t.p.src[t.off]; c {
		case '\\':
			t.fail("f-string expression part cannot include a backslash")
		case '#':
			t.fail("f-string expression part cannot include '#'")
		case '\'', '"':
			t.skipString()
		case '(', '[', '{':
			if len(open) >= maxBrackets {
				t.fail("f-string: too many nested parentheses")
			}
			open = append(open, c)
		case '!', '=', '<', '>', ':', '}', ')', ']':
			if len(open) == 0 {
				if t.comparison(c) {
					continue
				}
				if c == ')' || c == ']' {
					t.fail("f-string: unmatched '" + string(c) + "'")
				}
				return
			}
			if c != '}' && c != ')' && c != ']' {
				continue
			}
			if top := open[len(open)-1]; c-top > 2 { // a pair is 1 or 2 apart in ASCII
				t.fail("f-string: closing parenthesis '" + string(c) + "' does not match opening parenthesis '" + string(top) + "'")
			}
			open = open[:len(open)-1]
		}
	}
	t.fail("f-string: expecting '}'")
}

// comparison reports whether the byte c at the current place is a comparison
// operator, and moves to its last byte.
func (t *template) comparison(c byte) bool {
	if c != ':' && c != '}' && t.off+1 < t.end && t.p.src[t.off+1] == '=' {
		t.off++
		return true
	}
	return c == '<' || c == '>'
}

// skipString moves to the last byte of a string inside an expression.
func (t *template) skipString() {
	text := t.p.src[t.off:t.end]
	quote := text[:1]
	if len(text) >= 3 && text[1] == quote[0] && text[2] == quote[0] {
		quote = text[:3]
	}
	body := text[len(quote):]
	end := strings.Index(body, quote)
	if end < 0 {
		end = len(body)
	}
	if i := strings.IndexByte(body[:end], '\\'); i >= 0 {
		t.fail("f-string expression part cannot include a backslash")
	}
	if end == len(body) {
		t.fail("f-string: unterminated string")
	}
	t.off += len(quote) + end + len(quote) - 1
}

// expr parses the expression in src[start:end] as if parentheses stood around
// it, and sets the position of the field.
func (t *template) expr(start, end int, f *FormattedValue) Expr {
	t.mark.advance(start - 1)
	f.Pos = t.mark.pos()
	t.mark.advance(start)
	if strings.Trim(t.p.src[start:end], " \t\n\f") == "" {
		t.p.fail(f.Pos, "f-string: empty expression not allowed")
	}
	sub := &parser{lexer: t.mark, depth: t.p.depth}
	sub.src = t.p.src[:end]
	sub.enter()
	sub.next()
	e := sub.group(f.Pos, tEOF)
	if sub.tok.kind != tEOF {
		sub.unexpected("f-string: invalid syntax")
	}
	return e
}

// advance moves to a later byte, keeping count of lines and columns.
func (l *lexer) advance(to int) {
	for l.off < to {
		switch c := l.src[l.off]; {
		case c == '\n':
			l.newLine()
			continue
		case c&0xC0 == 0x80:
			l.wide++
		}
		l.off++
	}
}
