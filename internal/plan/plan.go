package plan

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"gauntlet/internal/agent"
	"gauntlet/internal/trace"
)

// Format is the version of plan files.
const Format = "gauntlet.plan/1"

// Plan says what is to be played. The zero value of a field is its default.
type Plan struct {
	// Format is "gauntlet.plan/1".
	Format string `json:"format" yaml:"format"`
	// Name names the experiment in lists.
	Name string `json:"name,omitempty" yaml:"name"`
	// Suite is a folder; empty is the bundled suite.
	Suite string `json:"suite,omitempty" yaml:"suite"`
	// Agents play every case each.
	Agents []agent.Config `json:"agents" yaml:"agents"`
	// Formats are the forms of observations; default: json (under compat what the
	// published agents were shown: yaml for react, text for all others).
	Formats []trace.Format `json:"formats,omitempty" yaml:"formats"`
	// Defences are names of defences, "none" for none; default: none.
	Defences []string `json:"defences,omitempty" yaml:"defences"`
	// Epochs is how often each case is played; default: 1.
	Epochs int `json:"epochs,omitempty" yaml:"epochs"`
	// Seed is the source of ids, times and random choices; default: 1.
	Seed *uint64 `json:"seed,omitempty" yaml:"seed"`
	// Cases are patterns of case ids, in which * stands for any letters but a
	// slash; default: all.
	Cases []string `json:"cases,omitempty" yaml:"cases"`
	// Strategies are names of attack strategies, "none" for cases without one;
	// default: all.
	Strategies []string `json:"strategies,omitempty" yaml:"strategies"`
	// Limit is the most cases for each agent, from the start of the suite; default: all.
	Limit int `json:"limit,omitempty" yaml:"limit"`
	// Limits end an episode; default: 50 turns (30 under compat) and 200 calls.
	Limits agent.Limits `json:"limits,omitzero" yaml:"limits"`
	// Compat behaves and scores as the published benchmark does.
	Compat bool `json:"compat,omitempty" yaml:"compat"`
	// Traffic says how models are asked. It changes no result and is in no id.
	Traffic Traffic `json:"traffic,omitzero" yaml:"traffic"`
}

// Traffic says how models are asked.
type Traffic struct {
	// Workers is the number of cells played at once; default: one per processor,
	// or 16 with models.
	Workers int `json:"workers,omitempty" yaml:"workers"`
	// Providers is a file with providers beside and in place of the built-in ones.
	Providers string `json:"providers,omitempty" yaml:"providers"`
	// Cache is a folder in which replies are kept and looked up; default: none.
	Cache string `json:"cache,omitempty" yaml:"cache"`
	// Attempts is the most attempts of a request; default: 6.
	Attempts int `json:"attempts,omitempty" yaml:"attempts"`
	// BudgetUSD, BudgetTokens and BudgetTime stop the run; default: no limit.
	BudgetUSD    float64       `json:"budget_usd,omitempty" yaml:"budget_usd"`
	BudgetTokens int64         `json:"budget_tokens,omitempty" yaml:"budget_tokens"`
	BudgetTime   time.Duration `json:"budget_time,omitempty" yaml:"budget_time"`
}

// Default numbers.
const (
	DefaultSeed        = 1
	DefaultTurns       = 50
	DefaultCompatTurns = 30 // of the published runs
	DefaultCalls       = 200
)

// Complete fills in the defaults and refuses what makes no sense.
func (p *Plan) Complete() error {
	if p.Format == "" {
		p.Format = Format
	}
	if p.Format != Format {
		return fmt.Errorf("format is %q; this version reads %q", p.Format, Format)
	}
	if len(p.Agents) == 0 {
		return errors.New("agents: a plan needs at least one agent")
	}
	if p.Seed == nil {
		seed := uint64(DefaultSeed)
		p.Seed = &seed
	}
	if p.Epochs == 0 {
		p.Epochs = 1
	}
	if len(p.Defences) == 0 {
		p.Defences = []string{agent.NoDefence}
	}
	if p.Limits.Turns == 0 {
		p.Limits.Turns = DefaultTurns
		if p.Compat {
			p.Limits.Turns = DefaultCompatTurns
		}
	}
	if p.Limits.Calls == 0 {
		p.Limits.Calls = DefaultCalls
	}
	return p.check()
}

func (p *Plan) check() error {
	for _, f := range p.Formats {
		if !f.Valid() {
			return fmt.Errorf("formats: %q is none of json, yaml and text", f)
		}
	}
	for _, d := range p.Defences {
		if _, err := agent.FindDefence(d); err != nil {
			return fmt.Errorf("defences: %w", err)
		}
	}
	for _, c := range p.Cases {
		if _, err := path.Match(c, ""); err != nil {
			return fmt.Errorf("cases: %q is no pattern", c)
		}
	}
	if p.Epochs < 0 || p.Limit < 0 || p.Limits.Turns < 0 || p.Limits.Calls < 0 || p.Limits.Tokens < 0 || p.Limits.Time < 0 ||
		p.Traffic.Workers < 0 || p.Traffic.Attempts < 0 || p.Traffic.BudgetTokens < 0 || p.Traffic.BudgetTime < 0 || !(p.Traffic.BudgetUSD >= 0) {
		return errors.New("a limit is not negative, nor is the number of epochs")
	}
	if twice, ok := repeated(p.Formats); ok {
		return fmt.Errorf("formats: %q is listed twice", twice)
	}
	if twice, ok := repeated(p.Defences); ok {
		return fmt.Errorf("defences: %q is listed twice", twice)
	}
	return p.nameAgents()
}

// nameAgents gives agents without a name one, and refuses two of one name: the
// rows of a table could not be told apart.
func (p *Plan) nameAgents() error {
	var names []string
	for i := range p.Agents {
		a := &p.Agents[i]
		if a.Scaffold == "" {
			return fmt.Errorf("agents: agent %d has no scaffold", i+1)
		}
		if a.Name == "" {
			a.Name = a.Scaffold
			if a.Model != "" {
				a.Name = a.Model + " " + a.Scaffold
			}
		}
		names = append(names, a.Name)
	}
	if twice, ok := repeated(names); ok {
		return fmt.Errorf("agents: two are called %q; give them names", twice)
	}
	return nil
}

func repeated[T comparable](list []T) (T, bool) {
	for i, x := range list {
		if slices.Contains(list[:i], x) {
			return x, true
		}
	}
	var zero T
	return zero, false
}

// formats are the forms of observations that an agent is played with.
func (p *Plan) formats(scaffold string) []trace.Format {
	switch {
	case len(p.Formats) > 0:
		return p.Formats
	case !p.Compat:
		return []trace.Format{trace.FormatJSON}
	case scaffold == "react":
		return []trace.Format{trace.FormatYAML}
	}
	return []trace.Format{trace.FormatText}
}

// UsesModels reports whether an agent of the plan waits for others: a model or a
// process.
func (p *Plan) UsesModels() bool {
	return slices.ContainsFunc(p.Agents, func(a agent.Config) bool { return a.Model != "" || len(a.Command) > 0 })
}
