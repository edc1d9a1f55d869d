//go:build !race

package job_test

// detector says that the race detector is on, under which everything takes several
// times as long.
const detector = false
