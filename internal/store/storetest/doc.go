// Package storetest is the conformance suite of package store: everything that
// store.Store promises, checked on an implementation of it. A new database behind
// the seam is done when it passes.
//
//	func TestConformance(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store {
//			s, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "test.db"))
//			...
//			return s
//		})
//	}
//
// What only one database can do wrong (a crash, a damaged file, a full disk) is
// tested beside that implementation.
package storetest
