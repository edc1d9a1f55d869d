//go:build !race

package storetest

// raced says that the race detector watches.
const raced = false
