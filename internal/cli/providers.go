package cli

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"gauntlet/internal/model"
	"gauntlet/internal/plan"
	"gauntlet/internal/report"
)

func providersCommand() *cobra.Command {
	file := ""
	asJSON, defaults := false, false
	c := &cobra.Command{
		Use:   "providers",
		Short: "List the services that run models",
		Long: `Prints the providers that --model can name: wire format, address, the environment
variable of the key and whether it is set (never the key), limits, and the models
with a price. --default prints the built-in table as YAML; a copy of it, edited, is
what --providers takes here, in run, resume and retry. Entries of the file are put
beside the built-in ones, or in the place of those of the same name.`,
		Example: `  gauntlet providers
  gauntlet providers --default > providers.yaml
  gauntlet providers --providers providers.yaml --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if defaults {
				if file != "" || asJSON {
					return errors.New("--default goes with no other flag")
				}
				_, err := cmd.OutOrStdout().Write(model.DefaultTable())
				return err
			}
			m, err := newModels(plan.Traffic{Providers: file}, 0, nil)
			if err != nil {
				return err
			}
			if asJSON {
				return writeProvidersJSON(cmd.OutOrStdout(), m.table)
			}
			return writeTable(cmd.OutOrStdout(), providerTable(m.table))
		},
	}
	c.Flags().StringVar(&file, "providers", "", "YAML file with providers beside the built-in ones")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&defaults, "default", false, "print the built-in table as YAML, to be edited")
	return c
}

func providerTable(table model.Table) *report.Table {
	t := &report.Table{Keys: 1}
	for _, h := range []string{"provider", "wire", "address", "key", "at once", "requests/min", "tokens/min", "timeout", "priced models"} {
		c := report.Column{Header: h}
		switch h {
		case "at once", "requests/min", "tokens/min":
			c.Align = report.Right
		}
		t.Columns = append(t.Columns, c)
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		p := table[name]
		t.Rows = append(t.Rows, []report.Cell{report.Text(name), report.Text(string(p.Wire)), report.Text(address(p)), report.Text(keyText(p)),
			limit(float64(p.Concurrent)), limit(p.RequestsPerMinute), limit(p.TokensPerMinute), timeout(p), report.Text(strings.Join(slices.Sorted(maps.Keys(p.Prices)), ", "))})
	}
	t.Notes = []string{"--model NAME:MODEL plays with a model of a provider; -: no limit. A model without a price has no cost, and --budget-usd refuses it."}
	return t
}

// address is the provider's, without a password that someone put into it.
func address(p model.Provider) string {
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return p.BaseURL
	}
	return u.Redacted()
}

func hasKey(p model.Provider) bool { return model.NewKey(os.Getenv(p.KeyVariable)).Exists() }

func keyText(p model.Provider) string {
	switch {
	case p.KeyVariable == "":
		return "none needed"
	case hasKey(p):
		return p.KeyVariable + " is set"
	}
	return p.KeyVariable + " is not set"
}

func limit(f float64) report.Cell {
	if f == 0 {
		return report.None()
	}
	return report.Number(f, 0)
}

func timeout(p model.Provider) report.Cell {
	if p.Timeout == 0 {
		return report.None()
	}
	return report.Text(fmt.Sprintf("%gs", p.Timeout.Seconds()))
}

func writeProvidersJSON(w io.Writer, table model.Table) error {
	type price struct {
		Model       string   `json:"model"`
		Input       float64  `json:"input"`
		CachedInput *float64 `json:"cached_input,omitempty"`
		Output      float64  `json:"output"`
	}
	type row struct {
		Name              string  `json:"name"`
		Wire              string  `json:"wire"`
		BaseURL           string  `json:"base_url"`
		KeyVariable       string  `json:"key_variable"` // empty: no key is needed
		KeySet            bool    `json:"key_set"`
		Concurrent        int     `json:"concurrent"` // of this and the other limits, 0 is none
		RequestsPerMinute float64 `json:"requests_per_minute"`
		TokensPerMinute   float64 `json:"tokens_per_minute"`
		TimeoutSeconds    float64 `json:"timeout_seconds"`
		Prices            []price `json:"prices"`
	}
	rows := []row{}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		p := table[name]
		r := row{name, string(p.Wire), address(p), p.KeyVariable, hasKey(p), p.Concurrent, p.RequestsPerMinute, p.TokensPerMinute, p.Timeout.Seconds(), []price{}}
		for _, m := range slices.Sorted(maps.Keys(p.Prices)) {
			r.Prices = append(r.Prices, price{m, p.Prices[m].Input, p.Prices[m].CachedInput, p.Prices[m].Output})
		}
		rows = append(rows, r)
	}
	return writeJSON(w, rows)
}
