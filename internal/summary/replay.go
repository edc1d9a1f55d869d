package summary

import "gauntlet/internal/run"

// Replay sums up how far replays repeat their recordings.
type Replay struct {
	Calls      int `json:"calls"`
	Equal      int `json:"equal"`
	Exceptions int `json:"exceptions"` // of Equal and Calls, recorded exceptions
	Benign     int `json:"benign"`     // runs with a recorded benign score
	BenignOK   int `json:"benign_equal"`
	Attack     int `json:"attack"`
	AttackOK   int `json:"attack_equal"`
}

// Replays compares replayed outcomes with their recordings; false when there
// are none. Scores are compared as published, rounded to four decimals.
func Replays(outcomes []*run.Outcome) (Replay, bool) {
	var r Replay
	found := false
	for _, o := range outcomes {
		if o.Compare != nil {
			r.Calls += o.Compare.Calls
			r.Equal += o.Compare.Equal
			r.Exceptions += o.Compare.Exceptions
		}
		if o.Recorded == nil {
			continue
		}
		found = true
		r.Benign++
		if m, ok := o.Benign.Mean(); ok && round4(m) == round4(o.Recorded.Benign) {
			r.BenignOK++
		}
		if o.Recorded.Injected != nil {
			r.Attack++
			if o.Injected != nil {
				if m, ok := o.Injected.Mean(); ok && round4(m) == round4(*o.Recorded.Injected) {
					r.AttackOK++
				}
			}
		}
	}
	return r, found
}

func round4(f float64) int { return int(f*10000 + 0.5) }
