//go:build race

package storetest

// raced says that the race detector watches. It makes a database that is Go code
// some twelve times slower, and what one goroutine does alone needs fewer rounds
// of that.
const raced = true
