package stdlib

import (
	"sync"

	"gauntlet/internal/py"
)

// builders lists the modules of the library. To add one: write its file, add
// its line here, and its test.
var builders = map[string]func() *py.Module{
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
	"enummodule":      buildEnumModule,
	"fractions":       buildFractions,
	"functools":       buildFunctools,
	"hashlib":         buildHashlib,
	"heapq":           buildHeapq,
	"itertools":       buildItertools,
	"json":            buildJSON,
	"math":            buildMath,
	"random":          buildRandom,
	"re":              buildRe,
	"statistics":      buildStatistics,
	"string":          buildString,
	"sys":             buildSys,
	"textwrap":        buildTextwrap,
	"time":            buildTime,
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
