package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"gauntlet/internal/report"
)

// terminal is what the reader at the other end of a stream can see. The zero value
// is a file or a pipe: rows of any length, in UTF-8, without colour.
type terminal struct {
	live  bool // lines can be drawn over
	color bool
	ascii bool // the locale is said to be another than UTF-8
	width int  // columns; 0 when it does not tell
}

func terminalOf(w io.Writer) terminal {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return terminal{}
	}
	smart := os.Getenv("TERM") != "dumb"
	t := terminal{live: smart, color: smart && os.Getenv("NO_COLOR") == "", ascii: !isUTF8(os.Getenv)} // https://no-color.org
	t.width, _, _ = term.GetSize(int(f.Fd()))
	return t
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// isUTF8 reports whether text can be written in UTF-8: unless the locale (POSIX,
// "Environment Variables") names another encoding.
func isUTF8(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// safe makes a hostile text one line that leaves the terminal alone.
func (t terminal) safe(s string) string {
	if s = report.Sanitize(s); t.ascii {
		s = report.ASCII(s)
	}
	return s
}

func writeTable(w io.Writer, table *report.Table) error {
	t := terminalOf(w)
	return table.WriteText(w, report.TextOptions{ASCII: t.ascii, Width: t.width})
}

// writeLine writes one line of text, which may be hostile.
func writeLine(w io.Writer, format string, args ...any) error {
	_, err := fmt.Fprintln(w, terminalOf(w).safe(fmt.Sprintf(format, args...)))
	return err
}

// say is writeLine for what is said beside the answer, to standard error: when
// nobody listens there, the command goes on.
func say(w io.Writer, format string, args ...any) { _ = writeLine(w, format, args...) }
