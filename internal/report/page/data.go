package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"

	"gauntlet/internal/report"
	"gauntlet/internal/trace"
)

// data is the JSON block of the page. Its text is hostile and exact: also the
// half of a surrogate pair and bytes that are not UTF-8 come through, as
// trace.Value writes them.
type data struct {
	Texts []trace.Value `json:"texts"`
	Tools [][]toolData  `json:"tools"` // one list per world and agent's view of it
	Cells []cellData    `json:"cells"`
}

// text is a string, or the index of one in data.Texts.
type text = trace.Value

type cellData struct {
	ID       string      `json:"id"`
	Case     text        `json:"case"`
	Scenario text        `json:"scenario,omitzero"`
	World    text        `json:"world,omitzero"`
	Agent    text        `json:"agent"`
	Model    text        `json:"model,omitzero"`
	Strategy text        `json:"strategy,omitzero"`
	Format   text        `json:"format,omitzero"`
	Defence  text        `json:"defence,omitzero"`
	Epoch    int         `json:"epoch,omitzero"`
	Benign   text        `json:"benign,omitzero"`
	Attack   text        `json:"attack,omitzero"`
	Cause    text        `json:"cause,omitzero"`
	Score    *float64    `json:"score,omitzero"`
	Exposed  bool        `json:"exposed,omitzero"`
	Exposure *placeData  `json:"exposure,omitzero"`
	Decisive *placeData  `json:"decisive,omitzero"`
	Turns    int         `json:"turns"`
	Calls    int         `json:"calls"`
	Tokens   int64       `json:"tokens,omitzero"`
	Cost     float64     `json:"cost,omitzero"`
	Seconds  float64     `json:"seconds,omitzero"`
	Ended    text        `json:"ended,omitzero"`
	Task     text        `json:"task,omitzero"`
	Goal     text        `json:"goal,omitzero"`
	Payload  text        `json:"payload,omitzero"`
	Checks   []checkData `json:"checks,omitzero"`
	Trace    *traceData  `json:"trace,omitzero"`
}

type placeData struct {
	Step int  `json:"step"`
	Call int  `json:"call"`
	Tool text `json:"tool,omitzero"`
}

type checkData struct {
	Item      text `json:"item"`
	Holds     bool `json:"holds"`
	Error     text `json:"error,omitzero"`
	Invariant bool `json:"invariant,omitzero"`
	Injected  bool `json:"injected,omitzero"`
}

// newData collects what the script needs.
func newData(cells []Cell) *data {
	p := newPool()
	d := &data{Cells: make([]cellData, len(cells))}
	for i := range cells {
		d.Cells[i] = p.cell(&cells[i])
	}
	d.Texts, d.Tools = p.texts, p.tools
	return d
}

// encode returns the block as ASCII-safe JSON for a script element: no "<" that
// could end the element or open a comment in it, and no hidden character that
// could deceive a reader of the source.
func (d *data) encode() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(true) // <, >, &, U+2028 and U+2029, also in what marshals itself
	if err := encoder.Encode(d); err != nil {
		return nil, fmt.Errorf("encode data: %w", err)
	}
	return report.EscapeJSON(bytes.TrimSpace(b.Bytes())), nil
}

func (p *pool) cell(c *Cell) cellData {
	d := cellData{
		ID: c.key(), Case: p.text(c.Case), Scenario: p.text(c.Scenario), World: p.text(c.World),
		Agent: p.text(c.Agent), Model: p.text(c.Model), Strategy: p.text(c.Strategy),
		Format: p.text(c.Format), Defence: p.text(c.Defence), Epoch: c.Epoch,
		Benign: p.text(c.Benign), Attack: p.text(c.Attack), Cause: p.text(c.Cause), Score: c.Score,
		Exposed: c.Exposed, Exposure: p.place(c.Exposure), Decisive: p.place(c.Decisive),
		Turns: c.Turns, Calls: c.Calls, Tokens: c.Tokens, Cost: finite(c.CostUSD), Seconds: finite(c.Seconds),
		Ended: p.text(c.Ended), Task: p.text(c.Task), Goal: p.text(c.Goal), Payload: p.text(c.Payload),
	}
	if c.Score != nil && finite(*c.Score) != *c.Score {
		d.Score = nil
	}
	for _, check := range c.Checks {
		d.Checks = append(d.Checks, checkData{
			p.text(check.Item), check.Holds, p.text(check.Error), check.Invariant, check.Injected,
		})
	}
	if c.Trace != nil {
		d.Trace = p.trace(c.Trace)
	}
	return d
}

func (p *pool) place(place *Place) *placeData {
	if place == nil {
		return nil
	}
	return &placeData{place.Step, place.Call, p.text(place.Tool)}
}

// finite returns f, and 0 for what JSON cannot say.
func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}
