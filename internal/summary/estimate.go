package summary

import (
	"encoding/json"
	"fmt"

	"gauntlet/internal/metrics"
	"gauntlet/internal/run"
)

// Rate is a share of cells. Its own interval takes cells for independent,
// Clustered takes scenarios; Clustered is nil where the rate has no value.
type Rate struct {
	metrics.Rate
	Clustered *metrics.Clustered `json:"clustered"`
}

// MarshalJSON writes the counts, the value and both intervals; value and
// intervals are null over no cells.
func (r Rate) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		value
		metrics.Rate
		Clustered *metrics.Clustered `json:"clustered"`
	}{valueOf(r.Rate), r.Rate, r.Clustered})
}

// Mean is a mean of scores of cells in [0, 1], with intervals like [Rate]'s.
type Mean struct {
	metrics.Mean
	Clustered *metrics.Clustered `json:"clustered"`
}

// MarshalJSON writes what [Rate.MarshalJSON] does.
func (m Mean) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		value
		metrics.Mean
		Clustered *metrics.Clustered `json:"clustered"`
	}{valueOf(m.Mean), m.Mean, m.Clustered})
}

// value is an estimate with its Wilson interval, as it stands in JSON.
type value struct {
	Value *float64 `json:"value"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

func valueOf(e interface {
	Value() (float64, bool)
	Interval() (metrics.Interval, bool)
}) value {
	v, ok := e.Value()
	if !ok {
		return value{}
	}
	i, _ := e.Interval()
	return value{&v, &i.Low, &i.High}
}

// scored are the scores of the cells that a measure is about.
type scored struct {
	scores   []float64
	excluded int
	clusters metrics.Clusters
}

// take scores cells. A score outside [0, 1] is an error.
func (m measure) take(cells []*run.Outcome) (*scored, error) {
	s := &scored{}
	for _, o := range cells {
		if !m.on(o) {
			continue
		}
		score, ok := m.of(o)
		if !ok {
			s.excluded++
			continue
		}
		if err := s.clusters.Add(cluster(o), score); err != nil {
			return nil, fmt.Errorf("measure %s of cell %s: %w", m.name, o.Case, err)
		}
		s.scores = append(s.scores, score)
	}
	return s, nil
}

// cluster is what dependent cells share: the scenario, in its world.
func cluster(o *run.Outcome) string { return o.World + "\x00" + o.Scenario }

func (s *scored) interval(b metrics.Bootstrap) *metrics.Clustered {
	if i, ok := s.clusters.Interval(b); ok {
		return &i
	}
	return nil
}

// mean is the mean of m over cells.
func (m measure) mean(cells []*run.Outcome, b metrics.Bootstrap) (Mean, error) {
	s, err := m.take(cells)
	if err != nil {
		return Mean{}, err
	}
	mean, err := metrics.MeanOf(s.scores, s.excluded)
	return Mean{mean, s.interval(b)}, err
}

// rate is the share of cells in which m, which is 0 or 1, is 1.
func (m measure) rate(cells []*run.Outcome, b metrics.Bootstrap) (Rate, error) {
	s, err := m.take(cells)
	if err != nil {
		return Rate{}, err
	}
	r := metrics.Rate{N: len(s.scores), Excluded: s.excluded}
	for _, score := range s.scores {
		if score == 1 {
			r.Successes++
		}
	}
	return Rate{r, s.interval(b)}, nil
}
