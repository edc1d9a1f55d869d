package summary

import (
	"slices"

	"gauntlet/internal/run"
)

// Total is a sum over the N cells of which the amount is known, and its mean,
// which is nil when there are none.
type Total struct {
	Sum  float64  `json:"sum"`
	N    int      `json:"n"`
	Mean *float64 `json:"mean"`
}

// Spent is what cells consumed. Excluded cells are in it, as they are paid for.
// Tokens and cost are known of cells with usage; an amount that none of the cells
// states is unknown in all of them, not 0.
type Spent struct {
	Requests        Total `json:"requests"`
	InputTokens     Total `json:"input_tokens"`  // cached ones included
	CachedTokens    Total `json:"cached_tokens"` // of the input tokens
	OutputTokens    Total `json:"output_tokens"` // reasoning included
	ReasoningTokens Total `json:"reasoning_tokens"`
	CostUSD         Total `json:"cost_usd"`
	WallSeconds     Total `json:"wall_seconds"`
	Turns           Total `json:"turns"` // replies of the agent
	Calls           Total `json:"calls"` // of tools
}

func spentOn(cells []*run.Outcome) Spent {
	var s Spent
	var requests, input, cached, output, reasoning, cost, wall, turns, calls []float64
	for _, o := range cells {
		wall = append(wall, o.Wall.Seconds())
		turns = append(turns, float64(o.Turns))
		calls = append(calls, float64(o.Calls))
		if u := o.Usage; u != nil {
			requests = append(requests, float64(u.Requests))
			input = append(input, float64(u.InputTokens))
			cached = append(cached, float64(u.CachedTokens))
			output = append(output, float64(u.OutputTokens))
			reasoning = append(reasoning, float64(u.ReasoningTokens))
			cost = append(cost, u.CostUSD)
		}
	}
	s.Turns, s.Calls = total(turns), total(calls)
	s.Requests, s.InputTokens, s.CachedTokens = stated(requests), stated(input), stated(cached)
	s.OutputTokens, s.ReasoningTokens = stated(output), stated(reasoning)
	s.CostUSD, s.WallSeconds = stated(cost), stated(wall)
	return s
}

// total adds up amounts in a fixed order, so that the sum does not depend on theirs.
func total(amounts []float64) Total {
	slices.Sort(amounts)
	t := Total{N: len(amounts)}
	for _, amount := range amounts {
		t.Sum += amount
	}
	if t.N > 0 {
		mean := t.Sum / float64(t.N)
		t.Mean = &mean
	}
	return t
}

// stated is the total of amounts that are absent where they are 0.
func stated(amounts []float64) Total {
	if t := total(amounts); t.Sum != 0 {
		return t
	}
	return Total{}
}
