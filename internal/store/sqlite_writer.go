package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"slices"
	"sync"
)

// writer makes the writes of all goroutines durable, in groups. Making a commit
// durable takes the disk milliseconds, in which more writes arrive. So the writes
// that have queued up during one commit share the next: one of the waiting
// goroutines carries out all of them in one transaction, each inside a savepoint,
// and all return once it is durable. Alone in the queue, a write has a transaction
// of its own.
//
// A write of a group is still all or nothing: a refused one is taken back to its
// savepoint, and when the database fails in a group, the whole group is rolled back
// and each write gets its own transaction and its own error.
type writer struct {
	db    *sql.DB       // of one connection
	turn  chan struct{} // holds the token of the goroutine that carries out writes
	mu    sync.Mutex
	queue []*write
}

// write is one change, waiting or being made.
type write struct {
	ctx  context.Context
	do   func(context.Context, *sql.Conn) error // may be called again after a rollback
	err  error                                  // may be read once done is closed
	done chan struct{}
}

func newWriter(db *sql.DB) *writer {
	return &writer{db: db, turn: make(chan struct{}, 1)}
}

// write carries out do in a transaction and returns when that is durable, with an
// error of do or of the database otherwise. The context ends the wait, but not a
// change that is being made.
func (w *writer) write(ctx context.Context, do func(context.Context, *sql.Conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	mine := &write{ctx: ctx, do: do, done: make(chan struct{})}
	w.mu.Lock()
	w.queue = append(w.queue, mine)
	w.mu.Unlock()
	select {
	case <-mine.done:
		return mine.err
	case <-ctx.Done():
		if w.withdraw(mine) {
			return ctx.Err()
		}
	case w.turn <- struct{}{}:
		var err error
		if w.waiting(mine) { // and not done by the one who had the turn before
			err = w.lead(ctx)
		}
		<-w.turn
		if err != nil && w.withdraw(mine) {
			return err
		}
	}
	<-mine.done
	return mine.err
}

// waiting reports whether nobody has begun with a write.
func (w *writer) waiting(op *write) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Contains(w.queue, op)
}

// withdraw takes a write out of the queue, unless somebody has begun with it.
func (w *writer) withdraw(op *write) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.Index(w.queue, op)
	if at < 0 {
		return false
	}
	w.queue = slices.Delete(w.queue, at, at+1)
	return true
}

// lead carries out what is in the queue, for a goroutine that has the turn. After
// an error the queue is as it was.
func (w *writer) lead(ctx context.Context) error {
	// Waiting for another process ends with the context of the one that leads, and
	// then somebody else leads.
	conn, err := w.begin(ctx)
	if err != nil {
		return err
	}
	w.mu.Lock()
	group := w.queue
	w.queue = nil
	w.mu.Unlock()

	err = transact(conn, group)
	switch {
	case err == nil:
	case len(group) == 1:
		group[0].err = err
	default:
		for _, op := range group {
			w.alone(op)
		}
	}
	for _, op := range group {
		close(op.done)
	}
	return nil
}

// alone carries out one write in a transaction of its own.
func (w *writer) alone(op *write) {
	conn, err := w.begin(op.ctx)
	if err == nil {
		err = transact(conn, []*write{op})
	}
	if err != nil {
		op.err = err
	}
}

// begin returns the connection with a transaction begun on it.
func (w *writer) begin(ctx context.Context) (*sql.Conn, error) {
	conn, err := w.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// transact carries out a group in the transaction that has begun on conn, ends it
// and hands the connection back. It returns an error when the database failed and
// nothing of the group was done; the errors of writes that were refused, or came
// too late, are left in them.
func transact(conn *sql.Conn, group []*write) error {
	// Nothing is pending on the connection by then, so that a failure to hand it
	// back is no failure of the writes.
	defer func() { _ = conn.Close() }()
	// No context may interrupt: that would roll back everybody's work.
	ctx := context.Background()
	for _, op := range group {
		if op.err = op.ctx.Err(); op.err != nil {
			continue
		}
		err := attempt(ctx, conn, op)
		if err != nil && !refused(err) {
			return errors.Join(err, rollback(conn))
		}
		op.err = err
	}
	if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
		return errors.Join(err, rollback(conn))
	}
	return nil
}

// attempt carries out one write between savepoints.
func attempt(ctx context.Context, conn *sql.Conn, op *write) error {
	if _, err := conn.ExecContext(ctx, "SAVEPOINT op"); err != nil {
		return err
	}
	answer := op.do(ctx, conn)
	if answer != nil && !refused(answer) {
		return answer
	}
	end := "RELEASE op"
	if answer != nil {
		end = "ROLLBACK TO op; RELEASE op"
	}
	if _, err := conn.ExecContext(ctx, end); err != nil {
		return err
	}
	return answer
}

// close waits for the group that is being carried out and ends the connection.
func (w *writer) close() error {
	w.turn <- struct{}{}
	defer func() { <-w.turn }()
	return w.db.Close()
}

// rollback ends the transaction on conn. If that fails, which it also does when
// SQLite has rolled back by itself, the connection is not used again.
func rollback(conn *sql.Conn) error {
	if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
		if err := conn.Raw(func(any) error { return driver.ErrBadConn }); !errors.Is(err, driver.ErrBadConn) {
			return err
		}
	}
	return nil
}
