package pyfuzz

import "strings"

// Minimise returns a shorter program for which fails still holds. It removes
// statements (a line with everything that is indented under it and the
// clauses that belong to it), then single clauses, and replaces compound
// statements by their bodies, and drops items of displays and calls, until
// nothing more can go. fails must be
// deterministic and hold for src; it is called at most maxTries times.
func Minimise(src string, fails func(src string) bool) string {
	m := minimiser{lines: strings.Split(strings.TrimRight(src, "\n"), "\n"), fails: fails}
	for changed := true; changed && m.tries < maxTries; {
		changed = m.chunks()
		changed = m.pass(m.statementEnd, nothing) || changed
		changed = m.pass(m.clauseEnd, nothing) || changed
		changed = m.pass(m.statementEnd, m.body) || changed
		changed = m.pass(m.clauseEnd, pass) || changed
		changed = m.items() || changed
	}
	return m.text(m.lines)
}

const maxTries = 600

type minimiser struct {
	lines []string
	fails func(string) bool
	tries int
}

func (m *minimiser) text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// try replaces lines [i, j) when the program still fails.
func (m *minimiser) try(i, j int, with []string) bool {
	if m.tries >= maxTries {
		return false
	}
	m.tries++
	next := append([]string{}, m.lines[:i]...)
	next = append(append(next, with...), m.lines[j:]...)
	if i < len(next) && !strings.Contains(next[i], entryMark) {
		next[i] += lastMark(m.lines[i:j]) // the name of the entry stays with its block
	}
	if !m.fails(m.text(next)) {
		return false
	}
	m.lines = next
	return true
}

// lastMark returns the last entry mark of the lines with its name, or "".
func lastMark(lines []string) string {
	for i := len(lines) - 1; i >= 0; i-- {
		if k := strings.Index(lines[i], entryMark); k >= 0 {
			return lines[i][k:]
		}
	}
	return ""
}

// chunks removes runs of top-level statements, from large to small.
func (m *minimiser) chunks() bool {
	changed := false
	for size := 8; size >= 2; size /= 2 {
		for i := 0; i < len(m.lines); {
			j := i
			for n := 0; n < size && j < len(m.lines); n++ {
				j = m.statementEnd(j)
			}
			if m.try(i, j, nil) {
				changed = true
			} else {
				i = m.statementEnd(i)
			}
		}
	}
	return changed
}

// pass tries to replace each block, last first, because earlier lines define
// what later lines use.
func (m *minimiser) pass(end func(int) int, with func(block []string) ([]string, bool)) bool {
	changed := false
	for i := len(m.lines) - 1; i >= 0; i-- {
		if i >= len(m.lines) {
			continue
		}
		j := end(i)
		if lines, ok := with(m.lines[i:j]); ok && m.try(i, j, lines) {
			changed = true
		}
	}
	return changed
}

// items drops the elements of displays and the arguments of calls, one by one.
func (m *minimiser) items() bool {
	changed := false
	for i := len(m.lines) - 1; i >= 0; i-- {
		code, tag, _ := strings.Cut(m.lines[i], entryMark)
		spans := itemSpans(code)
		for k := 0; k < len(spans); k++ {
			s := spans[k]
			line := code[:s[0]] + code[s[1]:]
			if tag != "" {
				line += entryMark + tag
			}
			if m.try(i, i+1, []string{line}) {
				changed = true
				code, _, _ = strings.Cut(line, entryMark)
				spans, k = itemSpans(code), k-1
			}
		}
	}
	return changed
}

// itemSpans returns the byte ranges of the items between brackets, with one
// of the commas next to each.
func itemSpans(line string) [][2]int {
	var spans [][2]int
	var starts []int // of the current item of each open bracket
	commas := []bool{}
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			starts, commas = append(starts, i+1), append(commas, false)
		case len(starts) == 0:
		case c == ',':
			n := len(starts) - 1
			spans = append(spans, [2]int{starts[n], i + 1})
			starts[n], commas[n] = i+1, true
		case strings.IndexByte(")]}", c) >= 0:
			n := len(starts) - 1
			start := starts[n]
			if commas[n] {
				start-- // the comma before the last item
			}
			if start < i {
				spans = append(spans, [2]int{start, i})
			}
			starts, commas = starts[:n], commas[:n]
		}
	}
	return spans
}

func nothing([]string) ([]string, bool) { return nil, true }

// pass stands for a clause whose body cannot just go away.
func pass(block []string) ([]string, bool) {
	if len(block) < 2 || strings.TrimSpace(block[1]) == "pass" {
		return nil, false
	}
	return []string{block[0], strings.Repeat(" ", depth(block[0])+4) + "pass"}, true
}

// body is the first suite of a compound statement, one level up.
func (m *minimiser) body(block []string) ([]string, bool) {
	var lines []string
	for _, l := range block[1:] {
		if depth(l) <= depth(block[0]) {
			break
		}
		lines = append(lines, strings.TrimPrefix(l, "    "))
	}
	return lines, len(lines) > 0
}

func depth(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// clauseEnd returns the end of a line and what is indented under it.
func (m *minimiser) clauseEnd(i int) int {
	j := i + 1
	for j < len(m.lines) && depth(m.lines[j]) > depth(m.lines[i]) {
		j++
	}
	return j
}

// statementEnd is clauseEnd with the clauses that continue the statement. A
// decorator continues with its definition.
func (m *minimiser) statementEnd(i int) int {
	j := m.clauseEnd(i)
	for j < len(m.lines) && depth(m.lines[j]) == depth(m.lines[i]) {
		decorated := strings.HasPrefix(strings.TrimSpace(m.lines[j-1]), "@")
		if !decorated && !continues(m.lines[j]) {
			break
		}
		j = m.clauseEnd(j)
	}
	return j
}

func continues(line string) bool {
	word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch strings.TrimRight(word, ":*") {
	case "else", "elif", "except", "finally":
		return true
	}
	return false
}
