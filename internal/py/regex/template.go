package regex

import (
	"strconv"
	"strings"
)

// Template is a parsed replacement text for Python's sub and Match.expand.
type Template struct {
	parts []templatePart
}

// templatePart is literal text, or a group when group is not negative.
type templatePart struct {
	text  string
	group int
}

// ParseTemplate parses a replacement with the escapes \1, \g<name>, \g<1>,
// \n and the like, and \012 for use with matches of re.
//
// The error is an [*Error] (Python's re.error) or a [*GroupError] for a name
// that re does not have (Python's IndexError).
func ParseTemplate(repl string, re *Regexp) (*Template, error) {
	t := &templateParser{tokenizer: newTokenizer(repl, re.bytes), re: re}
	err := t.parse()
	if t.err != nil {
		return nil, t.err
	}
	if err != nil {
		return nil, err
	}
	t.flush()
	return &Template{t.parts}, nil
}

// Literal returns the text of a template that refers to no group.
func (t *Template) Literal() (string, bool) {
	switch {
	case len(t.parts) == 0:
		return "", true
	case len(t.parts) == 1 && t.parts[0].group < 0:
		return t.parts[0].text, true
	}
	return "", false
}

// Expand fills in the groups of m, a match of the expression the template was
// parsed for. A group that took no part gives an empty string.
func (t *Template) Expand(m *Match) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.group < 0 {
			b.WriteString(p.text)
		} else {
			text, _ := m.Group(p.group)
			b.WriteString(text)
		}
	}
	return b.String()
}

type templateParser struct {
	*tokenizer
	re      *Regexp
	parts   []templatePart
	literal strings.Builder
}

func (t *templateParser) flush() {
	if t.literal.Len() > 0 {
		t.parts = append(t.parts, templatePart{t.literal.String(), -1})
		t.literal.Reset()
	}
}

func (t *templateParser) add(c rune) { writeRune(&t.literal, c, t.bytes) }

// addGroup adds a reference to group n; offset locates it for the error.
func (t *templateParser) addGroup(n, offset int) error {
	if n > t.re.groups {
		return t.fail("invalid group reference "+strconv.Itoa(n), offset)
	}
	t.flush()
	t.parts = append(t.parts, templatePart{group: n})
	return nil
}

func (t *templateParser) parse() error {
	for this := t.get(); this != eof; this = t.get() {
		if !this.escaped() {
			t.add(this.char())
			continue
		}
		c := this.char()
		var err error
		switch {
		case c == 'g':
			err = t.groupName()
		case c == '0':
			n := atoiOctal("0" + t.while(2, isOctal))
			t.add(rune(n & 0xFF))
		case isDigit(token(c)):
			err = t.number(string(c))
		default:
			r, ok := simpleEscape(c)
			switch {
			case ok:
				t.add(r)
			case isASCIILetter(c):
				err = t.fail(`bad escape \`+string(c), 2)
			default:
				t.add('\\')
				t.add(c)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// number reads a group number of one or two digits, or three octal digits.
func (t *templateParser) number(text string) error {
	if isDigit(t.next) {
		text += string(t.get().char())
		if isOctal(token(text[0])) && isOctal(token(text[1])) && isOctal(t.next) {
			text += string(t.get().char())
			n := atoiOctal(text)
			if n > 0o377 {
				msg := `octal escape value \` + text + ` outside of range 0-0o377`
				return t.fail(msg, len(text)+1)
			}
			t.add(rune(n))
			return nil
		}
	}
	return t.addGroup(atoiCapped(text, 99), len(text))
}

// groupName reads <name> or <number> after \g.
func (t *templateParser) groupName() error {
	if !t.match('<') {
		return t.fail("missing <", 0)
	}
	name, err := t.until('>', "group name")
	if err != nil {
		return err
	}
	if isIdentifier(name) {
		i, ok := t.re.index[encode(name)]
		if !ok {
			return &GroupError{"unknown group name " + quote(name)}
		}
		return t.addGroup(i, len(name)+1)
	}
	digits, ok := parseInt(name)
	if !ok {
		return t.fail("bad character in group name "+quote(name), len(name)+1)
	}
	n := atoiCapped(digits, maxGroups)
	if n >= maxGroups {
		return t.fail("invalid group reference "+digits, len(name)+1)
	}
	return t.addGroup(n, len(name)+1)
}

func atoiOctal(digits string) int {
	n := 0
	for i := 0; i < len(digits); i++ {
		n = n*8 + int(digits[i]-'0')
	}
	return n
}

// Escape is re.escape: it puts a backslash before every character that has a
// meaning in a pattern, white space included.
func Escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
