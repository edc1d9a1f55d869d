package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// errand is what an external agent is sent off with: a folder with files, and
// words for its arguments and its environment.
type errand struct {
	dir   string
	task  string
	words []word
}

// word is a value with the name under which an agent can ask for it.
type word struct{ name, value string }

// variable is its name in the environment.
func (w word) variable() string { return "GAUNTLET_" + strings.ToUpper(w.name) }

// maxVariable is the greatest length of a text in the environment. Linux refuses
// to start a program with a variable of 128 KiB.
const maxVariable = 64 << 10

// errand makes the folder of an episode whose tools are served at a URL.
func (a *external) errand(ep Episode, url string) (*errand, error) {
	dir, err := os.MkdirTemp("", "gauntlet-agent-")
	if err != nil {
		return nil, fmt.Errorf("make folder of agent: %w", err)
	}
	s := ep.Setting()
	e := &errand{dir: dir, task: strings.ToValidUTF8(ep.Case().Task, "\uFFFD")}
	system := strings.ToValidUTF8(a.Prompt(ep), "\uFFFD")
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err == nil {
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		return path
	}
	e.words = []word{
		{"task", e.task},
		{"task_file", file("task.txt", e.task)},
		{"system", system},
		{"system_file", file("system.txt", system)},
		{"mcp_url", url},
		{"mcp_config", file("mcp.json", config(map[string]any{"type": "http", "url": url}))},
		{"dir", dir},
		{"seed", strconv.FormatUint(s.Seed, 10)},
		{"epoch", strconv.Itoa(s.Epoch)},
	}
	if a.program != "" {
		bridge := map[string]any{"type": "stdio", "command": a.program, "args": []string{"world", "mcp", "--connect", url}}
		e.words = append(e.words, word{"mcp_stdio_config", file("mcp-stdio.json", config(bridge))})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("write files of agent: %w", err), e.remove())
	}
	return e, nil
}

// config is a list of MCP servers in the form of Claude Code, which most other
// clients read, too.
func config(server map[string]any) string {
	b, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"world": server}})
	if err != nil { // strings have a JSON form
		return ""
	}
	return string(b) + "\n"
}

// remove removes the folder, also where the agent has made folders in it that may
// not be written to, as package managers do.
func (e *errand) remove() error {
	err := os.RemoveAll(e.dir)
	if err == nil {
		return nil
	}
	// What cannot be opened up shows in the second attempt.
	_ = filepath.WalkDir(e.dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(e.dir)
}

// mark is a variable that the agent's processes inherit and no others have.
func (e *errand) mark() string { return word{"dir", e.dir}.variable() + "=" + e.dir }

// arguments fills in the words, in one pass: what the task says is not searched
// for words again.
func (e *errand) arguments(args []string) []string {
	var pairs []string
	for _, w := range e.words {
		pairs = append(pairs, "{"+w.name+"}", w.value)
	}
	r := strings.NewReplacer(pairs...)
	out := make([]string, len(args))
	for i, arg := range args {
		out[i] = r.Replace(arg)
	}
	return out
}

// environ adds the words to an environment. Texts that no environment can hold are
// in their files only.
func (e *errand) environ(base []string) []string {
	own := func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.ContainsFunc(e.words, func(w word) bool { return w.variable() == name })
	}
	env := append(slices.DeleteFunc(slices.Clone(base), own), "PWD="+e.dir)
	for _, w := range e.words {
		if len(w.value) <= maxVariable && !strings.Contains(w.value, "\x00") {
			env = append(env, w.variable()+"="+w.value)
		}
	}
	return env
}

// astray is a hint for commands that name files by where the user stands.
func (a *external) astray() string {
	for _, arg := range a.command[1:] {
		if arg == "" || filepath.IsAbs(arg) {
			continue
		}
		if info, err := os.Stat(arg); err == nil && !info.IsDir() {
			return fmt.Sprintf(" (the agent runs in a folder of its own: give %q as an absolute path)", arg)
		}
	}
	return ""
}
