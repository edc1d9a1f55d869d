// Package cli is the gauntlet command: one file per subcommand, and the tables
// that they print. It is the only place that reads the environment, the clock
// and the terminal; what the others need of these is handed to them.
//
// Exit codes: 0 for success, 1 when the answer is no (a world that does not
// load, a run that was stopped), 2 when the command line or an input is wrong.
package cli
