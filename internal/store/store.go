package store

import (
	"context"
	"iter"
	"time"
)

// Run is one execution of an experiment. Text is valid UTF-8 without NUL. Times,
// here and below, are kept to the microsecond and come back in UTC; the years 0
// to 9999 can be kept. Documents are any bytes up to [MaxDocument], and an empty
// one comes back as nil.
type Run struct {
	// ID is the caller's name for the run, such as "20261130-141523-ab12": 1 to
	// 100 ASCII letters, digits, '-', '_' and '.', not a '-' or '.' first, and not
	// [Latest].
	ID      string
	Name    string
	Suite   string
	Created time.Time
	Version string // of the program that made the plan
	Plan    []byte // document: the experiment
}

// Cell is one unit of work of a run.
type Cell struct {
	// ID is the hash of the cell's content: 1 to 200 printable ASCII characters
	// without a space. It is unique in a run; another run may have the same cell.
	ID    string
	Index int    // place in the plan; at least 0, unique in a run
	Label []byte // document, small: what a listing shows of the cell
}

// Result is what came of one attempt at a cell.
type Result struct {
	Cell     string
	Attempt  int // 1 for the first
	Started  time.Time
	Ended    time.Time
	Assessed bool
	Cause    string // short kind of exclusion; empty exactly if the result is assessed
	Outcome  []byte // document: the score and what led to it
	Trace    []byte // document: everything that happened; nil when there is none
	Scorer   string // version of the code that scored
}

// Score is a judgement of one attempt, the first or a later one. Its fields mean
// what those of [Result] mean.
type Score struct {
	Attempt  int
	Scorer   string
	Assessed bool
	Cause    string
	Outcome  []byte
	At       time.Time // of the first score of an attempt: the end of the attempt
}

// Info is a run and how far it has come. Each cell is counted once, by its standing
// result, so Cells = Done + all of Excluded + Pending.
type Info struct {
	Run
	Cells    int
	Done     int            // assessed
	Excluded map[string]int // not assessed, by cause; nil when there are none
	Pending  int            // never attempted
}

// CellState is a cell and its standing result, without documents of the latter.
// A cell with no attempts is pending, and then Assessed is false and Cause empty.
type CellState struct {
	Cell
	Attempts int
	Assessed bool
	Cause    string
}

// MaxDocument is the most bytes that one document may have. Databases end near
// 1 GB; half of that leaves room for their own copies and encodings.
const MaxDocument = 512 << 20

// Store is a journal of runs. It is safe for use by many goroutines, and by many
// processes that have opened the same database. A method that returns an error has
// changed nothing, unless the error came while the database was making the change
// durable, when only a later look can tell.
//
// Where a run or a cell is named and there is none of this name, the error is
// [ErrNotFound]; what is not within the limits stated at the types is [ErrInvalid];
// a change through a store that was opened for reading is [ErrReadOnly]. Other
// errors are those of the database and of the context.
type Store interface {
	// CreateRun adds a run with all its cells, or nothing. The error is ErrExists
	// when there is a run of this id.
	CreateRun(ctx context.Context, run Run, cells []Cell) error

	// Runs returns all runs, the newest first, and runs of the same moment by
	// descending id.
	Runs(ctx context.Context) ([]Info, error)

	// Run returns the run of this id. See Find for shorter names.
	Run(ctx context.Context, id string) (Info, error)

	// Cells returns the cells of a run in the order of the plan, as they stood
	// together at one moment.
	Cells(ctx context.Context, run string) ([]CellState, error)

	// Finish adds the next attempt at a cell and is durable when it returns. The
	// error is ErrFinished, and nothing has changed, when the cell has an assessed
	// result or r.Attempt is not one more than the attempts so far: of several
	// callers that finish the same attempt, one succeeds.
	Finish(ctx context.Context, run string, r Result) error

	// Results returns the standing result of each cell that has one, in the order
	// of the plan, with traces or without. It reads on as the loop proceeds: each
	// result is whole, and as it was at some moment since the loop began. The loop
	// may use the store, may end early and may be run again. An error is the last
	// thing it yields.
	Results(ctx context.Context, run string, withTrace bool) iter.Seq2[Result, error]

	// Result returns the standing result of a cell, which can be named by the
	// beginning of its id where no other cell of the run begins so; else the error
	// is ErrAmbiguous. For a pending cell it is ErrNotFound.
	Result(ctx context.Context, run, cell string, withTrace bool) (Result, error)

	// Attempts returns all results of a cell without their traces, the oldest
	// first, each with its latest score.
	Attempts(ctx context.Context, run, cell string) ([]Result, error)

	// Rescore replaces the score of the standing result and keeps the old one. The
	// error is ErrStale when score.Attempt is not the standing attempt, which is
	// then the result of something else than what was scored. A cell whose result
	// is no longer assessed can be attempted again.
	Rescore(ctx context.Context, run, cell string, score Score) error

	// Scores returns every score that the attempts of a cell were ever given, by
	// attempt and in the order in which they were given.
	Scores(ctx context.Context, run, cell string) ([]Score, error)

	// Claim makes the caller the only one who works on a run, until it calls
	// release or closes the store, or its process ends, in whatever way. The error
	// is ErrClaimed while another holds the claim, in this process or in another.
	// Claims protect from doing work twice; the other methods do not ask for them.
	// Calling release again does nothing.
	Claim(ctx context.Context, run string) (release func() error, err error)

	// Close ends the use of the store and releases its claims; a second call does
	// nothing.
	Close() error
}
