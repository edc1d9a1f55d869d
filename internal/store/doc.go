// Package store is the journal of runs: which cells a run has, what came of each
// of them, and the trace of it. A kill at any moment costs at most the cells that
// were in flight, and a finished cell is neither run nor counted twice.
//
// A run is a plan and a fixed list of cells. Finishing a cell adds a [Result], its
// next attempt, in one transaction. A result is assessed, or else it is excluded
// for a stated cause and may be followed by another attempt; after an assessed one
// there are no more. So the latest attempt of a cell is the one that counts: its
// standing result. A cell without any is pending. What is written is not changed
// again, apart from the score: a result can be scored anew from its trace, and the
// scores before are kept.
//
// The package keeps documents (plans, labels, outcomes, traces) as bytes and never
// looks into them; it imports nothing of ours, and it has no clock: the times are
// the caller's.
//
//	s, err := store.OpenSQLite(ctx, "gauntlet.db")
//	...
//	err = s.CreateRun(ctx, store.Run{ID: "20261130-141523-ab12", Created: now, Plan: plan}, cells)
//	release, err := s.Claim(ctx, "20261130-141523-ab12") // one process at a time
//	...
//	states, err := s.Cells(ctx, "20261130-141523-ab12")  // what is left to do
//	for _, c := range states {
//		if !c.Assessed {
//			err = s.Finish(ctx, run, store.Result{Cell: c.ID, Attempt: c.Attempts + 1, ...})
//		}
//	}
//
// [Store] is the seam between the program and a database. What it promises is
// written there, is the same for every database, and is held by the suite in
// package storetest. [SQLite] is the implementation in one file, for one machine.
package store
