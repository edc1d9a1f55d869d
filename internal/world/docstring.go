package world

import (
	"strings"

	"gauntlet/internal/trace"
)

// toolDoc is what a tool's docstring says.
type toolDoc struct {
	text   string // dedented, without the Effect line
	effect trace.Effect
	args   map[string]string
}

// parseDoc reads a docstring in the common style: a summary, "Args:" with
// "name (type): text" lines, "Returns:", and "Effect: read|write|external".
func parseDoc(doc string) toolDoc {
	d := toolDoc{args: map[string]string{}}
	var kept []string
	inArgs := false
	current := ""
	for _, line := range strings.Split(dedent(doc), "\n") {
		trimmed := strings.TrimSpace(line)
		if word, ok := strings.CutPrefix(trimmed, "Effect:"); ok {
			if e := trace.Effect(strings.ToLower(strings.TrimSpace(word))); e.Valid() {
				d.effect = e
				continue
			}
		}
		kept = append(kept, line)
		indented := len(line) > 0 && (line[0] == ' ' || line[0] == '\t')
		switch {
		case trimmed == "Args:" || trimmed == "Arguments:" || trimmed == "Parameters:":
			inArgs, current = true, ""
		case inArgs && trimmed != "" && !indented:
			inArgs = false
		case inArgs && trimmed != "":
			if name, text, ok := argLine(trimmed); ok {
				current = name
				d.args[name] = text
			} else if current != "" {
				d.args[current] += " " + trimmed
			}
		}
	}
	d.text = strings.TrimSpace(strings.Join(kept, "\n"))
	return d
}

// argLine splits "name (type, optional): text".
func argLine(s string) (name, text string, ok bool) {
	head, text, found := strings.Cut(s, ":")
	if !found {
		return "", "", false
	}
	name = strings.TrimSpace(head)
	if i := strings.IndexAny(name, " ("); i >= 0 {
		name = name[:i]
	}
	name = strings.TrimLeft(name, "-*` ")
	name = strings.TrimRight(name, "`")
	if name == "" || strings.ContainsAny(name, " \"'{}[]") {
		return "", "", false
	}
	return name, strings.TrimSpace(text), true
}

// dedent removes the common indentation of all lines after the first, as
// Python's inspect.cleandoc does.
func dedent(doc string) string {
	lines := strings.Split(strings.ReplaceAll(doc, "\t", "        "), "\n")
	margin := -1
	for _, l := range lines[1:] {
		if t := strings.TrimLeft(l, " "); t != "" {
			if n := len(l) - len(t); margin < 0 || n < margin {
				margin = n
			}
		}
	}
	lines[0] = strings.TrimLeft(lines[0], " ")
	for i := 1; i < len(lines); i++ {
		if margin > 0 {
			lines[i] = lines[i][min(margin, len(lines[i])):]
		}
		lines[i] = strings.TrimRight(lines[i], " \r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
