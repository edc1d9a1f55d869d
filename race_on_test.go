//go:build race

package main

// raced says that the program under test is slowed down by the race detector.
const raced = true
