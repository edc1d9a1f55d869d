package stdlib

import (
	"slices"
	"strings"
	"sync"

	"gauntlet/internal/py"
)

// builders lists the modules of the library. To add one: write its file, add
// its line here, and its test.
var builders = map[string]func() *py.Module{
	"__future__":      buildFuture,
	"abc":             buildAbc,
	"ast":             buildAST,
	"base64":          buildBase64,
	"bisect":          buildBisect,
	"collections":     buildCollections,
	"collections.abc": buildCollectionsAbc,
	"contextlib":      buildContextlib,
	"copy":            buildCopy,
	"dataclasses":     buildDataclasses,
	"datetime":        buildDatetime,
	"enum":            buildEnumModule,
	"fractions":       buildFractions,
	"functools":       buildFunctools,
	"hashlib":         buildHashlib,
	"heapq":           buildHeapq,
	"itertools":       buildItertools,
	"json":            buildJSON,
	"math":            buildMath,
	"operator":        buildOperator,
	"random":          buildRandom,
	"re":              buildRe,
	"statistics":      buildStatistics,
	"string":          buildString,
	"sys":             buildSys,
	"textwrap":        buildTextwrap,
	"time":            buildTime,
	"types":           buildTypes,
	"typing":          buildTyping,
	"unicodedata":     buildUnicodedata,
	"uuid":            buildUUID,
}

// library is the set of modules, each built on first use.
type library struct {
	mu      sync.RWMutex
	modules map[string]*py.Module
}

// Library is the standard library, safe for concurrent use.
var Library py.Importer = &library{modules: map[string]*py.Module{}}

// Import returns the module called name.
func (l *library) Import(name string) (*py.Module, bool) {
	l.mu.RLock()
	m, ok := l.modules[name]
	l.mu.RUnlock()
	if ok {
		return m, true
	}
	build, ok := builders[name]
	if !ok {
		return nil, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if m, ok := l.modules[name]; ok {
		return m, true
	}
	m = build()
	markLong(m)
	l.modules[name] = m
	return m, true
}

// Knows reports whether CPython 3.11's module has an attribute that is missing here.
func (l *library) Knows(mod, attr string) bool {
	for _, a := range known[mod] {
		if a == attr {
			return true
		}
	}
	return false
}

// Names returns the names of all modules, unordered.
func Names() []string {
	out := make([]string, 0, len(builders))
	for n := range builders {
		out = append(out, n)
	}
	return out
}

// longNames lists the classes that CPython writes in C and whose names error
// messages therefore give with their module; "*" means all of a module.
var longNames = map[string]string{
	"datetime": "*", "itertools": "*", "re": "Pattern Match", "time": "struct_time",
	"collections": "deque defaultdict OrderedDict", "functools": "partial", "operator": "itemgetter attrgetter methodcaller",
}

func markLong(m *py.Module) {
	names := longNames[m.Name]
	for _, it := range m.Members() {
		c, ok := it.Value.(*py.Type)
		if ok && c.Mod == m.Name && (names == "*" || slices.Contains(strings.Fields(names), it.Name)) {
			c.Long = true
		}
	}
}
