package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"gauntlet/internal/agent"
	"gauntlet/internal/plan"
	"gauntlet/internal/trace"
)

// planFlags say what is to be played.
type planFlags struct {
	file        string
	name        string
	agents      []string
	models      []string
	scaffolds   []string
	system      string
	user        string
	formats     []string
	defences    []string
	cases       []string
	strategies  []string
	epochs      int
	limit       int
	seed        uint64
	compat      bool
	turns       int
	calls       int
	tokens      int64
	time        time.Duration
	temperature float64
	topP        float64
	maxTokens   int
	seeded      bool
	extra       string
	command     []string // of an external agent; nil without --
}

func (f *planFlags) add(c *cobra.Command) {
	heading(c, "What is played", func(g *pflag.FlagSet) {
		g.StringVar(&f.file, "plan", "", "read all of this from a plan, a YAML `FILE`; only flags of requests and output go with it")
		g.StringVar(&f.name, "name", "", "`NAME` of the run in lists")
		g.StringArrayVar(&f.cases, "case", nil, "only cases whose id fits this `PATTERN`, repeatable, such as 'rush_*' or 'rush_*/*'")
		g.StringArrayVar(&f.strategies, "strategy", nil, "only this attack `STRATEGY`, repeatable; none for cases without an attack")
		g.IntVar(&f.limit, "limit", 0, "only the first `N` cases (0: all)")
		g.IntVar(&f.epochs, "epochs", 1, "how often each case is played")
		g.Uint64Var(&f.seed, "seed", 1, "seed of ids, times and random choices")
		g.StringArrayVar(&f.formats, "format", nil, "`FORM` of observations: json, yaml or text, repeatable (default json; with --compat text)")
		g.StringArrayVar(&f.defences, "defence", nil, "`DEFENCE` of the prompt, repeatable: "+strings.Join(agent.DefenceNames(), ", "))
		g.BoolVar(&f.compat, "compat", false, "behave and score as the published benchmark does")
	})
	heading(c, "Agents and models", func(g *pflag.FlagSet) {
		g.StringArrayVar(&f.agents, "agent", nil, "`AGENT` without a model, repeatable (default: the four reference agents)")
		g.StringArrayVar(&f.models, "model", nil, "`MODEL` to play with, repeatable")
		g.StringArrayVar(&f.scaffolds, "scaffold", nil, "`SCAFFOLD` around each model: tools or react, repeatable (default tools); external for the command after --")
		g.StringVar(&f.system, "system", "", "system `PROMPT` in place of the scaffold's; ${title}, ${intro}, ${rules} and ${user} are filled in")
		g.StringVar(&f.user, "user", "", "the user's `NAME` in place of the case's")
		g.Float64Var(&f.temperature, "temperature", 0, "temperature of requests (default: the provider's)")
		g.Float64Var(&f.topP, "top-p", 0, "nucleus of requests (default: the provider's)")
		g.IntVar(&f.maxTokens, "max-tokens", 0, "most tokens of a reply (0: the provider's)")
		g.BoolVar(&f.seeded, "send-seed", false, "send a seed with each request")
		g.StringVar(&f.extra, "extra", "", "`JSON` object of fields for the provider, such as '{\"reasoning_effort\":\"low\"}'")
	})
	heading(c, "Limits of an episode", func(g *pflag.FlagSet) {
		g.IntVar(&f.turns, "turns", 0, "most replies of the model in an episode (0: 50, with --compat 30)")
		g.IntVar(&f.calls, "calls", 0, "most tool calls in an episode (0: 200)")
		g.Int64Var(&f.tokens, "tokens", 0, "most tokens in an episode (0: no limit)")
		g.DurationVar(&f.time, "time", 0, "longest episode, such as 10m (0: no limit)")
	})
}

// defaultAgents are played when neither agent nor model is named: they need no
// model.
var defaultAgents = []string{"reference:noop", "reference:random", "reference:solver", "reference:gullible"}

// plan makes the plan that the flags or the plan file describe.
func (f *planFlags) plan(cmd *cobra.Command, args []string) (*plan.Plan, error) {
	if f.limit < 0 || f.epochs < 1 || f.turns < 0 || f.calls < 0 || f.tokens < 0 || f.time < 0 || f.maxTokens < 0 {
		return nil, errors.New("--limit and --workers are 0 (all, one per processor) or more, as are the limits of an episode; --epochs is 1 or more")
	}
	args, f.command = splitCommand(cmd, args)
	if f.file != "" {
		return f.read(cmd, args)
	}
	if err := f.checkCommand(); err != nil {
		return nil, err
	}
	if err := f.checkModel(cmd); err != nil {
		return nil, err
	}
	p := &plan.Plan{Name: f.name, Seed: &f.seed, Epochs: f.epochs, Limit: f.limit, Compat: f.compat, Defences: f.defences, Cases: f.cases, Strategies: f.strategies,
		Limits: agent.Limits{Turns: f.turns, Calls: f.calls, Tokens: f.tokens, Time: f.time}}
	if len(args) > 0 {
		dir, err := filepath.Abs(args[0])
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", args[0], err)
		}
		if p.Suite = args[0]; filepath.IsAbs(args[0]) {
			p.Suite = dir
		}
	}
	for _, name := range f.formats {
		if !trace.Format(name).Valid() {
			return nil, fmt.Errorf("--format %q: formats are json, yaml and text", name)
		}
		p.Formats = append(p.Formats, trace.Format(name))
	}
	f.addAgents(cmd, p)
	return p, p.Complete()
}

// external is the scaffold of the command after --.
const external = "external"

// suiteAndCommand is the check of arguments that are at most a suite, and after --
// a command.
func suiteAndCommand(cmd *cobra.Command, args []string) error {
	suite, command := splitCommand(cmd, args)
	if command != nil && (len(command) == 0 || command[0] == "") {
		return errors.New("requires a program after --")
	}
	return cobra.MaximumNArgs(1)(cmd, suite)
}

// splitCommand parts the arguments before -- from those after it; the command is
// nil without --.
func splitCommand(cmd *cobra.Command, args []string) (rest, command []string) {
	n := cmd.ArgsLenAtDash()
	if n < 0 {
		return args, nil
	}
	return args[:n], append([]string{}, args[n:]...)
}

// checkCommand compares the command with the flags, which may name its scaffold.
// It leaves in these what is for others.
func (f *planFlags) checkCommand() error {
	isExternal := func(name string) bool { return name == external }
	named := slices.ContainsFunc(f.scaffolds, isExternal)
	if f.command == nil && (named || slices.ContainsFunc(f.agents, isExternal)) {
		return errors.New("agent external needs a command: write the program and its arguments after --, as in gauntlet run -- my-agent {mcp_config}")
	}
	f.scaffolds, f.agents = slices.DeleteFunc(f.scaffolds, isExternal), slices.DeleteFunc(f.agents, isExternal)
	if named && len(f.scaffolds) == 0 && len(f.models) > 0 {
		return errors.New("agent external brings its own model; name it in the command in place of --model")
	}
	return nil
}

// checkModel refuses flags that would be without effect: more likely than on
// purpose, --model was forgotten, and other agents would be played.
func (f *planFlags) checkModel(cmd *cobra.Command) error {
	if len(f.models) > 0 {
		return nil
	}
	if len(f.scaffolds) > 0 {
		return fmt.Errorf("requires --model: --scaffold %s stands around one", f.scaffolds[0])
	}
	names := []string{"temperature", "top-p", "max-tokens", "send-seed", "extra"}
	if f.command == nil {
		names = append(names, "system", "user")
	}
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("requires --model: --%s is for models", name)
		}
	}
	return nil
}

func (f *planFlags) addAgents(cmd *cobra.Command, p *plan.Plan) {
	if len(f.agents) == 0 && len(f.models) == 0 && f.command == nil {
		f.agents = defaultAgents
	}
	if f.command != nil {
		p.Agents = append(p.Agents, agent.Config{Name: filepath.Base(f.command[0]), Scaffold: external, System: f.system, User: f.user, Command: f.command})
	}
	for _, name := range f.agents {
		p.Agents = append(p.Agents, agent.Config{Scaffold: name})
	}
	if len(f.scaffolds) == 0 {
		f.scaffolds = []string{"tools"}
	}
	params := agent.Params{MaxTokens: f.maxTokens, Seeded: f.seeded, Extra: f.extra}
	if cmd.Flags().Changed("temperature") {
		params.Temperature = &f.temperature
	}
	if cmd.Flags().Changed("top-p") {
		params.TopP = &f.topP
	}
	for _, m := range f.models {
		for _, s := range f.scaffolds {
			p.Agents = append(p.Agents, agent.Config{Scaffold: s, Model: m, System: f.system, User: f.user, Params: params})
		}
	}
}

// read reads the plan file. Flags that would contradict it are refused.
func (f *planFlags) read(cmd *cobra.Command, args []string) (*plan.Plan, error) {
	if f.command != nil {
		return nil, fmt.Errorf("the command is part of the plan; write it into %s as an agent with scaffold: external", f.file)
	}
	if len(args) > 0 {
		return nil, errors.New("--plan names the suite itself; leave SUITE out")
	}
	var own planFlags
	theirs := &cobra.Command{}
	own.add(theirs)
	var err error
	theirs.Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Name != "plan" && flag.Name != "name" && cmd.Flags().Changed(flag.Name) {
			err = fmt.Errorf("--%s is part of the plan; write it into %s", flag.Name, f.file)
		}
	})
	if err != nil {
		return nil, err
	}
	p, err := plan.Read(f.file)
	if err != nil {
		return nil, err
	}
	if f.name != "" {
		p.Name = f.name
	}
	if p.Suite != "" && !filepath.IsAbs(p.Suite) {
		p.Suite = filepath.Join(filepath.Dir(f.file), p.Suite)
	}
	return p, nil
}
