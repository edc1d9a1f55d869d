package pyfuzz

import (
	"fmt"
	"regexp"
	"strings"
)

// address is the part of a default repr that differs from run to run.
var address = regexp.MustCompile(`\bat 0x[0-9a-f]+`)

func normal(s string) string { return address.ReplaceAllString(s, "at 0x0") }

// Compare returns "" when two results are equal, else a text that names the
// first difference: the printed line or the exception. Addresses in default
// reprs count as equal.
func Compare(a, b Result) (diff string) {
	if d, ok := firstDifference(a, b); ok {
		return d.String()
	}
	return ""
}

// difference is the first place where two results differ.
type difference struct {
	line int // 1-based line of the output, or 0 for the exception
	a, b string
}

func (d difference) String() string {
	if d.line == 0 {
		return fmt.Sprintf("exception: %s\n      not: %s", d.a, d.b)
	}
	return fmt.Sprintf("line %d: %s\n   not: %s", d.line, d.a, d.b)
}

// endOfOutput stands for a line that one side did not print.
const endOfOutput = "<end of output>"

func firstDifference(a, b Result) (difference, bool) {
	x, y := strings.Split(normal(a.Stdout), "\n"), strings.Split(normal(b.Stdout), "\n")
	for i := range max(len(x), len(y)) {
		l, r := lineAt(x, i), lineAt(y, i)
		if l != r {
			// Output that stops is explained by the exception that stopped it.
			if l == endOfOutput || (l == "" && i == len(x)-1) {
				l += exception(a)
			}
			if r == endOfOutput || (r == "" && i == len(y)-1) {
				r += exception(b)
			}
			return difference{i + 1, l, r}, true
		}
	}
	if l, r := exception(a), exception(b); l != r {
		return difference{0, l, r}, true
	}
	return difference{}, false
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return endOfOutput
}

func exception(r Result) string {
	if r.ErrorType == "" {
		return ""
	}
	return r.ErrorType + ": " + normal(r.ErrorMessage)
}

// Signature is the shape of the first difference: literals and generated
// names are blanked, an exception looks the same however it was printed, and
// a value that stands against an exception does not matter. So one bug in
// many programs has one signature, or few.
func Signature(a, b Result) string {
	d, ok := firstDifference(a, b)
	if !ok {
		return ""
	}
	x, xRaised := exceptionShape(d.a)
	y, yRaised := exceptionShape(d.b)
	switch {
	case xRaised && yRaised:
	case xRaised:
		y = "no exception"
	case yRaised:
		x = "no exception"
	default:
		x, y = shape(d.a), shape(d.b)
	}
	return x + " | " + y
}

var (
	exceptionLine = regexp.MustCompile(`^.{0,12}?\b([A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Exit)|Timeout|Panic|Hang)\b(.*)$`)
	quotedArgs    = regexp.MustCompile(`^ ?\(["'](.*)["'],?\)`)
	attribute     = regexp.MustCompile(`has no attribute \W*(\w+)`)
)

// exceptionShape is the shape of a line that prints an exception, and whether
// the line does that.
func exceptionShape(line string) (string, bool) {
	m := exceptionLine.FindStringSubmatch(line)
	if m == nil {
		return "", false
	}
	message := strings.ReplaceAll(m[2], `\'`, "'")
	if a := attribute.FindStringSubmatch(message); a != nil {
		return m[1] + " no attribute " + a[1], true
	}
	if a := quotedArgs.FindStringSubmatch(message); a != nil {
		message = a[1]
	}
	return m[1] + " " + shape(strings.TrimLeft(message, ": ")), true
}

var shapes = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\B'(?:[^'\\]|\\.)*'|\B"(?:[^"\\]|\\.)*"`), "S"},
	{regexp.MustCompile(`[A-Za-z_]+\d+(?:\b|_)`), "N"},
	{regexp.MustCompile(`-?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?`), "0"},
	{regexp.MustCompile(`\b(?:True|False|None)\b`), "C"},
	{regexp.MustCompile(`\b(?:b?S|0|N|C)\b(?:(?:: |, | )(?:b?S|0|N|C)\b)+`), "…"},
}

// shape blanks the literals and generated names of a line.
func shape(line string) string {
	for _, s := range shapes {
		line = s.pattern.ReplaceAllString(line, s.with)
	}
	for { // nested displays
		next := display.ReplaceAllString(line, "D")
		if next == line {
			break
		}
		line = next
	}
	if r := []rune(line); len(r) > 80 {
		line = string(r[:80])
	}
	return line
}

var display = regexp.MustCompile(`[\[({][^\[\](){}]*[\])}]`)
