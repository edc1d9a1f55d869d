package stdlib

import (
	"math"

	"gauntlet/internal/py"
)

// The sys module: constants of the interpreter that CPython 3.11.7 on 64-bit
// Linux has, and standard output. What would reach the process is refused.

func buildSys() *py.Module {
	finishStdout()
	str := func(s string) py.Value { return py.NewStr(s) }
	version := newRecordType("sys", "version_info", "major", "minor", "micro", "releaselevel", "serial")
	version.Qualname = "sys.version_info"
	floats := newRecordType("sys", "float_info", "max", "max_exp", "max_10_exp", "min", "min_exp", "min_10_exp", "dig", "mant_dig", "epsilon", "radix", "rounds")
	floats.Qualname = "sys.float_info"
	m := py.NewModule("sys",
		py.Member{Name: "maxsize", Value: py.Int(math.MaxInt64)},
		py.Member{Name: "maxunicode", Value: py.Int(0x10FFFF)},
		py.Member{Name: "byteorder", Value: str("little")},
		py.Member{Name: "platform", Value: str("linux")},
		py.Member{Name: "version", Value: str("3.11.7 (gauntlet)")},
		py.Member{Name: "hexversion", Value: py.Int(0x030B07F0)},
		py.Member{Name: "version_info", Value: newRecord(version, py.Int(3), py.Int(11), py.Int(7), str("final"), py.Int(0))},
		py.Member{Name: "float_info", Value: newRecord(floats, py.Float(math.MaxFloat64), py.Int(1024), py.Int(308),
			py.Float(0x1p-1022), py.Int(-1021), py.Int(-307), py.Int(15), py.Int(53), py.Float(0x1p-52), py.Int(2), py.Int(1))},
		py.Member{Name: "float_repr_style", Value: str("short")},
		py.Func("getrecursionlimit", "/", func(*py.Thread, []py.Value) (py.Value, error) { return py.Int(1000), nil }),
		py.Func("getdefaultencoding", "/", func(*py.Thread, []py.Value) (py.Value, error) { return str("utf-8"), nil }),
		py.Func("intern", "string, /", func(_ *py.Thread, a []py.Value) (py.Value, error) {
			if _, ok := a[0].(*py.Str); !ok {
				return nil, py.TypeErrorf("intern() argument must be str, not %s", argTypeName(a[0]))
			}
			return a[0], nil
		}),
		py.Member{Name: "stdout", Value: stdout{}},
	)
	// Modules are made on first use, so that only these two are listed.
	modules := &py.Dict{}
	modules.SetStr("sys", m)
	modules.SetStr("builtins", py.Builtins)
	m.Attrs.SetStr("modules", &py.MappingProxy{D: modules})
	return m
}

// stdoutType is the class of sys.stdout.
var stdoutType = py.NewType("_io", "TextIOWrapper")

// stdout is sys.stdout: what is written goes to the thread's output.
type stdout struct{}

// Type returns _io.TextIOWrapper.
func (stdout) Type() *py.Type { return stdoutType }

func finishStdout() {
	stdoutType.Finish(
		py.Def("write", "text, /", func(t *py.Thread, _ py.Value, a []py.Value) (py.Value, error) {
			s, ok := py.AsStr(a[0])
			if !ok {
				return nil, py.TypeErrorf("write() argument must be str, not %s", argTypeName(a[0]))
			}
			return py.Int(s.Len()), t.Print(s.String())
		}),
		py.Def("flush", "/", func(*py.Thread, py.Value, []py.Value) (py.Value, error) { return py.None, nil }),
	)
}
