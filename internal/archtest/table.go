package archtest

// Rule says which packages of ours one package may import. Names are relative to
// internal/; "main" is the root of the module.
type Rule struct {
	Package string
	// May holds package names separated by spaces: "py" is that package alone,
	// "py/..." is py and everything below it, and "..." is every package but cli.
	May string
	Why string
}

// Layers is the whole import table. Imports go one way, from the bottom of this
// list to its top; tests may import anything but cli.
var Layers = []Rule{
	{"trace", "", "the record that every other part speaks in"},
	{"metrics", "", "arithmetic over counts; knows no outcome type"},
	{"archtest", "", "reads source text only"},
	{"worlds", "", "bundled data, embedded"},

	{"py/syntax", "", "source text to tree; of use without the interpreter"},
	{"py/regex", "", "an engine over strings"},
	{"py/text", "", "Python's ideas of text: repr, formats, Unicode"},
	{"py/libm", "", "elementary functions that do not depend on the machine"},
	{"py", "py/syntax py/text py/libm", "the interpreter core, without the standard library it can be given"},
	{"py/stdlib", "py py/regex py/text py/syntax py/libm", "modules on top of the core"},
	{"py/pyfuzz", "py/...", "compares any part of the interpreter with CPython"},

	{"world", "py py/stdlib py/syntax py/text trace", "runs world code and records calls"},
	{"suite", "world trace py/...", "scenarios and their checks"},
	{"score", "world suite trace py/...", "checks over states; no provider, store or network"},
	{"convert", "suite world score trace py/...", "foreign formats become suites and traces; looks for checks that are wrong from the start"},
	{"model", "trace", "asks models; knows no world, case or score"},
	{"model/scripted", "trace", "a server in place of a model, for tests; knows no client"},
	{"mcp", "trace", "serves the tools of an episode to any MCP client; knows no world"},
	{"agent", "mcp model world suite trace", "acts in a world and cannot see how it is scored"},
	{"agent/agenttest", "model/scripted suite trace", "a scripted model that acts in cases, for tests"},
	{"run", "agent world suite score trace", "one cell, from case to scored trace"},
	{"plan", "agent model run suite trace", "an experiment as cells with content-hash ids"},
	{"store", "", "the journal of runs; keeps bytes and knows no record"},
	{"store/storetest", "store", "what every store must do"},
	{"job", "agent plan run score store suite trace", "plays the cells of a journaled run; nothing finished is lost"},
	{"report", "metrics", "tables of numbers; knows nothing of where they come from"},
	{"summary", "metrics run score", "the numbers of many cells: rates, intervals, differences, exclusions"},
	{"report/page", "metrics report trace", "one HTML file of a run, from plain data"},

	{"cli", "...", "the only place where everything meets"},
	{"main", "cli", "one call"},
}

// LongFiles excuses files of more than 500 lines, by path, with the reason. An
// excuse that is not needed any more is a problem too.
var LongFiles = map[string]string{
	"internal/py/syntax/ast.go": "one tree, with the names and the order of CPython's ast module; parts would hide what is missing",
}

// LongFunctions excuses functions of more than 80 lines, by "path:Function" or
// "path:Type.Method", with the reason.
var LongFunctions = map[string]string{
	"internal/py/vm.go:Thread.step": "the bytecode loop: one switch, so that operands and the instruction pointer stay in registers",
}

// References excuses uses of what only internal/cli may use, by
// "path:package.Name", such as "internal/job/worker.go:time.Now", with the reason.
var References = map[string]string{
	"internal/py/pyfuzz/cpython.go:os.Getenv": "the CPython child needs PATH and HOME; the package runs in tests only",

	"main.go:os.Stdin":  "main hands the standard streams to internal/cli",
	"main.go:os.Stdout": "main hands the standard streams to internal/cli",
	"main.go:os.Stderr": "main hands the standard streams to internal/cli",
}
