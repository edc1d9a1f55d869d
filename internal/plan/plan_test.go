package plan_test

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	"pgregory.net/rapid"

	"gauntlet/internal/agent"
	"gauntlet/internal/model"
	"gauntlet/internal/plan"
	"gauntlet/internal/run"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
	"gauntlet/worlds"
)

var update = flag.Bool("update", false, "rewrite generated files")

func bundled(t testing.TB) *suite.Suite {
	t.Helper()
	s, err := suite.LoadFS(worlds.Files, "worlds")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestErrors says where a plan is wrong, and what to do.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "p.yaml:1:1: the plan is empty"},
		{"agents: [{scaffold: tools}]\n", "p.yaml:1:1: format is missing"},
		{"format: gauntlet.plan/9\nagents: [{scaffold: tools}]\n", "p.yaml:1:1: format is \"gauntlet.plan/9\""},
		{"format: gauntlet.plan/1\n", "p.yaml:1:1: agents: a plan needs at least one agent"},
		{"format: gauntlet.plan/1\nagnets: []\n", "p.yaml:2:1: unknown key \"agnets\"; keys are format, name, suite, agents"},
		{"format: gauntlet.plan/1\nagents:\n  - scaffold: tools\n    model_: x\n", "p.yaml:4:5: unknown key \"model_\""},
		{"format: gauntlet.plan/1\nagents: [{scaffold: tools}]\nepochs: many\n", "p.yaml:3:9: \"many\" is no int"},
		{"format: gauntlet.plan/1\nagents: [{scaffold: tools}]\nlimits: {time: 10}\n", "p.yaml:3:16: \"10\" is no duration"},
		{"format: gauntlet.plan/1\nagents: [{scaffold: tools}]\nlimit: -1\n", "a limit is not negative"},
		{"format: gauntlet.plan/1\nagents: [{scaffold: tools}]\nepochs: -1\n", "nor is the number of epochs"},
		{"format: gauntlet.plan/1\nagents: [{scaffold: tools}]\nformats: [xml]\n", "p.yaml:3:1: formats: \"xml\" is none of json, yaml and text"},
		{"format: gauntlet.plan/1\nagents: [{scaffold: tools}]\ndefences: [prayer]\n", "p.yaml:3:1: defences: unknown defence \"prayer\""},
		{"format: gauntlet.plan/1\nagents: [{scaffold: tools}, {scaffold: tools}]\n", "p.yaml:2:1: agents: two are called \"tools\"; give them names"},
		{"format: gauntlet.plan/1\nagents: [{name: x}]\n", "p.yaml:2:1: agents: agent 1 has no scaffold"},
		{"format: gauntlet.plan/1\nformat: gauntlet.plan/1\n", "p.yaml:2:1: key \"format\" is there twice"},
		{"format: [\n", "p.yaml:1:1: did not find expected node content"},
		{"format: gauntlet.plan/1\nagents: tools\n", "p.yaml:2:9: a list is wanted here"},
		{"&a format: gauntlet.plan/1\nagents: *a\n", "p.yaml:2:9: aliases are not read here"},
	} {
		_, err := plan.Parse("p.yaml", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

const night = `format: gauntlet.plan/1
name: night
agents:
  - {scaffold: "reference:solver"}
  - {name: again, scaffold: "reference:solver"}
formats: [json, yaml]
defences: [none, delimit]
epochs: 2
seed: 7
strategies: [none, combined]
limits: {turns: 20, time: 90s}
traffic: {workers: 4, budget_usd: 1.5, budget_time: 8h}
`

func TestExpand(t *testing.T) {
	s := bundled(t)
	p, err := plan.Parse("night.yaml", []byte(night))
	if err != nil {
		t.Fatal(err)
	}
	if p.Limits.Time != 90*time.Second || p.Limits.Calls != plan.DefaultCalls || *p.Seed != 7 || p.Traffic.BudgetTime != 8*time.Hour {
		t.Errorf("read as %+v", p)
	}
	cells, err := plan.Expand(p, s, agent.Env{})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range s.Cases {
		if c.Strategy() == "none" || c.Strategy() == "combined" {
			n++
		}
	}
	if len(cells) != n*2*2*2*2 {
		t.Errorf("%d cells, want %d", len(cells), n*16)
	}
	seen := map[string]string{}
	for _, c := range cells {
		label, _ := json.Marshal(plan.LabelOf(c))
		if len(c.ID) != 64 || seen[c.ID] != "" {
			t.Fatalf("id %q of %s is no hash or that of %s", c.ID, label, seen[c.ID])
		}
		seen[c.ID] = string(label)
	}
}

// TestPlanRoundTrip reads a journaled plan back: the same cells.
func TestPlanRoundTrip(t *testing.T) {
	s := bundled(t)
	p, err := plan.Parse("night.yaml", []byte(night))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	q, err := plan.Decode(doc)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(t, s, q), ids(t, s, p); !reflect.DeepEqual(got, want) {
		t.Error("a plan that was journaled has other cells")
	}
}

func ids(t testing.TB, s *suite.Suite, p *plan.Plan) []string {
	t.Helper()
	var out []string
	for _, c := range expand(t, s, p) {
		out = append(out, c.ID)
	}
	return out
}

func expand(t testing.TB, s *suite.Suite, p *plan.Plan) []run.Cell {
	t.Helper()
	cells, err := plan.Expand(p, s, env())
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

// env opens models that are never asked.
func env() agent.Env {
	table, err := model.LoadTable(nil)
	return agent.Env{Clock: still{}, Client: func(text string) (model.Client, model.Spec, error) {
		if err != nil {
			return nil, model.Spec{}, err
		}
		spec, err := model.ParseSpec(text, table)
		return mute{}, spec, err
	}}
}

// still is a clock that stands.
type still struct{}

func (still) Now() time.Time                             { return time.Time{} }
func (still) Sleep(context.Context, time.Duration) error { return nil }

type mute struct{}

func (mute) Complete(context.Context, model.Request) (model.Reply, error) {
	return model.Reply{}, &model.Error{Kind: model.KindRefused}
}

// TestResumeKeyCoversEverything (peers: a resume key that leaves out version,
// system prompt and parameters mixes results): whatever can change a result
// changes the id, and nothing else does.
func TestResumeKeyCoversEverything(t *testing.T) {
	s := bundled(t)
	base := func() *plan.Plan {
		return &plan.Plan{Agents: []agent.Config{{Name: "a", Scaffold: "tools", Model: "openai:m"}}, Cases: []string{"rush_*"}, Limit: 1}
	}
	id := func(change func(*plan.Plan)) string {
		p := base()
		change(p)
		if err := p.Complete(); err != nil {
			t.Fatal(err)
		}
		return ids(t, s, p)[0]
	}
	original := id(func(*plan.Plan) {})
	half, yes := 0.5, true
	seen := map[string]string{original: "the original"}
	for name, change := range map[string]func(*plan.Plan){
		"model":         func(p *plan.Plan) { p.Agents[0].Model = "openai:n" },
		"provider":      func(p *plan.Plan) { p.Agents[0].Model = "http://127.0.0.1:1/v1#m" },
		"scaffold":      func(p *plan.Plan) { p.Agents[0].Scaffold = "react" },
		"system prompt": func(p *plan.Plan) { p.Agents[0].System = "Be brief." },
		"user":          func(p *plan.Plan) { p.Agents[0].User = "Ann" },
		"temperature":   func(p *plan.Plan) { p.Agents[0].Params.Temperature = &half },
		"top p":         func(p *plan.Plan) { p.Agents[0].Params.TopP = &half },
		"max tokens":    func(p *plan.Plan) { p.Agents[0].Params.MaxTokens = 9 },
		"parallel":      func(p *plan.Plan) { p.Agents[0].Params.Parallel = &yes },
		"extra":         func(p *plan.Plan) { p.Agents[0].Params.Extra = `{"a":1}` },
		"seed":          func(p *plan.Plan) { n := uint64(9); p.Seed = &n },
		"format":        func(p *plan.Plan) { p.Formats = []trace.Format{trace.FormatText} },
		"defence":       func(p *plan.Plan) { p.Defences = []string{"delimit"} },
		"turns":         func(p *plan.Plan) { p.Limits.Turns = 3 },
		"tokens":        func(p *plan.Plan) { p.Limits.Tokens = 3 },
		"compat": func(p *plan.Plan) {
			p.Compat = true
			p.Formats = []trace.Format{trace.FormatJSON}
			p.Limits.Turns = plan.DefaultTurns
		},
	} {
		got := id(change)
		if other, ok := seen[got]; ok {
			t.Errorf("another %s gives the id of %s", name, other)
		}
		seen[got] = name
	}
	for name, change := range map[string]func(*plan.Plan){
		"traffic": func(p *plan.Plan) { p.Traffic = plan.Traffic{Workers: 3, Cache: "c", Attempts: 9, BudgetUSD: 1} },
		"name":    func(p *plan.Plan) { p.Name = "other" },
		"epochs":  func(p *plan.Plan) { p.Epochs = 3 }, // more of them; the first stays
	} {
		if id(change) != original {
			t.Errorf("another %s changes the id", name)
		}
	}
	// A change of the case or of the world is another experiment, too.
	c := *expand(t, s, complete(t, base()))[0].Case
	c.Task += " "
	if changed := suiteWith(t, s, &c); ids(t, changed, complete(t, base()))[0] == original {
		t.Error("another task keeps the id")
	}
}

func complete(t testing.TB, p *plan.Plan) *plan.Plan {
	t.Helper()
	if err := p.Complete(); err != nil {
		t.Fatal(err)
	}
	return p
}

// suiteWith is a suite of one case.
func suiteWith(t testing.TB, s *suite.Suite, c *suite.Case) *suite.Suite {
	t.Helper()
	out := suite.New(s.Name, s.Title)
	w, _ := s.World(c.World)
	if _, err := out.AddWorld(c.World, w.Class, []byte(w.Source())); err != nil {
		t.Fatal(err)
	}
	if err := out.AddCase(c); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestIDsFromContent (peers: automatic ids follow the shuffled position): the id
// of a case's cell is the same under any limit and among any other cases.
func TestIDsFromContent(t *testing.T) {
	s := bundled(t)
	rapid.Check(t, func(r *rapid.T) {
		limit := rapid.IntRange(1, len(s.Cases)).Draw(r, "limit")
		all := expand(t, s, complete(t, &plan.Plan{Agents: []agent.Config{{Scaffold: "reference:noop"}}}))
		some := expand(t, s, complete(t, &plan.Plan{Agents: []agent.Config{{Scaffold: "reference:noop"}}, Limit: limit}))
		one := expand(t, s, complete(t, &plan.Plan{Agents: []agent.Config{{Scaffold: "reference:noop"}}, Cases: []string{s.Cases[limit-1].ID}}))
		if some[limit-1].ID != all[limit-1].ID || one[0].ID != all[limit-1].ID {
			r.Fatalf("case %s has several ids", s.Cases[limit-1].ID)
		}
	})
}

func TestNothingToPlay(t *testing.T) {
	s := bundled(t)
	for _, c := range []struct {
		p    plan.Plan
		want string
	}{
		{plan.Plan{Cases: []string{"nothing_*"}}, `cases: "nothing_*" matches no case`},
		{plan.Plan{Strategies: []string{"charm"}}, `has no case of strategy "charm"`},
		{plan.Plan{Cases: []string{"rush_*"}, Strategies: []string{"combined"}}, "both these patterns and these strategies"},
	} {
		c.p.Agents = []agent.Config{{Scaffold: "reference:noop"}}
		if _, err := plan.Expand(complete(t, &c.p), s, agent.Env{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(night)
	f.Add("format: gauntlet.plan/1\nagents: [{scaffold: react, model: 'openai:x', params: {temperature: 1e400}}]")
	f.Add("&a [*a, *a]")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := plan.Parse("p.yaml", []byte(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p.yaml:") {
				t.Errorf("error without a place: %v", err)
			}
			return
		}
		doc, err := p.Encode()
		if err != nil {
			t.Skip(err) // infinities have no JSON
		}
		if _, err := plan.Decode(doc); err != nil {
			t.Errorf("%s\ncannot be read back: %v", doc, err)
		}
	})
}

// TestSchema keeps docs/plan.schema.json, which editors use for plan files.
func TestSchema(t *testing.T) {
	words := map[reflect.Type][]any{}
	for _, f := range trace.Formats() {
		words[reflect.TypeFor[trace.Format]()] = append(words[reflect.TypeFor[trace.Format]()], string(f))
	}
	r := jsonschema.Reflector{Anonymous: true, FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, Mapper: func(t reflect.Type) *jsonschema.Schema {
		if set, ok := words[t]; ok {
			return &jsonschema.Schema{Type: "string", Enum: set}
		}
		if t == reflect.TypeFor[time.Duration]() {
			return &jsonschema.Schema{Type: "string", Pattern: `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`}
		}
		return nil
	}}
	if err := r.AddGoComments("gauntlet", "../plan"); err != nil {
		t.Fatal(err)
	}
	s := r.Reflect(&plan.Plan{})
	s.Title = "A plan of Gauntlet (" + plan.Format + ")"
	doc, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	doc = append(doc, '\n')
	file := filepath.Join("..", "..", "docs", "plan.schema.json")
	if *update {
		if err := os.WriteFile(file, doc, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old, err := os.ReadFile(file)
	if err != nil || string(old) != string(doc) {
		t.Errorf("docs/plan.schema.json is out of date (%v): go test ./internal/plan -update", err)
	}
}
