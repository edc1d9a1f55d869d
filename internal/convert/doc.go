// Package convert turns data of other projects into suites.
//
// An importer reads published files, checks what they say by running it, and
// writes a suite: the directory that package suite loads. It changes nothing on
// the way. World source, task text, states, checks, payloads and strategy names
// are kept as published, so that published results can be repeated. What an
// importer cannot use it refuses whole and says why; what is odd but usable it
// keeps and lists as a defect, from a closed list of kinds. Both lists are in
// import.json beside the suite: whoever reads a rate over an imported suite can
// see what the rate is over.
//
//	report, err := convert.ToolHazard(convert.Options{
//		Envs:  []string{"env_with_attack_points.json"},
//		Tasks: []string{"combined.json", "multi_turn.json"},
//		Out:   "suites/toolhazard",
//	})
//
// With Options.Verify the same calls and checks are run in CPython as well, and
// every difference is listed.
//
// Files: toolhazard.go is the flow, toolhazard_env.go and toolhazard_task.go
// read the two formats, toolhazard_point.go finds the injected field,
// toolhazard_defect.go names what is odd, report.go is import.json, verify*.go
// compares with CPython.
package convert
