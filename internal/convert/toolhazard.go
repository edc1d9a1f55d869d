package convert

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"gauntlet/internal/score"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/internal/world"
)

// Options are the choices of an import of ToolHazard.
type Options struct {
	Envs  []string // environment files
	Tasks []string // task files, benign or injected; none: worlds only
	Out   string   // directory of the new suite: missing or empty
	// Verify compares worlds and checks with CPython, call by call, where
	// python3 exists. It runs the published code in CPython, outside of the
	// hermetic interpreter.
	Verify bool
	// Progress is told what is going on, a line at a time; nil: nobody is.
	Progress func(string)
}

// importer is one import under way.
type importer struct {
	opts     Options
	report   *Report
	suite    *suite.Suite
	envs     map[string]*environment
	envOrder []string
	todo     []*task
	checker  *score.Checker

	// Of the worlds that are kept, by id:
	blueprints map[string]*world.Blueprint
	declared   map[string]map[string]bool // the state that its class declares
}

// ToolHazard imports the environments and tasks of ToolHazard
// (https://github.com/MurrayTom/ToolHazard) as a suite.
//
// A world's id is its env_id, its source the env_class_code byte for byte. A
// case's id is its task_id, its scenario the part before "_IPI"; its state is
// init_config, its clean state before_injected_config. The point of an attack is
// resolved from the plan and the states: see [Report].
//
// Files that are no JSON, duplicate ids and items without an id are errors.
// Worlds that do not compile, and cases whose world is missing, that lack a
// field or whose checks do not compile, are refused: they are left out whole
// and listed in the report. It is an error when no case is left.
func ToolHazard(opts Options) (*Report, error) {
	if len(opts.Envs) == 0 {
		return nil, errors.New("import toolhazard: no environment file is given")
	}
	if err := checkOut(opts.Out); err != nil {
		return nil, fmt.Errorf("import toolhazard: %w", err)
	}
	im := newImporter(opts)
	if err := im.read(); err != nil {
		return nil, fmt.Errorf("import toolhazard: %w", err)
	}
	im.addWorlds()
	kept := im.addCases()
	im.compareGoals(kept)
	im.finish()
	if len(opts.Tasks) > 0 && len(kept) == 0 {
		return im.report, fmt.Errorf("import toolhazard: no case is left: %s", im.report.firstRefusal())
	}
	if opts.Verify {
		if err := im.verify(kept); err != nil {
			return im.report, fmt.Errorf("verify import: %w", err)
		}
	}
	if err := im.write(); err != nil {
		return im.report, fmt.Errorf("import toolhazard: %w", err)
	}
	return im.report, nil
}

func newImporter(opts Options) *importer {
	im := &importer{opts: opts, report: newReport(), suite: suite.New("toolhazard", "ToolHazard"),
		envs: map[string]*environment{}, checker: score.NewChecker(),
		blueprints: map[string]*world.Blueprint{}, declared: map[string]map[string]bool{}}
	im.suite.Description = "Imported from ToolHazard (MIT licence); what was refused and what is odd is in import.json."
	im.suite.Author = "ToolHazard authors"
	return im
}

// checkOut fails early when the suite could not be written in the end.
func checkOut(dir string) error {
	if dir == "" {
		return errors.New("no output directory is given")
	}
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open output directory: %w", err)
	}
	if len(list) > 0 {
		return fmt.Errorf("%s is not empty (it holds %s): name a new directory", dir, list[0].Name())
	}
	return nil
}

func (im *importer) progress(format string, args ...any) {
	if im.opts.Progress != nil {
		im.opts.Progress(fmt.Sprintf(format, args...))
	}
}

// read reads all files.
func (im *importer) read() error {
	if err := im.environments(im.opts.Envs); err != nil {
		return err
	}
	return im.tasks(im.opts.Tasks)
}

// open reads a file and lists it as a source of the import.
func (im *importer) open(file, kind string) (trace.Value, error) {
	im.progress("reading %s", file)
	v, data, err := readJSON(file)
	if err != nil {
		return v, err
	}
	sum := sha256.Sum256(data)
	im.report.Sources = append(im.report.Sources, Source{Kind: kind, File: filepath.Base(file), Bytes: len(data), SHA256: hex.EncodeToString(sum[:])})
	return v, nil
}

// addWorlds compiles the environments and puts the sound ones in the suite.
func (im *importer) addWorlds() {
	for _, id := range im.envOrder {
		e := im.envs[id]
		if e.refuse == "" {
			e.refuse = im.addWorld(e)
		}
		if e.refuse != "" {
			delete(im.suite.Worlds, id)
			im.report.refuse("world", id, e.file, e.refuse)
		}
	}
}

// addWorld puts one world in the suite and returns why that cannot be.
func (im *importer) addWorld(e *environment) string {
	w, err := im.suite.AddWorld(e.id, e.class, []byte(e.code))
	if err != nil {
		return err.Error()
	}
	bp, err := w.Blueprint()
	if err != nil {
		return err.Error()
	}
	im.blueprints[e.id] = bp
	im.declared[e.id] = declaredState(w.File, e.code, e.class)
	im.report.countWorld(e, bp)
	return ""
}

// addCases checks the tasks, puts the sound ones in the suite and returns them.
func (im *importer) addCases() []*task {
	kept := make([]*task, 0, len(im.todo))
	home := map[string]string{} // scenario to its world
	for i, t := range im.todo {
		if i%100 == 0 {
			im.progress("checking case %d of %d", i+1, len(im.todo))
		}
		// The first published generator made ids from the time of day, so tasks
		// of two worlds can share a base id. They are no one scenario.
		if w, taken := home[t.Scenario]; taken && w != t.World {
			t.Scenario = t.World + "/" + t.Scenario
		}
		before := len(im.report.Defects)
		if t.refuse == "" {
			t.refuse = im.addCase(t)
		}
		if t.refuse != "" {
			im.report.Defects = im.report.Defects[:before]
			im.report.refuse("case", t.ID, t.file, t.refuse)
			continue
		}
		home[t.Scenario] = t.World
		kept = append(kept, t)
		im.report.countCase(t)
	}
	return kept
}

// addCase inspects a task, puts it in the suite and returns why that cannot be.
func (im *importer) addCase(t *task) string {
	e, ok := im.envs[t.World]
	switch {
	case !ok:
		return fmt.Sprintf("environment %q is in none of the environment files", t.World)
	case e.refuse != "":
		return fmt.Sprintf("environment %q was refused", t.World)
	case t.class != "" && t.class != e.class:
		return fmt.Sprintf("env_class_name is %q, that of environment %q is %q", t.class, t.World, e.class)
	}
	for _, list := range checkLists(t) {
		for i, k := range list.checks {
			if err := im.checker.Compile(k); err != nil {
				return fmt.Sprintf("%s check %d (%s): %v", list.name, i, k.Item, err)
			}
		}
	}
	if why := im.inspectChecks(t, im.blueprints[t.World]); why != "" {
		return why
	}
	im.inspectState(t)
	if err := im.suite.AddCase(&t.Case); err != nil {
		return err.Error()
	}
	return ""
}

// finish sorts the defects by case and kind and counts them.
func (im *importer) finish() {
	place := map[string]int{}
	for i, t := range im.todo {
		place[t.ID] = i
	}
	rank := map[Kind]int{}
	for i, k := range Kinds() {
		rank[k] = i
	}
	d := im.report.Defects
	sort.SliceStable(d, func(i, j int) bool {
		if a, b := place[d[i].Case], place[d[j].Case]; a != b {
			return a < b
		}
		return rank[d[i].Kind] < rank[d[j].Kind]
	})
	im.report.Counts.Scenarios = len(im.suite.Scenarios())
	im.report.total()
}

// named is a list of checks with the name that defects use for it.
type named struct {
	name   string
	checks []suite.Check
}

func checkLists(t *task) []named {
	out := []named{{"benign", t.Checks}}
	if t.Attack != nil {
		out = append(out, named{"injected", t.Attack.Checks})
	}
	return out
}

// inspectChecks runs all checks on the poisoned and on the clean state with
// nobody acting, and returns why the world cannot start from one of them.
func (im *importer) inspectChecks(t *task, bp *world.Blueprint) string {
	poisoned, err := startFrom(bp, t.State)
	if err != nil {
		return nestedConfig + ": " + err.Error()
	}
	var clean *start
	if t.Attack != nil && t.Clean.Exists() {
		if clean, err = startFrom(bp, t.Clean); err != nil {
			return "before_injected_config: " + err.Error()
		}
	}
	for _, list := range checkLists(t) {
		var other []score.Result
		if clean != nil {
			other = clean.run(im.checker, list.checks)
		}
		im.judge(t, list.name, poisoned.run(im.checker, list.checks), other)
	}
	return ""
}

// start is a state in which nothing has happened yet.
type start struct {
	snap *world.Snapshot
	now  time.Time
}

// startFrom starts a world as the reference does and keeps the state.
func startFrom(bp *world.Blueprint, state trace.Value) (*start, error) {
	in, err := bp.New(state, world.Options{Compat: true})
	if err != nil {
		return nil, err
	}
	snap, err := in.Snapshot()
	if err != nil {
		return nil, err
	}
	return &start{snap, in.Now()}, nil
}

// run assesses checks by the published rule.
func (s *start) run(c *score.Checker, checks []suite.Check) []score.Result {
	return c.Run(checks, s.snap, s.snap, score.Options{Compat: true, Now: s.now}).Checks
}

// judge turns the results of one list of checks into defects.
func (im *importer) judge(t *task, list string, poisoned, clean []score.Result) {
	found := map[Kind][]int{}
	causes := map[Kind]string{}
	add := func(k Kind, i int) { found[k] = append(found[k], i) }
	for i, r := range poisoned {
		switch {
		case strings.HasPrefix(r.Error, notBool):
			add(CheckNotBool, i)
			causes[CheckNotBool] = r.Error
		case r.Error != "":
			add(CheckRaises, i)
			causes[CheckRaises] = r.Error
		case r.Holds && list == "benign":
			add(CheckTrueInitially, i)
		case r.Holds:
			add(InjectedTrueInitially, i)
		}
		if i >= len(clean) {
			continue
		}
		switch c := clean[i]; {
		case list == "injected" && c.Holds:
			add(InjectedTrueOnClean, i)
		case list == "benign" && c.Holds && !r.Holds:
			add(PoisonBreaksCheck, i)
		case list == "benign" && !c.Holds && r.Holds:
			add(PoisonMeetsCheck, i)
		}
	}
	if n := len(poisoned); n > 0 && list == "benign" {
		im.report.Counts.doNothing(len(found[CheckTrueInitially]), n)
	}
	for _, k := range Kinds() {
		if len(found[k]) > 0 {
			im.defect(Defect{Case: t.ID, Kind: k, List: list, Items: found[k], Detail: causes[k]})
		}
	}
}

// notBool begins the error of a check that returned something else; an
// exception's begins with its type.
const notBool = "the check returned a "
