// Package cli is the gauntlet command: one file per subcommand. It is the only
// package that reads the environment, the clock and the terminal.
package cli
