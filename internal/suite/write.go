package suite

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"gauntlet/internal/trace"
)

// New makes an empty suite, to be filled with AddWorld and AddCase. Name and
// title may be empty.
func New(name, title string) *Suite {
	return &Suite{Name: name, Title: title, Worlds: map[string]*WorldFile{}, byID: map[string]*Case{}}
}

// AddWorld puts the source of a world in the suite and returns it, not yet
// compiled. The id becomes a file name, so it must be one on every system.
// class may be empty when the module holds only one class with tools.
func (s *Suite) AddWorld(id, class string, src []byte) (*WorldFile, error) {
	if err := checkFileName(id); err != nil {
		return nil, fmt.Errorf("add world %q: %w", id, err)
	}
	if _, dup := s.Worlds[id]; dup {
		return nil, fmt.Errorf("add world %q: the id is already used", id)
	}
	w := &WorldFile{ID: id, File: id + ".py", Class: class, src: src}
	s.Worlds[id] = w
	return w, nil
}

// AddCase puts a case in the suite. Its world must be there and its id new.
func (s *Suite) AddCase(c *Case) error {
	if c.ID == "" || c.World == "" {
		return fmt.Errorf("add case %q: a case needs id and world", c.ID)
	}
	if c.File == "" {
		c.File = "the new suite"
	}
	return s.add(c)
}

// maxIDLength bounds ids that become file names, in bytes.
const maxIDLength = 120

// checkFileName refuses ids that are no portable file names.
func checkFileName(id string) error {
	switch {
	case id == "":
		return fmt.Errorf("the id is empty")
	case len(id) > maxIDLength:
		return fmt.Errorf("the id is longer than %d bytes", maxIDLength)
	case id[0] == '.':
		return fmt.Errorf("the id begins with a dot")
	}
	for _, r := range id {
		if r < ' ' || r == 0x7f || r == utf8.RuneError || strings.ContainsRune(`/\:*?"<>|`, r) {
			return fmt.Errorf("the id holds %q, which a file name may not", r)
		}
	}
	return nil
}

// Write writes a suite as a directory that Load reads back: worlds byte for
// byte, every case as a line of cases.jsonl (also those that came from scenario
// files), numbers and text of states as they are. dir is made if it is missing
// and must be empty. suite.yaml comes last, so that a directory half written is
// no suite.
func Write(dir string, s *Suite) error {
	if err := checkSuite(s); err != nil {
		return fmt.Errorf("write suite: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write suite: %w", err)
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("write suite: %w", err)
	}
	if len(old) > 0 {
		return fmt.Errorf("write suite: %s is not empty (it holds %s): name a new directory", dir, old[0].Name())
	}
	if err := writeWorlds(filepath.Join(dir, "worlds"), s); err != nil {
		return fmt.Errorf("write suite: %w", err)
	}
	if err := writeFile(filepath.Join(dir, "cases.jsonl"), s.writeCases); err != nil {
		return fmt.Errorf("write suite: %w", err)
	}
	if err := writeFile(filepath.Join(dir, "suite.yaml"), s.writeHeader); err != nil {
		return fmt.Errorf("write suite: %w", err)
	}
	return nil
}

// checkSuite finds what the files could not keep.
func checkSuite(s *Suite) error {
	folded := map[string]string{}
	for _, id := range s.WorldIDs() {
		low := strings.ToLower(id)
		if old, dup := folded[low]; dup {
			return fmt.Errorf("worlds %q and %q differ in case only: some file systems cannot hold both", old, id)
		}
		folded[low] = id
	}
	for _, c := range s.Cases {
		if d := max(c.State.Depth(), c.Clean.Depth()); d > trace.MaxDepth/2 {
			return fmt.Errorf("case %q: the state is nested %d deep, more than %d", c.ID, d, trace.MaxDepth/2)
		}
	}
	return nil
}

func writeWorlds(dir string, s *Suite) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, id := range s.WorldIDs() {
		if err := checkFileName(id); err != nil {
			return fmt.Errorf("world %q: %w", id, err)
		}
		if err := os.WriteFile(filepath.Join(dir, id+".py"), s.Worlds[id].src, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeFile writes a file through a buffer; a failing close is an error.
func writeFile(name string, write func(io.Writer) error) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	b := bufio.NewWriterSize(f, 1<<20)
	if err := write(b); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return b.Flush()
}

// writeCases writes one case a line.
func (s *Suite) writeCases(w io.Writer) error {
	var line []byte
	for _, c := range s.Cases {
		line = append(encodeCase(line[:0], c), '\n')
		if _, err := w.Write(line); err != nil {
			return fmt.Errorf("case %q: %w", c.ID, err)
		}
	}
	return nil
}

func (s *Suite) writeHeader(w io.Writer) error {
	h := header{Format: Format, Name: s.Name, Title: s.Title, Description: s.Description, Author: s.Author}
	for _, id := range s.WorldIDs() {
		if class := s.Worlds[id].Class; class != "" {
			if h.Classes == nil {
				h.Classes = map[string]string{}
			}
			h.Classes[id] = class
		}
	}
	enc := yaml.NewEncoder(w)
	enc.SetIndent(2)
	if err := enc.Encode(h); err != nil {
		return err
	}
	return enc.Close()
}
