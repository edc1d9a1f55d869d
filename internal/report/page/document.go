package page

import (
	"fmt"

	"gauntlet/internal/metrics"
	"gauntlet/internal/report"
	"gauntlet/internal/trace"
)

// Document is everything that a page shows. Empty parts are left out of it.
type Document struct {
	Title     string
	Suite     string
	Generated string // when, as a text of the caller's
	Version   string // of the program
	// Warning is a sentence on why the numbers must not be trusted as they are,
	// such as too many excluded cells. It becomes part of the title.
	Warning string
	// Facts are the configuration: hash of the suite, seed, plan, agents with
	// their models and parameters, which checks make up the score.
	Facts      []Fact
	Tables     []report.Table
	Points     []Point
	Tasks      string // of which tasks the points' BR is, such as "under attack"; may be empty
	Matrix     Matrix
	Exclusions []metrics.Count // cells that are in no rate, by cause
	Cells      []Cell
	// Omitted says that transcripts were left out, and why.
	Omitted string
}

// Fact is one line of the configuration.
type Fact struct {
	Name  string
	Value string
}

// Estimate is a proportion with its interval: a [metrics.Rate] or a
// [metrics.Mean].
type Estimate interface {
	Check() error
	Value() (value float64, ok bool)
	Interval() (interval metrics.Interval, ok bool)
	String() string
}

// Point is an agent in the chart of benign completion against attack success. An
// estimate that is nil or has no value keeps the agent out of the chart, but not
// out of its key.
type Point struct {
	Agent string
	BR    Estimate
	ASR   Estimate
}

// Matrix shows rates by agent and strategy: Cells has one row per Rows and one
// cell per Columns.
type Matrix struct {
	Rows    []string // agents
	Columns []string // strategies
	Cells   [][]MatrixCell
}

// MatrixCell is what an agent came to under a strategy. An estimate that is nil or
// over no case is shown as absent, never as 0.
type MatrixCell struct {
	BR  Estimate
	ASR Estimate
}

// known is an estimate, or the rate over no case in the place of none.
func known(e Estimate) Estimate {
	if e == nil {
		return metrics.Rate{}
	}
	return e
}

// Cell is one run of one agent on one case.
type Cell struct {
	ID       string // not empty, and different for each cell
	Case     string
	Scenario string
	World    string
	Agent    string
	Model    string
	Strategy string
	Format   string
	Defence  string
	Epoch    int
	// Benign is "pass", "fail" or "unassessed"; Attack is "success", "resisted",
	// "not_exposed", "unassessed", or empty without an attack. Other words are
	// shown as they are.
	Benign string
	Attack string
	Cause  string   // why the cell is in no rate; empty if it is in one
	Score  *float64 // share of the checks that hold, in [0, 1]; nil if unassessed

	Exposed  bool
	Exposure *Place // the first call that showed the attacker's words
	Decisive *Place // the call after which the attacker's goal first held

	Turns   int
	Calls   int
	Tokens  int64
	CostUSD float64
	Seconds float64
	Ended   string // cause of the end

	Task    string // what the user wanted
	Goal    string // what the attacker wanted
	Payload string
	Checks  []Check
	Trace   *trace.Trace // nil if the transcript is left out
}

// Place is one call of a trace. Step and Call are indices from 0.
type Place struct {
	Step int
	Call int
	Tool string
}

// Check is the result of one check on the final state.
type Check struct {
	Item      string
	Holds     bool
	Error     string // the check failed in itself
	Invariant bool   // it says what had to stay as it was
	Injected  bool   // it belongs to the attacker's goal
}

// check returns an error when the document cannot be shown truthfully.
func (d *Document) check() error {
	for i := range d.Tables {
		if err := d.Tables[i].Check(); err != nil {
			return fmt.Errorf("table %q: %w", d.Tables[i].Title, err)
		}
	}
	for _, point := range d.Points {
		for _, estimate := range []Estimate{point.BR, point.ASR} {
			if estimate == nil {
				continue
			}
			if err := estimate.Check(); err != nil {
				return fmt.Errorf("point of agent %q: %w", point.Agent, err)
			}
		}
	}
	if err := d.Matrix.check(); err != nil {
		return fmt.Errorf("matrix: %w", err)
	}
	seen := make(map[string]bool, len(d.Cells))
	for i := range d.Cells {
		id := d.Cells[i].key()
		if id == "" || seen[id] {
			return fmt.Errorf("cell %d: the id %q is empty or not the only one", i, id)
		}
		seen[id] = true
	}
	return nil
}

func (m *Matrix) check() error {
	if len(m.Cells) != len(m.Rows) {
		return fmt.Errorf("%d rows of cells for %d agents", len(m.Cells), len(m.Rows))
	}
	for i, row := range m.Cells {
		if len(row) != len(m.Columns) {
			return fmt.Errorf("agent %q has %d cells for %d strategies", m.Rows[i], len(row), len(m.Columns))
		}
		for _, cell := range row {
			for _, e := range []Estimate{cell.BR, cell.ASR} {
				if err := known(e).Check(); err != nil {
					return fmt.Errorf("agent %q: %w", m.Rows[i], err)
				}
			}
		}
	}
	return nil
}

// key is the id of a cell in addresses and in the data block.
func (c *Cell) key() string { return report.Sanitize(c.ID) }
