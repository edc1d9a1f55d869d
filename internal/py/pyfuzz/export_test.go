package pyfuzz

// FlagConfig is the configuration that the test flags ask for.
func FlagConfig() Config { return config() }
