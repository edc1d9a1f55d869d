package stdlib

import (
	"strings"
	"unicode/utf8"

	"gauntlet/internal/py"
	"gauntlet/internal/py/text"
)

// lineWrapper holds the options of a TextWrapper.
type lineWrapper struct {
	width, tab, maxLines                   int // maxLines < 0: no limit
	first, rest, placeholder               string
	expand, replace, fix, long, drop, dash bool
}

// newWrapper reads the options from the attributes of a TextWrapper.
func newWrapper(t *py.Thread, self py.Value) (*lineWrapper, error) {
	w := &lineWrapper{maxLines: -1}
	for name, to := range map[string]any{
		"width": &w.width, "tabsize": &w.tab, "max_lines": &w.maxLines, "initial_indent": &w.first, "subsequent_indent": &w.rest,
		"placeholder": &w.placeholder, "expand_tabs": &w.expand, "replace_whitespace": &w.replace, "fix_sentence_endings": &w.fix,
		"break_long_words": &w.long, "drop_whitespace": &w.drop, "break_on_hyphens": &w.dash,
	} {
		v, err := t.GetAttr(self, name)
		if err != nil {
			return nil, err
		}
		switch to := to.(type) {
		case *bool:
			*to, err = t.Truth(v)
		case *string:
			s, ok := py.AsStr(v)
			if !ok {
				return nil, py.TypeErrorf("object of type '%s' has no len()", py.TypeName(v))
			}
			*to = s.String()
		case *int:
			if name == "max_lines" && v == py.None {
				continue
			}
			n, ok := py.AsInt(v)
			if !ok {
				if _, isStr := py.AsStr(v); isStr || v == py.None {
					return nil, py.TypeErrorf("'<=' not supported between instances of '%s' and 'int'", py.TypeName(v))
				}
				f, err := t.AsFloat(v)
				if err != nil {
					return nil, err
				}
				n = int64(f)
			}
			*to = int(n)
		}
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

const wrapSpace = "\t\n\v\f\r "

func isWrapSpace(r rune) bool { return r < 128 && strings.ContainsRune(wrapSpace, r) }

// wrap cuts text into lines.
func (w *lineWrapper) wrap(t *py.Thread, s string) ([]string, error) {
	if err := t.Alloc(16*len(s) + w.tab*strings.Count(s, "\t")); err != nil {
		return nil, err
	}
	if w.expand {
		var err error
		if s, err = text.ExpandTabs(s, w.tab); err != nil {
			return nil, err
		}
	}
	if w.replace {
		b := []byte(s)
		for i, c := range b {
			if isWrapSpace(rune(c)) {
				b[i] = ' '
			}
		}
		s = string(b)
	}
	chunks := w.split(s)
	if w.fix {
		fixSentences(chunks)
	}
	return w.lines(t, chunks)
}

func isLetter(r rune) bool { return isWord(r) && !text.IsDecimalRune(r) }
func isWord(r rune) bool   { return r == '_' || text.IsAlnumRune(r) }
func isWordPunct(r rune) bool {
	return isWord(r) || r < 128 && strings.ContainsRune(`!"'&.,?`, r)
}

// split cuts text where a line may end: before and after white space, after
// the hyphens of compound words, and around dashes of two or more hyphens.
func (w *lineWrapper) split(src string) []string {
	var s []rune
	var at []int // byte offset of each code point, and the end
	for i := 0; i < len(src); {
		r, n := text.DecodeRune(src[i:])
		s, at = append(s, r), append(at, i)
		i += n
	}
	at = append(at, len(src))
	var chunks []string
	for i := 0; i < len(s); {
		j := i + 1
		switch {
		case isWrapSpace(s[i]):
			for j < len(s) && isWrapSpace(s[j]) {
				j++
			}
		case !w.dash:
			for j < len(s) && !isWrapSpace(s[j]) {
				j++
			}
		case i > 0 && isWordPunct(s[i-1]) && dashAt(s, i) > 0:
			j = i + dashAt(s, i)
		default:
			j = wordEnd(s, i)
		}
		chunks = append(chunks, src[at[i]:at[j]])
		i = j
	}
	return chunks
}

// dashAt returns the length of a run of two or more hyphens that a word
// follows, or 0.
func dashAt(s []rune, i int) int {
	n := 0
	for i+n < len(s) && s[i+n] == '-' {
		n++
	}
	if n >= 2 && i+n < len(s) && isWord(s[i+n]) {
		return n
	}
	return 0
}

// wordEnd returns where the word that begins at i may be cut first.
func wordEnd(s []rune, i int) int {
	letter := func(k int) bool { return k >= 0 && k < len(s) && isLetter(s[k]) }
	hyphen := func(k int) bool { return k >= 0 && k < len(s) && s[k] == '-' }
	for j := i + 1; ; j++ {
		if hyphen(j) {
			before := letter(j-1) && (letter(j-2) || hyphen(j-2) && letter(j-3))
			after := letter(j+1) && (letter(j+2) || hyphen(j+2) && letter(j+3))
			if before && after {
				return j + 1
			}
		}
		if j >= len(s) || isWrapSpace(s[j]) || isWordPunct(s[j-1]) && dashAt(s, j) > 0 {
			return j
		}
	}
}

// fixSentences puts two spaces after what looks like the end of a sentence.
func fixSentences(chunks []string) {
	for i := 0; i < len(chunks)-1; i++ {
		if chunks[i+1] == " " && endsSentence(chunks[i]) {
			chunks[i+1] = "  "
			i++
		}
	}
}

func endsSentence(s string) bool {
	s = strings.TrimSuffix(s, "\n")
	if n := len(s); n > 0 && (s[n-1] == '"' || s[n-1] == '\'') {
		s = s[:n-1]
	}
	n := len(s)
	return n >= 2 && strings.IndexByte(".!?", s[n-1]) >= 0 && s[n-2] >= 'a' && s[n-2] <= 'z'
}

func isBlank(s string) bool { return text.StripSpace(s, text.Both) == "" }

// lines fills lines with chunks.
func (w *lineWrapper) lines(t *py.Thread, chunks []string) ([]string, error) {
	if w.width <= 0 {
		return nil, py.ValueErrorf("invalid width %d (must be > 0)", w.width)
	}
	if w.maxLines >= 0 {
		indent := w.rest
		if w.maxLines <= 1 {
			indent = w.first
		}
		if text.Len(indent)+text.Len(text.StripSpace(w.placeholder, text.Left)) > w.width {
			return nil, py.ValueErrorf("placeholder too large for max width")
		}
	}
	var out []string
	for len(chunks) > 0 {
		indent := w.first
		if len(out) > 0 {
			indent = w.rest
		}
		if err := t.Alloc(2*len(indent) + 64); err != nil {
			return nil, err
		}
		// A long word is measured again for each line that is cut from it.
		if err := t.Charge(1 + len(chunks[0])/8); err != nil {
			return nil, err
		}
		var line []string
		var size int
		line, size, chunks = w.fillLine(chunks, w.width-text.Len(indent), len(out) > 0)
		if len(line) == 0 {
			continue
		}
		last := len(chunks) == 0 || w.drop && len(chunks) == 1 && isBlank(chunks[0])
		if w.maxLines < 0 || len(out)+1 < w.maxLines || last && size <= w.width-text.Len(indent) {
			out = append(out, indent+strings.Join(line, ""))
			continue
		}
		return w.cutOff(out, line, size, indent), nil
	}
	return out, nil
}

// fillLine takes the chunks of one line off the front.
func (w *lineWrapper) fillLine(chunks []string, width int, later bool) (line []string, size int, rest []string) {
	if w.drop && later && isBlank(chunks[0]) {
		chunks = chunks[1:]
	}
	for len(chunks) > 0 && size+text.Len(chunks[0]) <= width {
		size += text.Len(chunks[0])
		line, chunks = append(line, chunks[0]), chunks[1:]
	}
	if len(chunks) > 0 && text.Len(chunks[0]) > width {
		line, chunks = w.breakWord(line, chunks, width, size)
		size = 0
		for _, c := range line {
			size += text.Len(c)
		}
	}
	if n := len(line); w.drop && n > 0 && isBlank(line[n-1]) {
		size -= text.Len(line[n-1])
		line = line[:n-1]
	}
	return line, size, chunks
}

// breakWord handles a chunk that is longer than a line.
func (w *lineWrapper) breakWord(line, chunks []string, width, size int) ([]string, []string) {
	room := 1
	if width >= 1 {
		room = width - size
	}
	if !w.long {
		if len(line) == 0 {
			line, chunks = append(line, chunks[0]), chunks[1:]
		}
		return line, chunks
	}
	c := chunks[0]
	end := room
	if w.dash && text.Len(c) > room {
		head := text.Slice(c, 0, room, 1)
		if k := strings.LastIndexByte(head, '-'); k > 0 && strings.Trim(head[:k], "-") != "" {
			end = utf8.RuneCountInString(head[:k]) + 1
		}
	}
	head := text.Slice(c, 0, end, 1)
	chunks[0] = c[len(head):]
	return append(line, head), chunks
}

// cutOff ends the text with the placeholder.
func (w *lineWrapper) cutOff(out, line []string, size int, indent string) []string {
	for n := len(line); n > 0; n-- {
		if !isBlank(line[n-1]) && size+text.Len(w.placeholder) <= w.width-text.Len(indent) {
			return append(out, indent+strings.Join(line[:n], "")+w.placeholder)
		}
		size -= text.Len(line[n-1])
	}
	if n := len(out); n > 0 {
		prev := text.StripSpace(out[n-1], text.Right)
		if text.Len(prev)+text.Len(w.placeholder) <= w.width {
			out[n-1] = prev + w.placeholder
			return out
		}
	}
	return append(out, indent+text.StripSpace(w.placeholder, text.Left))
}
