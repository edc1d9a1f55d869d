package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocs runs the commands that the documentation shows: those in fenced
// blocks marked sh, one shell line at a time, in a folder that holds a copy of
// worlds/. A line is run when it calls gauntlet, or go run . for it; what else
// stands there (make, git) is not. Of blocks marked "sh norun", which need files
// that the reader brings, only the flags are checked.
func TestDocs(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("sh not found: the commands of the documentation are not run")
	}
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	ran := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := docLines(string(text))
		if len(lines) == 0 {
			continue
		}
		t.Run(file, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "worlds"), os.DirFS("worlds")); err != nil {
				t.Fatal(err)
			}
			for _, l := range lines {
				runDocLine(t, sh, dir, file, l)
				if l.run {
					ran++
				}
			}
		})
	}
	if ran == 0 && !t.Failed() {
		t.Error("the documentation shows no command that can be run")
	}
}

func runDocLine(t *testing.T, sh, dir, file string, l docLine) {
	t.Helper()
	help := ""
	if !l.run {
		help = "--help" // a wrong flag is refused before help is given
	}
	// A failure counts also in front of a pipe.
	script := fmt.Sprintf("gauntlet() { command gauntlet \"$@\" %s || kill $$; }\n%s", help, l.text)
	cmd := exec.CommandContext(t.Context(), sh, "-c", script)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s:%d: %s\n%v\n%s", file, l.line, l.text, err, out)
	}
}

// docLine is one command line of a document.
type docLine struct {
	line int // in the file, from 1
	text string
	run  bool
}

var (
	docFence   = regexp.MustCompile("^\\s*(```+|~~~+)\\s*(.*?)\\s*$")
	docCommand = regexp.MustCompile(`(?:^|[|&;(]\s*)(gauntlet|go run \.)(?:\s|$)`)
)

// docLines returns the lines of a document's sh blocks that call gauntlet. A
// line that ends in a backslash, a pipe or an open quote goes on in the next.
func docLines(text string) []docLine {
	var out []docLine
	fence, info, pending, at := "", "", "", 0
	flush := func() {
		command := strings.TrimSpace(pending)
		pending = ""
		if docCommand.MatchString(command) {
			command = strings.ReplaceAll(command, "go run . ", "gauntlet ")
			out = append(out, docLine{line: at, text: command, run: info == "sh"})
		}
	}
	for i, line := range strings.Split(text, "\n") {
		m := docFence.FindStringSubmatch(line)
		switch {
		case m != nil && fence == "":
			fence, info = m[1], m[2]
		case m != nil && m[2] == "" && strings.HasPrefix(m[1], fence):
			flush()
			fence = ""
		case fence != "" && (info == "sh" || info == "sh norun"):
			if pending == "" {
				at = i + 1
			}
			pending += line + "\n"
			if !docOpen(pending) {
				flush()
			}
		}
	}
	return out
}

// docOpen reports whether a command goes on in the next line.
func docOpen(command string) bool {
	c := strings.TrimSpace(command)
	return strings.HasSuffix(c, "\\") || strings.HasSuffix(c, "|") || strings.Count(c, "'")%2 == 1
}

// TestDocLines checks that TestDocs sees what is there.
func TestDocLines(t *testing.T) {
	const text = "text\n" +
		"```sh\n" +
		"go run . run   # play\n" +
		"make test\n" +
		"echo '{}' |\n  gauntlet world exec --suite worlds\n" +
		"gauntlet run \\\n  --json\n" +
		"echo gauntlet\n" +
		"```\n" +
		"gauntlet outside\n" +
		"```\ngauntlet unmarked\n```\n" +
		"```json\ngauntlet json\n```\n" +
		"```sh norun\ngauntlet import toolhazard --out x\n```\n"
	want := []docLine{
		{3, "gauntlet run   # play", true},
		{5, "echo '{}' |\n  gauntlet world exec --suite worlds", true},
		{7, "gauntlet run \\\n  --json", true},
		{19, "gauntlet import toolhazard --out x", false},
	}
	got := docLines(text)
	if len(got) != len(want) {
		t.Fatalf("got %d lines: %+v", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}
