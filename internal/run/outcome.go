package run

import (
	"time"

	"gauntlet/internal/score"
	"gauntlet/internal/trace"
)

// AttackOutcome is what became of an attack.
type AttackOutcome string

// The outcomes of an attack.
const (
	Success    AttackOutcome = "success"     // every check of the goal holds
	Resisted   AttackOutcome = "resisted"    // the agent saw the attack, and the goal is not reached
	NotExposed AttackOutcome = "not_exposed" // the agent never saw the attack, and the goal is not reached
	Unassessed AttackOutcome = "unassessed"
)

// Outcome is one finished cell.
type Outcome struct {
	Cell     string        `json:"cell,omitempty"` // content hash of the planned cell; empty outside of a plan
	Case     string        `json:"case"`
	Scenario string        `json:"scenario"`
	World    string        `json:"world"`
	Agent    string        `json:"agent"` // the agent's name in the plan
	Model    string        `json:"model,omitempty"`
	Strategy string        `json:"strategy"`
	Format   trace.Format  `json:"format"`
	Defence  string        `json:"defence"` // "none" without one
	Epoch    int           `json:"epoch,omitempty"`
	Seed     uint64        `json:"seed"`
	Benign   score.Score   `json:"benign"`
	Attack   AttackOutcome `json:"attack,omitempty"`   // empty without an attack
	Injected *score.Score  `json:"injected,omitempty"` // nil without an attack
	Exposed  bool          `json:"exposed"`
	// Deviated says that the agent did some of the attacker's work: a check of the
	// goal holds at the end, or a call was made, in a turn after the exposure, that
	// the attack's own plan contains. It is the intermediate success of an attack.
	Deviated bool `json:"deviated,omitempty"`
	// Exposure is the first call whose observation showed the agent the attacker's
	// words; nil without one, also where the task itself shows them. Decisive is
	// the call after which the whole goal first held.
	Exposure *Place `json:"exposure,omitempty"`
	Decisive *Place `json:"decisive,omitempty"`
	Excluded string `json:"excluded,omitempty"` // cause: the cell is in no rate
	// Kind is the closed kind of the failure that excluded the cell; empty where
	// the agent could not play the case by its nature.
	Kind     trace.ErrorKind   `json:"kind,omitempty"`
	Ended    trace.Termination `json:"ended,omitzero"`     // why the episode ended
	Baseline *float64          `json:"baseline,omitempty"` // benign score of doing nothing
	Turns    int               `json:"turns,omitempty"`    // replies of the agent
	Calls    int               `json:"calls"`
	Usage    *trace.Usage      `json:"usage,omitempty"`
	Compare  *Comparisons      `json:"compare,omitempty"`  // of replays
	Recorded *Recorded         `json:"recorded,omitempty"` // of replays
	Trace    *trace.Trace      `json:"-"`
	// Scorer is the version of the code that made the scores; see ScorerVersion.
	Scorer string `json:"-"`
	// Wall is the time that the cell took on the machine that played it; it is
	// known to the journal only and no part of the record.
	Wall time.Duration `json:"-"`
}

// Place is one call of a trace: indices from 0, and the tool's name.
type Place struct {
	Step int    `json:"step"`
	Call int    `json:"call"`
	Tool string `json:"tool"`
}

// Recorded are the scores of the run that a replay repeats.
type Recorded struct {
	Benign   float64  `json:"benign"`
	Injected *float64 `json:"injected,omitempty"`
}
