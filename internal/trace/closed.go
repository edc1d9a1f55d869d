package trace

import (
	"slices"
	"strings"
)

// This file holds the closed sets of words in a record. The codec refuses every
// other word, when it writes as well as when it reads.

// Role says who speaks in a [Step].
type Role string

// The roles.
const (
	RoleSystem    Role = "system"    // instructions to the agent
	RoleUser      Role = "user"      // the user, or the scaffold in the user's place
	RoleAssistant Role = "assistant" // the model
	RoleTool      Role = "tool"      // an observation that answers no call of the trace, in traces of others
)

// Roles returns all roles.
func Roles() []Role { return []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool} }

// Valid reports whether r is one of the roles.
func (r Role) Valid() bool { return slices.Contains(Roles(), r) }

// Effect says what a call of a tool can do.
type Effect string

// The effects.
const (
	EffectRead     Effect = "read"     // looks at the state only
	EffectWrite    Effect = "write"    // changes the state
	EffectExternal Effect = "external" // acts outside of the world: sends, pays, publishes
)

// Effects returns all effects.
func Effects() []Effect { return []Effect{EffectRead, EffectWrite, EffectExternal} }

// Valid reports whether e is one of the effects.
func (e Effect) Valid() bool { return slices.Contains(Effects(), e) }

// Format is the form in which observations are rendered for the agent.
type Format string

// The observation formats.
const (
	FormatJSON Format = "json"
	FormatYAML Format = "yaml"
	FormatText Format = "text" // as Python's repr
)

// Formats returns all observation formats.
func Formats() []Format { return []Format{FormatJSON, FormatYAML, FormatText} }

// Valid reports whether f is one of the formats.
func (f Format) Valid() bool { return slices.Contains(Formats(), f) }

// Decision is the answer of a guard.
type Decision string

// The decisions. Only the first two are judgements; the others say that there
// is none.
const (
	Allow    Decision = "allow"
	Block    Decision = "block"
	Errored  Decision = "error"    // the guard failed: no answer, a timeout, a refusal of its provider
	Unparsed Decision = "unparsed" // the guard answered, but not in its own format
)

// Decisions returns all decisions.
func Decisions() []Decision { return []Decision{Allow, Block, Errored, Unparsed} }

// Valid reports whether d is one of the decisions.
func (d Decision) Valid() bool { return slices.Contains(Decisions(), d) }

// Ops returns all operations of changes.
func Ops() []Op { return []Op{Added, Removed, Changed} }

// Valid reports whether o is one of the operations.
func (o Op) Valid() bool { return slices.Contains(Ops(), o) }

// Cause is the reason why a run ended: one of the constants below, or "error:"
// and one of the kinds of errors.
type Cause string

// The causes of an end without error.
const (
	CauseFinalAnswer Cause = "final_answer" // the model answered without a call
	CauseAgentDone   Cause = "agent_done"   // an agent of its own accord: it called its tool for the end, or its process finished
	CauseUserDone    Cause = "user_done"    // the user, or a model in the user's place, ended the talk
	CauseReplayEnd   Cause = "replay_end"   // the recorded or planned calls are used up
	CauseBlocked     Cause = "blocked"      // a guard blocked a call and the run was set to end then
	CauseMaxTurns    Cause = "max_turns"    // the limit of model replies
	CauseMaxCalls    Cause = "max_calls"    // the limit of tool calls
	CauseTokenBudget Cause = "token_budget" // the limit of tokens
	CauseTimeLimit   Cause = "time_limit"   // the limit of time
	CauseUnknown     Cause = "unknown"      // a trace of others that does not tell
)

// ErrorKind is the kind of an error that ended a run.
type ErrorKind string

// The kinds of errors.
const (
	ErrorProvider  ErrorKind = "provider"         // the model's service failed
	ErrorRateLimit ErrorKind = "rate_limit"       // the service refused for its limits, also after retries
	ErrorTimeout   ErrorKind = "timeout"          // the service did not answer in time
	ErrorContext   ErrorKind = "context_overflow" // the messages exceed the model's context
	ErrorFilter    ErrorKind = "content_filter"   // the service withheld the reply
	ErrorOutput    ErrorKind = "bad_output"       // the reply could not be understood
	ErrorBudget    ErrorKind = "budget"           // the experiment's money or tokens are used up
	ErrorGuard     ErrorKind = "guard"            // the guard failed and the run was set to end then
	ErrorWorld     ErrorKind = "world"            // the world failed in itself, not by a call's fault
	ErrorAgent     ErrorKind = "agent"            // the agent's process failed
	ErrorCancelled ErrorKind = "cancelled"        // the run was stopped from outside
	ErrorInternal  ErrorKind = "internal"         // a fault of Gauntlet
)

// ErrorKinds returns all kinds of errors.
func ErrorKinds() []ErrorKind {
	return []ErrorKind{
		ErrorProvider, ErrorRateLimit, ErrorTimeout, ErrorContext, ErrorFilter, ErrorOutput,
		ErrorBudget, ErrorGuard, ErrorWorld, ErrorAgent, ErrorCancelled, ErrorInternal,
	}
}

const errorPrefix = "error:"

// Cause returns the cause of a run that ended with an error of kind k.
func (k ErrorKind) Cause() Cause { return Cause(errorPrefix + string(k)) }

// Causes returns all causes, those of errors at the end.
func Causes() []Cause {
	causes := []Cause{
		CauseFinalAnswer, CauseAgentDone, CauseUserDone, CauseReplayEnd, CauseBlocked,
		CauseMaxTurns, CauseMaxCalls, CauseTokenBudget, CauseTimeLimit, CauseUnknown,
	}
	for _, k := range ErrorKinds() {
		causes = append(causes, k.Cause())
	}
	return causes
}

// Valid reports whether c is one of the causes.
func (c Cause) Valid() bool { return slices.Contains(Causes(), c) }

// IsError reports whether the run ended with an error, so that it is no result.
func (c Cause) IsError() bool { return strings.HasPrefix(string(c), errorPrefix) }
