package storetest

// Effort returns how often to do something of which n times are worth the time:
// n, or a quarter of it under the race detector.
func Effort(n int) int {
	if raced {
		return (n + 3) / 4
	}
	return n
}
