package suite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"go.yaml.in/yaml/v3"
)

// header is suite.yaml.
type header struct {
	Format      string            `yaml:"format"`
	Name        string            `yaml:"name"`
	Title       string            `yaml:"title"`
	Description string            `yaml:"description"`
	Author      string            `yaml:"author"`
	Classes     map[string]string `yaml:"classes"`
}

// Load reads a suite from a directory.
func Load(dir string) (*Suite, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("open suite: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("open suite: %s is a file; a suite is a directory with suite.yaml, worlds/ and scenarios/ or cases.jsonl", dir)
	}
	return LoadFS(os.DirFS(dir), dir)
}

// LoadFS reads a suite from a file system; dir names it in messages.
func LoadFS(fsys fs.FS, dir string) (*Suite, error) {
	h, err := readHeader(fsys, dir)
	if err != nil {
		return nil, err
	}
	s := &Suite{Name: h.Name, Title: h.Title, Description: h.Description, Author: h.Author, Dir: dir,
		Worlds: map[string]*WorldFile{}, byID: map[string]*Case{}}
	if err := s.readWorlds(fsys, h); err != nil {
		return nil, err
	}
	if err := s.readScenarios(fsys); err != nil {
		return nil, err
	}
	if err := s.readCases(fsys); err != nil {
		return nil, err
	}
	if len(s.Cases) == 0 {
		return nil, fmt.Errorf("%s: the suite is empty: neither scenarios/*.yaml nor cases.jsonl holds a case", dir)
	}
	return s, nil
}

func readHeader(fsys fs.FS, dir string) (header, error) {
	var h header
	name := path.Join(dir, "suite.yaml")
	b, err := fs.ReadFile(fsys, "suite.yaml")
	if errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("%s is missing: %s is not a suite (make one with: gauntlet import toolhazard --help)", name, dir)
	}
	if err != nil {
		return h, fmt.Errorf("read suite: %w", err)
	}
	if err := yaml.Unmarshal(b, &h); err != nil {
		return h, fmt.Errorf("%s: %w", name, err)
	}
	if h.Format != Format {
		return h, fmt.Errorf("%s:1:1: format is %q; this version reads %q", name, h.Format, Format)
	}
	return h, nil
}

func (s *Suite) readWorlds(fsys fs.FS, h header) error {
	files, err := fs.Glob(fsys, "worlds/*.py")
	if err != nil {
		return fmt.Errorf("list worlds: %w", err)
	}
	for _, f := range files {
		src, err := fs.ReadFile(fsys, f)
		if err != nil {
			return fmt.Errorf("read world: %w", err)
		}
		id := strings.TrimSuffix(path.Base(f), ".py")
		s.Worlds[id] = &WorldFile{ID: id, File: path.Join(s.Dir, f), Class: h.Classes[id], src: src}
	}
	return nil
}

func (s *Suite) readScenarios(fsys fs.FS) error {
	files, err := fs.Glob(fsys, "scenarios/*.yaml")
	if err != nil {
		return fmt.Errorf("list scenarios: %w", err)
	}
	sort.Strings(files)
	for _, f := range files {
		src, err := fs.ReadFile(fsys, f)
		if err != nil {
			return fmt.Errorf("read scenario: %w", err)
		}
		cases, err := parseScenario(path.Join(s.Dir, f), src)
		if err != nil {
			return err
		}
		for _, c := range cases {
			if err := s.add(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// readCases reads cases.jsonl.
func (s *Suite) readCases(fsys fs.FS) error {
	b, err := fs.ReadFile(fsys, "cases.jsonl")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read cases: %w", err)
	}
	file := path.Join(s.Dir, "cases.jsonl")
	lines := bytes.Split(b, []byte("\n"))
	cases, errs := decodeLines(lines)
	for i, c := range cases {
		if c == nil && errs[i] == nil {
			continue
		}
		where := fmt.Sprintf("%s:%d", file, i+1)
		if errs[i] != nil {
			return fmt.Errorf("%s:%w", where, errs[i])
		}
		c.File = where
		if c.ID == "" || c.World == "" {
			return fmt.Errorf("%s:1: a case needs id and world", c.File)
		}
		if c.Scenario == "" {
			c.Scenario = c.ID
		}
		if err := s.add(c); err != nil {
			return err
		}
	}
	return nil
}

// decodeLines decodes the lines of cases.jsonl on all processors; blank lines
// give neither a case nor an error.
func decodeLines(lines [][]byte) ([]*Case, []error) {
	cases, errs := make([]*Case, len(lines)), make([]error, len(lines))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < len(lines); i = int(next.Add(1)) - 1 {
				if len(bytes.TrimSpace(lines[i])) > 0 {
					cases[i], errs[i] = decodeCase(lines[i])
				}
			}
		}()
	}
	wg.Wait()
	return cases, errs
}
