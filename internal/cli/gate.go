package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"gauntlet/internal/summary"
)

// gate decides whether enough cells of a run were assessed for its numbers to be
// used, in a pipeline that looks at the exit status.
type gate struct{ percent float64 } // most that may be excluded; negative: any

func (g *gate) add(f *pflag.FlagSet) {
	f.Float64Var(&g.percent, "max-excluded", -1, "end with status 1 when more than this `PERCENT` of the played cells are excluded (-1: never)")
}

func (g *gate) check() error {
	if g.percent == -1 || g.percent >= 0 && g.percent <= 100 {
		return nil
	}
	return errors.New("invalid argument for --max-excluded: it is a percentage from 0 to 100, or -1")
}

// pass is a problem when too many cells are excluded. retry is the command that
// plays them again, if there is one.
func (g *gate) pass(l summary.Loss, retry string) error {
	if g.percent < 0 || l.Cells > 0 && 100*l.Share() <= g.percent {
		return nil
	}
	if l.Cells == 0 {
		return &problem{"no cell was played, so --max-excluded cannot be met"}
	}
	msg := fmt.Sprintf("%d of %s are excluded, more than %g %% (--max-excluded)", l.Excluded, plural(l.Cells, "cell"), g.percent)
	if retry != "" {
		msg += "; " + retry + " plays again those that ended with an error"
	}
	return &problem{msg}
}
