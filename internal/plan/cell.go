package plan

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"gauntlet/internal/agent"
	"gauntlet/internal/run"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// Expand lists the cells of a complete plan over its suite, each with its id:
// agents first, then defences, formats, epochs, and cases in the order of the suite.
func Expand(p *Plan, s *suite.Suite, env agent.Env) ([]run.Cell, error) {
	chosen, err := p.cases(s)
	if err != nil {
		return nil, err
	}
	h := newHasher(p, s)
	var cells []run.Cell
	for _, c := range p.Agents {
		a, err := agent.New(c, env)
		if err != nil {
			return nil, err
		}
		cases := run.Playable(a, chosen)
		if len(cases) == 0 {
			return nil, fmt.Errorf("agent %s can play no case of suite %s", c.Name, s.Name)
		}
		if p.Limit > 0 && len(cases) > p.Limit {
			cases = cases[:p.Limit]
		}
		who, err := h.agent(c, a, env)
		if err != nil {
			return nil, err
		}
		for _, name := range p.Defences {
			defence, err := agent.FindDefence(name)
			if err != nil {
				return nil, err
			}
			for _, format := range p.formats(c.Scaffold) {
				for epoch := range p.Epochs {
					for _, k := range cases {
						cell := run.Cell{Case: k, Name: c.Name, Agent: a, Format: format, Defence: defence, Epoch: epoch, Seed: *p.Seed, Limits: p.Limits}
						if cell.ID, err = h.cell(cell, who); err != nil {
							return nil, err
						}
						cells = append(cells, cell)
					}
				}
			}
		}
	}
	return cells, nil
}

// cases are those that the plan asks for.
func (p *Plan) cases(s *suite.Suite) ([]*suite.Case, error) {
	for _, pattern := range p.Cases {
		if !slices.ContainsFunc(s.Cases, func(c *suite.Case) bool { return like(pattern, c) }) {
			return nil, fmt.Errorf("cases: %q matches no case of suite %s%s", pattern, s.Name, attacked(pattern, s))
		}
	}
	for _, name := range p.Strategies {
		if !slices.ContainsFunc(s.Cases, func(c *suite.Case) bool { return c.Strategy() == name }) {
			return nil, fmt.Errorf("strategies: suite %s has no case of strategy %q", s.Name, name)
		}
	}
	var out []*suite.Case
	for _, c := range s.Cases {
		chosen := len(p.Cases) == 0 || slices.ContainsFunc(p.Cases, func(pattern string) bool { return like(pattern, c) })
		if chosen && (len(p.Strategies) == 0 || slices.Contains(p.Strategies, c.Strategy())) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no case is of both these patterns and these strategies")
	}
	return out, nil
}

// like reports whether a case has an id of this pattern, which was checked.
func like(pattern string, c *suite.Case) bool {
	ok, _ := path.Match(pattern, c.ID)
	return ok
}

// attacked is a hint for patterns that forget the attack's name.
func attacked(pattern string, s *suite.Suite) string {
	for _, c := range s.Cases {
		if ok, _ := path.Match(pattern+"/*", c.ID); ok {
			return fmt.Sprintf("; %q would match its attacked cases", pattern+"/*")
		}
	}
	return ""
}

// hasher computes ids. Worlds and cases are hashed once.
type hasher struct {
	compat bool
	worlds map[string]string
	cases  map[string]string
}

func newHasher(p *Plan, s *suite.Suite) *hasher {
	h := &hasher{compat: p.Compat, worlds: map[string]string{}, cases: map[string]string{}}
	for _, id := range s.WorldIDs() {
		w, _ := s.World(id)
		h.worlds[id] = digest([]byte(w.Class + "\n" + w.Source()))
	}
	return h
}

// hashCase returns the hash of a case: of everything in it but where it came from
// and the state without the attack, which no run looks at. States are large; they
// go into the hash as they are, beside the rest.
func (h *hasher) hashCase(c *suite.Case) (string, error) {
	if sum, ok := h.cases[c.ID]; ok {
		return sum, nil
	}
	bare := *c
	bare.Source, bare.State, bare.Clean = "", trace.Null(), trace.Value{}
	b, err := json.Marshal(bare)
	if err != nil {
		return "", fmt.Errorf("hash case %s: %w", c.ID, err)
	}
	h.cases[c.ID] = digest(c.State.AppendJSON(append(b, '\n')))
	return h.cases[c.ID], nil
}

// agentKey is what can make an agent act otherwise. Its name is part of the
// seed of its random choices.
type agentKey struct {
	agent.Config
	// Version is that of the scaffold's own prompts and rules.
	Version string `json:"version"`
	// Service is the provider's address and format, and what it is sent.
	Service string `json:"service,omitempty"`
	// File is the digest of the file that a scaffold's argument names.
	File string `json:"file,omitempty"`
}

func (h *hasher) agent(c agent.Config, a agent.Agent, env agent.Env) (agentKey, error) {
	k := agentKey{Config: c, Version: agent.Version}
	if v, ok := a.(agent.Versioned); ok {
		k.Version += " " + v.Version()
	}
	if c.Model != "" && env.Client != nil {
		_, spec, err := env.Client(c.Model)
		if err != nil {
			return k, err
		}
		p := spec.Provider
		k.Service = fmt.Sprintf("%s %s %s %v", p.Wire, p.BaseURL, p.MaxTokensField, p.EchoThought)
	}
	if _, file, ok := strings.Cut(c.Scaffold, "replay:"); ok {
		b, err := os.ReadFile(file)
		if err != nil {
			return k, fmt.Errorf("read recorded runs: %w", err)
		}
		k.Scaffold, k.File = "replay", digest(b) // what is in the file counts, not where it is
	}
	return k, nil
}

// cellKey is the text that an id is the hash of. The order of fields counts.
type cellKey struct {
	Version string        `json:"version"`
	Rules   string        `json:"rules"`
	World   string        `json:"world"`
	Case    string        `json:"case"`
	Agent   agentKey      `json:"agent"`
	Format  trace.Format  `json:"format"`
	Defence agent.Defence `json:"defence"`
	Epoch   int           `json:"epoch"`
	Seed    uint64        `json:"seed"`
	Limits  agent.Limits  `json:"limits"`
	Compat  bool          `json:"compat"`
}

func (h *hasher) cell(k run.Cell, who agentKey) (string, error) {
	k.Defence.Doc = ""
	of, err := h.hashCase(k.Case)
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(cellKey{Version: "gauntlet.cell/1", Rules: run.Rules, World: h.worlds[k.Case.World], Case: of, Agent: who,
		Format: k.Format, Defence: k.Defence, Epoch: k.Epoch, Seed: k.Seed, Limits: k.Limits, Compat: h.compat})
	if err != nil {
		return "", fmt.Errorf("hash cell of %s: %w", k.Case.ID, err)
	}
	return digest(b), nil
}

func digest(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// Label is what lists show of a cell, as JSON.
type Label struct {
	Case     string       `json:"case"`
	Agent    string       `json:"agent"`
	Strategy string       `json:"strategy"`
	Format   trace.Format `json:"format"`
	Defence  string       `json:"defence"`
	Epoch    int          `json:"epoch"`
}

// LabelOf returns the label of a cell.
func LabelOf(k run.Cell) Label {
	return Label{Case: k.Case.ID, Agent: k.Name, Strategy: k.Case.Strategy(), Format: k.Format, Defence: k.Defence.Name, Epoch: k.Epoch}
}

// Encode returns the plan as JSON, in which it is journaled.
func (p *Plan) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		return nil, fmt.Errorf("encode plan: %w", err)
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// Decode reads what Encode wrote.
func Decode(doc []byte) (*Plan, error) {
	var p Plan
	d := json.NewDecoder(bytes.NewReader(doc))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		return nil, fmt.Errorf("decode plan: %w", err)
	}
	return &p, p.Complete()
}
