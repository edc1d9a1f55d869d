package model

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"gauntlet/internal/trace"
)

// Wire is a wire format.
type Wire string

// The wire formats.
const (
	WireOpenAI    Wire = "openai"    // POST {base}/chat/completions
	WireAnthropic Wire = "anthropic" // POST {base}/v1/messages
)

// Provider is one service: an entry of the provider table.
type Provider struct {
	// Name is the entry's key in the table.
	Name string `yaml:"-"`
	// Wire is the wire format.
	Wire Wire `yaml:"wire"`
	// BaseURL is the address in front of the wire format's path.
	BaseURL string `yaml:"base_url"`
	// KeyVariable names the environment variable that holds the key; "" if none is needed.
	KeyVariable string `yaml:"key_variable"`
	// Concurrent is the most requests in flight; 0 is no limit.
	Concurrent int `yaml:"concurrent"`
	// RequestsPerMinute is a rate; 0 is no limit.
	RequestsPerMinute float64 `yaml:"requests_per_minute"`
	// TokensPerMinute is a rate of input and output tokens; 0 is no limit.
	TokensPerMinute float64 `yaml:"tokens_per_minute"`
	// Timeout limits one attempt, the reading of the reply included; 0 stands for 30
	// minutes.
	Timeout time.Duration `yaml:"timeout"`
	// MaxTokensField is the name of the limit on the wire, for WireOpenAI.
	MaxTokensField string `yaml:"max_tokens_field"`
	// EchoThought sends reasoning back in later turns, for WireOpenAI.
	EchoThought bool `yaml:"echo_thought"`
	// Prices are by model name or, with a star at the end, by its start.
	Prices map[string]Price `yaml:"prices"`
}

// Price is in US dollars per million tokens.
type Price struct {
	Input       float64  `yaml:"input"`
	CachedInput *float64 `yaml:"cached_input"` // as Input if absent
	Output      float64  `yaml:"output"`
}

// Cost returns the price of a usage in US dollars.
func (p Price) Cost(u trace.Usage) float64 {
	cached := p.Input
	if p.CachedInput != nil {
		cached = *p.CachedInput
	}
	fresh := max(u.InputTokens-u.CachedTokens, 0)
	return (float64(fresh)*p.Input + float64(u.CachedTokens)*cached + float64(u.OutputTokens)*p.Output) / 1e6
}

// Price returns the price of a model: that of its name, or of the longest start
// that matches; false if the table has none.
func (p Provider) Price(model string) (Price, bool) {
	if price, ok := p.Prices[model]; ok {
		return price, true
	}
	best, found := "", false
	for pattern := range p.Prices {
		start, star := strings.CutSuffix(pattern, "*")
		if star && strings.HasPrefix(model, start) && (!found || len(start) > len(best)) {
			best, found = start, true
		}
	}
	return p.Prices[best+"*"], found
}

// Table maps names to providers.
type Table map[string]Provider

//go:embed providers.yaml
var defaultTable []byte

// DefaultTable returns the YAML text of the table that comes with Gauntlet, for
// users who want to edit a copy.
func DefaultTable() []byte { return bytes.Clone(defaultTable) }

// LoadTable returns the default table with the entries of a YAML text of the
// user's on top; nil adds none. Unknown fields and impossible values are errors.
func LoadTable(user []byte) (Table, error) {
	table, err := parseTable(defaultTable)
	if err != nil {
		return nil, fmt.Errorf("read default providers: %w", err)
	}
	own, err := parseTable(user)
	if err != nil {
		return nil, fmt.Errorf("read providers: %w", err)
	}
	maps.Copy(table, own)
	return table, nil
}

func parseTable(text []byte) (Table, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	table := Table{}
	if err := decoder.Decode(&table); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		p := table[name]
		p.Name = name
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("provider %q: %w", name, err)
		}
		table[name] = p
	}
	return table, nil
}

// check refuses what could not work, or would count wrongly.
func (p Provider) check() error {
	if p.Name == "" || strings.ContainsAny(p.Name, ":/#+ \t\n") {
		return errors.New("a name has no spaces, colons, slashes, pluses or hashes")
	}
	if p.Wire != WireOpenAI && p.Wire != WireAnthropic {
		return fmt.Errorf("wire is %q, want %q or %q", p.Wire, WireOpenAI, WireAnthropic)
	}
	if err := checkBaseURL(p.BaseURL); err != nil {
		return fmt.Errorf("base_url: %w", err)
	}
	if p.MaxTokensField != "" && p.MaxTokensField != "max_tokens" && p.MaxTokensField != "max_completion_tokens" {
		return fmt.Errorf("max_tokens_field is %q, want max_tokens or max_completion_tokens", p.MaxTokensField)
	}
	if p.Concurrent < 0 || p.Timeout < 0 || !sane(p.RequestsPerMinute) || !sane(p.TokensPerMinute) {
		return errors.New("limits are finite and not negative")
	}
	for _, model := range slices.Sorted(maps.Keys(p.Prices)) {
		price := p.Prices[model]
		if !sane(price.Input) || !sane(price.Output) || price.CachedInput != nil && !sane(*price.CachedInput) {
			return fmt.Errorf("the price of %q is not a finite number from 0", model)
		}
	}
	return nil
}

func sane(f float64) bool { return f >= 0 && !math.IsInf(f, 1) }
