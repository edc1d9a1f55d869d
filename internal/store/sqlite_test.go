package store_test

import (
	"path/filepath"
	"testing"

	"gauntlet/internal/store"
	"gauntlet/internal/store/storetest"
)

func TestConformance(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store { return open(t, filepath.Join(t.TempDir(), "test.db")) })
}

// open opens a database that the caller closes.
func open(t testing.TB, path string) *store.SQLite {
	t.Helper()
	s, err := store.OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
