package syntax

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// decode turns a source file into the text that the lexer reads: without byte
// order mark, with "\n" line ends (also at the end of the text), in UTF-8.
// It follows PEP 263, but knows no encodings beyond UTF-8 and its subset ASCII.
func decode(file string, src []byte) string {
	marked := bytes.HasPrefix(src, []byte("\xef\xbb\xbf"))
	if marked {
		src = src[3:]
	}
	if i := bytes.IndexByte(src, 0); i >= 0 {
		fail(file, place(src, i), "source code cannot contain null bytes")
	}
	text := unixLines(src)
	name, line := codingLine(text)
	switch normal := strings.ReplaceAll(strings.ToLower(name), "_", "-"); {
	case normal == "" || normal == "utf-8" || strings.HasPrefix(normal, "utf-8-"):
	case marked:
		fail(file, Pos{int32(line), 1}, "encoding problem: %s with BOM", name)
	case normal == "utf8":
	case normal == "ascii" || normal == "us-ascii":
		for i := range len(text) {
			if text[i] >= utf8.RuneSelf {
				fail(file, place([]byte(text), i), "'ascii' codec can't decode byte 0x%02x", text[i])
			}
		}
	default:
		refuse(file, Pos{int32(line), 1}, "source encoding "+name+" is")
	}
	checkUTF8(file, text)
	return text
}

// unixLines returns the text with "\r\n" and "\r" replaced by "\n" and with a
// "\n" at the end of an unfinished last line.
func unixLines(src []byte) string {
	var b strings.Builder
	b.Grow(len(src) + 1)
	if bytes.IndexByte(src, '\r') < 0 {
		b.Write(src)
	} else {
		for i, c := range src {
			switch {
			case c != '\r':
				b.WriteByte(c)
			case i+1 == len(src) || src[i+1] != '\n':
				b.WriteByte('\n')
			}
		}
	}
	if s := b.String(); len(s) > 0 && s[len(s)-1] != '\n' {
		b.WriteByte('\n')
	}
	return b.String()
}

// codingLine returns the encoding named by a comment on one of the first two
// lines and the number of that line, or an empty name.
func codingLine(text string) (name string, line int) {
	for line = 1; line <= 2; line++ {
		var row string
		row, text, _ = strings.Cut(text, "\n")
		row = strings.TrimLeft(row, " \t\f")
		if row != "" && row[0] != '#' {
			return "", line
		}
		if name := codingName(row); name != "" {
			return name, line
		}
	}
	return "", line
}

// codingName returns the name after "coding:" or "coding=" in a comment.
func codingName(comment string) string {
	for {
		_, rest, found := strings.Cut(comment, "coding")
		if !found {
			return ""
		}
		comment = rest
		if rest == "" || rest[0] != ':' && rest[0] != '=' {
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t")
		n := 0
		for n < len(rest) && (isWordByte(rest[n]) && rest[n] < utf8.RuneSelf || rest[n] == '-' || rest[n] == '.') {
			n++
		}
		if n > 0 {
			return rest[:n]
		}
	}
}

func checkUTF8(file, text string) {
	if utf8.ValidString(text) {
		return
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			fail(file, place([]byte(text), i), "(unicode error) 'utf-8' codec can't decode byte 0x%02x", text[i])
		}
		i += n
	}
}

// place computes the position of a byte offset from the start of the text.
func place(text []byte, off int) Pos {
	head := text[:off]
	line := bytes.Count(head, []byte("\n")) + 1
	return Pos{int32(line), int32(utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1)}
}
