package cli

import (
	"context"
	"fmt"
	"slices"

	"gauntlet/internal/job"
	"gauntlet/internal/run"
	"gauntlet/internal/score"
	"gauntlet/internal/store"
	"gauntlet/internal/trace"
)

// pageTraces is the size of transcripts up to which a page holds them, in bytes of
// their records without tools, states and values, which a page does without.
// Browsers open a page of this size in a second or two.
const pageTraces = 24 << 20

// transcripts are the traces that a page holds.
type transcripts struct {
	of    map[string]*trace.Trace // by cell
	total int                     // cells that have a trace, as far as is known
	most  int                     // asked for; -1: as many as go into pageTraces
}

// urgency orders cells by how much a reader wants to see them.
func urgency(o *run.Outcome) int {
	switch {
	case o.Attack == run.Success:
		return 0
	case job.Cause(o) != "":
		return 1
	case o.Benign.Outcome == score.Fail:
		return 2
	}
	return 3
}

// readTraces reads the traces of the most urgent cells: at most so many or, if
// most is negative, up to a size in bytes.
func readTraces(ctx context.Context, st store.Store, id string, outcomes []*run.Outcome, most, limit int) (*transcripts, error) {
	t := &transcripts{of: map[string]*trace.Trace{}, total: len(outcomes), most: most}
	order := slices.Clone(outcomes)
	slices.SortStableFunc(order, func(a, b *run.Outcome) int { return urgency(a) - urgency(b) })
	size := 0
	for _, o := range order {
		if most >= 0 && len(t.of) >= most {
			break
		}
		r, err := st.Result(ctx, id, o.Cell, true)
		if err != nil {
			return nil, err
		}
		if len(r.Trace) == 0 {
			t.total--
			continue
		}
		full, err := job.Outcome(r)
		if err != nil {
			return nil, err
		}
		n, err := strip(full.Trace)
		if err != nil {
			return nil, fmt.Errorf("cell %.12s: %w", o.Cell, err)
		}
		if size += n; most < 0 && size > limit && len(t.of) > 0 {
			break
		}
		t.of[o.Cell] = full.Trace
	}
	return t, nil
}

// strip takes from a trace what a page does not show, and returns the size of the
// rest, tools apart, which all traces of a world share.
func strip(t *trace.Trace) (int, error) {
	t.Initial, t.Final = nil, nil
	for _, c := range t.Calls() {
		c.Reads = nil
		if c.Observation != nil {
			c.Observation.Value = trace.Value{}
		}
	}
	bare := *t
	bare.Tools = nil
	line, err := trace.Append(nil, &bare)
	return len(line), err
}

// omitted says which transcripts are not there.
func (t *transcripts) omitted() string {
	if len(t.of) == t.total {
		return ""
	}
	limit := fmt.Sprintf("up to %d MB", pageTraces>>20)
	if t.most >= 0 {
		limit = fmt.Sprintf("at most %d", t.most)
	}
	return fmt.Sprintf("This page holds %d of %d transcripts, %s: those of successful attacks first, then of excluded cells, of failed tasks, and of all others. gauntlet show prints the rest from the journal.", len(t.of), t.total, limit)
}
