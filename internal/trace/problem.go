package trace

import "fmt"

// ProblemKind names one way in which a record can be odd. The set is closed.
type ProblemKind string

// The kinds of problems.
const (
	ProblemDuplicateKey  ProblemKind = "duplicate_key"  // an object has the same key twice
	ProblemLoneSurrogate ProblemKind = "lone_surrogate" // a string holds half of a surrogate pair
	ProblemInvalidUTF8   ProblemKind = "invalid_utf8"   // a string holds bytes that are not UTF-8
	ProblemRepeatedID    ProblemKind = "repeated_id"    // two calls of a trace have the same id
	ProblemSpan          ProblemKind = "span"           // a span does not lie within its text
	ProblemPointer       ProblemKind = "pointer"        // a path is not a JSON pointer
	ProblemOmitted       ProblemKind = "omitted"        // there were more problems than are listed
)

// Problem is an oddity of a record that was kept as it is. It is not an error:
// the record can be used.
type Problem struct {
	Kind   ProblemKind
	Path   string // JSON pointer (RFC 6901) of the value or object
	Detail string // one sentence
}

// String returns "path: detail".
func (p Problem) String() string {
	if p.Path == "" {
		return p.Detail
	}
	return fmt.Sprintf("%s: %s", p.Path, p.Detail)
}

// maxProblems bounds the problems of one record, so that hostile input cannot
// make the report larger than itself.
const maxProblems = 100

// problemList collects at most maxProblems problems.
type problemList struct {
	list []Problem
}

// full reports whether further problems are dropped; the first one that is
// dropped leaves a note.
func (l *problemList) full() bool {
	if len(l.list) == maxProblems {
		l.list = append(l.list, Problem{Kind: ProblemOmitted, Detail: fmt.Sprintf("more than %d problems; the rest is left out", maxProblems)})
	}
	return len(l.list) > maxProblems
}

func (l *problemList) add(p Problem) {
	if !l.full() {
		l.list = append(l.list, p)
	}
}
