package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gauntlet/internal/trace"
)

// Kind is the kind of a failure. The set is closed.
type Kind string

// The kinds.
const (
	KindAuth            Kind = "auth"             // the key is missing, wrong or without rights
	KindRateLimit       Kind = "rate_limit"       // too many requests or tokens for now
	KindOverloaded      Kind = "overloaded"       // the service failed: 5xx, no connection, a reply cut on its way
	KindTimeout         Kind = "timeout"          // no reply in time
	KindContextOverflow Kind = "context_overflow" // the conversation exceeds the model's context
	KindRefused         Kind = "refused"          // the service withheld the reply (content filter)
	KindMalformed       Kind = "malformed"        // the reply cannot be understood or is not whole
	KindBudget          Kind = "budget"           // the experiment's or the account's means are used up
	KindCancelled       Kind = "cancelled"        // stopped from outside
	KindRejected        Kind = "rejected"         // the service did not accept the request: unknown model, bad parameter
)

// Kinds returns all kinds.
func Kinds() []Kind {
	return []Kind{
		KindAuth, KindRateLimit, KindOverloaded, KindTimeout, KindContextOverflow,
		KindRefused, KindMalformed, KindBudget, KindCancelled, KindRejected,
	}
}

// Valid reports whether k is one of the kinds.
func (k Kind) Valid() bool { return slices.Contains(Kinds(), k) }

// Trace returns the word for k in a trace.
func (k Kind) Trace() trace.ErrorKind {
	switch k {
	case KindRateLimit:
		return trace.ErrorRateLimit
	case KindTimeout:
		return trace.ErrorTimeout
	case KindContextOverflow:
		return trace.ErrorContext
	case KindRefused:
		return trace.ErrorFilter
	case KindMalformed:
		return trace.ErrorOutput
	case KindBudget:
		return trace.ErrorBudget
	case KindCancelled:
		return trace.ErrorCancelled
	case KindAuth, KindOverloaded, KindRejected:
		return trace.ErrorProvider
	}
	return trace.ErrorInternal
}

// Error is the failure of a request. It is never a result of the model.
type Error struct {
	// Kind says what failed.
	Kind Kind
	// Op is what was being done, such as "post" or "read reply".
	Op string
	// Status is the HTTP status, 0 if there was none.
	Status int
	// Message is the provider's message or ours, keys redacted.
	Message string
	// RetryAfter is the wait that the service asked for, 0 if it asked for none.
	RetryAfter time.Duration
	// Permanent says that the same request must be expected to fail again,
	// whatever the kind.
	Permanent bool
	// Usage is what the failed request consumed, as far as is known.
	Usage trace.Usage
	// Raw is the body that came, keys redacted; nil if none came.
	Raw []byte
	// Err is the cause, if there is one that callers may ask for.
	Err error
}

// Error returns "op: kind (status 500): message".
func (e *Error) Error() string {
	s := e.Op + ": " + string(e.Kind)
	if e.Status != 0 {
		s += fmt.Sprintf(" (status %d)", e.Status)
	}
	if e.Message != "" {
		s += ": " + e.Message
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of an error of this package or of a context, and ""
// for nil and for every other error, which is a fault of ours.
func KindOf(err error) Kind {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.Is(err, context.Canceled):
		return KindCancelled
	case errors.Is(err, context.DeadlineExceeded):
		return KindTimeout
	}
	return ""
}

// asError returns err as an *Error, so that wrappers can rely on it.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	kind := KindOf(err)
	if kind == "" {
		kind = KindRejected
	}
	return &Error{Kind: kind, Op: "complete", Message: err.Error(), Err: err}
}

// contextError returns the failure of a request whose context has ended.
func contextError(ctx context.Context, op string) *Error {
	cause := context.Cause(ctx)
	var e *Error
	if errors.As(cause, &e) {
		return e
	}
	kind := KindCancelled
	// A deadline may have a cause of its own.
	if errors.Is(cause, context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		kind = KindTimeout
	}
	return &Error{Kind: kind, Op: op, Message: "the request was stopped", Err: cause}
}

func rejected(format string, args ...any) *Error {
	return &Error{Kind: KindRejected, Op: "write request", Message: fmt.Sprintf(format, args...)}
}

func malformed(format string, args ...any) *Error {
	return &Error{Kind: KindMalformed, Op: "read reply", Message: fmt.Sprintf(format, args...)}
}
