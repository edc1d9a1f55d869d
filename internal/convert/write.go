package convert

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// Names of the files that an import adds to a suite.
const (
	ReportFile = "import.json"        // a Report
	PointsFile = "attack_points.json" // world id to list of AttackPoint
	WorldsFile = "worlds.json"        // world id to WorldNote
)

// WorldNote is what was published about a world and is not in its source: the
// text of the reference agent's prompt, and what each tool does.
type WorldNote struct {
	Title        string                  `json:"title"`
	Introduction string                  `json:"introduction"`
	Rules        []string                `json:"rules"`
	Effects      map[string]trace.Effect `json:"effects"` // of the tools whose operation type is published
}

// write writes the suite and the files beside it.
func (im *importer) write() error {
	im.progress("writing %s", im.opts.Out)
	if err := suite.Write(im.opts.Out, im.suite); err != nil {
		return err
	}
	points := map[string][]AttackPoint{}
	notes := map[string]WorldNote{}
	for _, id := range im.suite.WorldIDs() {
		e := im.envs[id]
		points[id] = append([]AttackPoint{}, e.points...)
		notes[id] = WorldNote{e.title, e.intro, append([]string{}, e.rules...), e.effect}
	}
	for _, f := range []struct {
		name string
		data any
	}{{PointsFile, points}, {WorldsFile, notes}, {ReportFile, im.report}} {
		if err := writeJSON(filepath.Join(im.opts.Out, f.name), f.data); err != nil {
			return err
		}
	}
	return nil
}

// writeJSON writes indented JSON, keys of maps sorted.
func writeJSON(name string, data any) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("write file: %w", cerr)
		}
	}()
	enc := json.NewEncoder(f)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(data); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
