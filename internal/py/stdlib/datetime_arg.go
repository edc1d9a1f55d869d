package stdlib

import (
	"math"
	"strings"

	"gauntlet/internal/py"
)

// This file binds and converts arguments with the wording of the binder that
// CPython's C code calls with a format string. py.NewFunc words the other one
// (Argument Clinic), pyfunc.go that of functions written in Python.

// parseArgs binds arguments as PyArg_ParseTupleAndKeywords does. fname is ""
// for formats that carry no function name. convert is called for each argument
// that is present, in the order of names, before a later one is found missing.
// A name that begins with $ can be given by keyword only.
func parseArgs(fname string, names []string, required int, args []py.Value, kw []py.Kw, convert func(i int, v py.Value) error) error {
	who, in := fname+"()", fname+"()"
	if fname == "" {
		who, in = "function", "this function"
	}
	if n := len(args) + len(kw); n > len(names) {
		noun := "argument"
		if len(args) == 0 {
			noun = "keyword argument"
		}
		return py.TypeErrorf("%s takes at most %d %s (%d given)", who, len(names), plural(noun, len(names)), n)
	}
	used := 0
	for i, name := range names {
		name, only := strings.CutPrefix(name, "$")
		if only && len(args) > i {
			return py.TypeErrorf("%s takes at most %d positional arguments (%d given)", who, i, len(args))
		}
		v := py.Value(nil)
		if i < len(args) {
			v = args[i]
		} else if v = keyword(kw, name); v != nil {
			used++
		}
		if v == nil {
			if i < required {
				return py.TypeErrorf("%s missing required argument '%s' (pos %d)", who, name, i+1)
			}
			continue
		}
		if err := convert(i, v); err != nil {
			return err
		}
	}
	if used == len(kw) {
		return nil
	}
	for i := range args {
		if keyword(kw, names[i]) != nil {
			return py.TypeErrorf("argument for %s given by name ('%s') and position (%d)", who, names[i], i+1)
		}
	}
	for _, k := range kw {
		if indexOf(names, k.Name) < 0 && indexOf(names, "$"+k.Name) < 0 {
			return py.TypeErrorf("'%s' is an invalid keyword argument for %s", k.Name, in)
		}
	}
	return nil
}

// rawMethod makes a method of owner that receives its arguments unbound, after
// the receiver was checked.
func rawMethod(owner *py.Type, name string, fn func(t *py.Thread, self py.Value, args []py.Value, kw []py.Kw) (py.Value, error)) py.Member {
	return py.Member{Name: name, Value: py.NewRawMethod(name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) == 0 {
			return nil, py.TypeErrorf("unbound method %s.%s() needs an argument", owner.Name, name)
		}
		if !owner.IsInstance(args[0]) {
			return nil, py.TypeErrorf("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name, longName(owner), longTypeName(args[0]))
		}
		return fn(t, args[0], args[1:], kw)
	})}
}

// classMethod makes a class method as a class member.
func classMethod(name, sig string, fn func(t *py.Thread, cls *py.Type, a []py.Value) (py.Value, error)) py.Member {
	return py.Member{Name: name, Value: py.NewClassMethod(name, sig, func(t *py.Thread, self py.Value, a []py.Value) (py.Value, error) {
		cls, ok := self.(*py.Type)
		if !ok {
			return nil, py.TypeErrorf("descriptor '%s' requires a type", name)
		}
		return fn(t, cls, a)
	})}
}

// rawClassMethod makes a class method that receives its arguments unbound.
func rawClassMethod(name string, fn func(t *py.Thread, cls *py.Type, args []py.Value, kw []py.Kw) (py.Value, error)) py.Member {
	return py.Member{Name: name, Value: &py.ClassMethod{Fn: py.NewRaw(name, func(t *py.Thread, args []py.Value, kw []py.Kw) (py.Value, error) {
		if len(args) > 0 {
			if cls, ok := args[0].(*py.Type); ok {
				return fn(t, cls, args[1:], kw)
			}
		}
		return nil, py.TypeErrorf("descriptor '%s' requires a type", name)
	})}}
}

// sealClass makes a class refuse to be a base class, as CPython's final C types do.
func sealClass(c *py.Type) {
	c.BuildClass = func(*py.Thread, *py.Type, string, []py.Value, *py.Dict, []py.Kw) (py.Value, error) {
		return nil, py.TypeErrorf("type '%s' is not an acceptable base type", longName(c))
	}
}

// wholeNumber is operator.index(v) as an int64; fits is false when it is larger.
func wholeNumber(t *py.Thread, v py.Value) (n int64, fits bool, err error) {
	if b, ok := t.AsBigInt(v); ok {
		return b.Int64(), b.IsInt64(), nil
	}
	n, err = t.AsIndex(v)
	if _, over := py.Catch(err, py.IndexErrorType, py.OverflowErrorType); over {
		return 0, false, nil
	}
	return n, err == nil, err
}

// cInt converts an argument that C code takes as int.
func cInt(t *py.Thread, v py.Value) (int, error) {
	n, fits, err := wholeNumber(t, v)
	switch {
	case err != nil:
		return 0, err
	case !fits:
		return 0, py.OverflowErrorf("Python int too large to convert to C long")
	case n > math.MaxInt32:
		return 0, py.OverflowErrorf("signed integer is greater than maximum")
	case n < math.MinInt32:
		return 0, py.OverflowErrorf("signed integer is less than minimum")
	}
	return int(n), nil
}

// strArgument returns argument n (from 1) of fname, which must be a str.
func strArgument(fname string, n int, v py.Value) (*py.Str, error) {
	if s, ok := py.AsStr(v); ok {
		return s, nil
	}
	return nil, py.TypeErrorf("%s() argument %d must be str, not %s", fname, n, argTypeName(v))
}

// argTypeName is a class name as argument parsers print it: None is "None".
func argTypeName(v py.Value) string {
	if v == py.None {
		return "None"
	}
	return longTypeName(v)
}

// longTypeName is the class name of v in messages of C code, which put the
// module before the name of classes written in C.
func longTypeName(v py.Value) string { return longName(v.Type()) }

func longName(c *py.Type) string {
	if c.Heap || c.Mod == "builtins" || c.Mod == "uuid" {
		return c.Name
	}
	return c.Mod + "." + c.Name
}

func plural(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func keyword(kw []py.Kw, name string) py.Value {
	for _, k := range kw {
		if k.Name == name {
			return k.Value
		}
	}
	return nil
}

func indexOf(list []string, s string) int {
	for i, x := range list {
		if x == s {
			return i
		}
	}
	return -1
}
