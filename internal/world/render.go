package world

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
	"gauntlet/internal/py/text"
	"gauntlet/internal/trace"
)

// This file turns what a tool returned into the text that the agent sees, in
// one of the three observation formats. render_yaml.go prints YAML,
// render_json.go JSON.

// Render returns the observation for the return value v of a tool.
//
// FormatText is Python's str(v). FormatJSON is the text of json.dumps(v,
// ensure_ascii=False) after the conversions of [ToValue]. FormatYAML is what
// the ToolHazard agent loop shows: str(v) is read back, as JSON or else as a
// Python literal, and printed like PyYAML's yaml.dump(..., allow_unicode=True,
// sort_keys=False, default_flow_style=False, width=8192) without the white
// space around it. So a str that says "12" becomes the number 12, a text that
// is neither stays a text, and a dict that holds a datetime is shown as its
// repr.
//
// The work is charged to t. Errors are exceptions of world code (a __str__ that
// fails, nesting that is too deep) and *py.LimitError.
func Render(t *py.Thread, v py.Value, f trace.Format) (string, error) {
	switch f {
	case trace.FormatText:
		return t.Str(v)
	case trace.FormatYAML:
		return renderYAML(t, v)
	case trace.FormatJSON:
		return renderJSON(t, v)
	}
	return "", fmt.Errorf("render observation: unknown format %q", f)
}

// renderYAML follows the reference: text, value, YAML. A value that its own
// repr describes completely skips the text.
func renderYAML(t *py.Thread, v py.Value) (string, error) {
	if _, ok := v.(*py.Str); !ok && isPlain(t, v, maxPlainDepth) {
		return dumpYAML(t, v)
	}
	s, err := t.Str(v)
	if err != nil {
		return "", err
	}
	x, err := reread(t, s)
	if err != nil {
		return "", err
	}
	out, err := dumpYAML(t, x)
	if isRaised(err) {
		return dumpYAML(t, py.NewStr(s)) // an int of more than 4300 digits, written in hexadecimal
	}
	return out, err
}

// maxPlainDepth bounds the nesting that isPlain looks into. Python literals
// nest 200 deep at most, so it must be below that.
const maxPlainDepth = 64

// isPlain reports whether reading the repr of v gives v back: v is built from
// exact built-in types, without NaN and infinities (which have no literal) and
// surrogates (of which JSON joins pairs). Huge ints, for which str fails, are
// not plain either.
func isPlain(t *py.Thread, v py.Value, depth int) bool {
	if depth == 0 || t.Charge(1) != nil {
		return false // without steps, what follows reports the limit
	}
	switch x := v.(type) {
	case py.NoneType, py.Bool, py.Int, *py.Bytes:
		return true
	case *py.Str:
		s := x.String()
		return t.Charge(len(s)>>6) == nil && utf8.ValidString(s)
	case py.Float:
		return x-x == 0
	case *py.List:
		return allPlain(t, x.Items, depth-1)
	case *py.Tuple:
		return allPlain(t, x.Items, depth-1)
	case *py.Set:
		return !x.Frozen && allPlain(t, x.Items(t), depth-1)
	case *py.Dict:
		for _, it := range x.Items(t) {
			if !isPlain(t, it.Key, depth-1) || !isPlain(t, it.Value, depth-1) {
				return false
			}
		}
		return true
	}
	return false
}

func allPlain(t *py.Thread, items []py.Value, depth int) bool {
	for _, x := range items {
		if !isPlain(t, x, depth) {
			return false
		}
	}
	return true
}

// isRaised reports whether err is a Python exception and not an exceeded limit.
func isRaised(err error) bool {
	var r *py.Raised
	return errors.As(err, &r)
}

// treeCost is the memory that one byte of text may take as a syntax tree plus
// the value made from it ("1,1,1" is the worst case).
const treeCost = 64

// reread returns the value that a text stands for: its JSON value, else its
// value as a Python literal, else the text itself. It differs from Python in
// two kinds of text, which it leaves alone: JSON with the non-standard NaN or
// Infinity, and complex numbers.
func reread(t *py.Thread, s string) (py.Value, error) {
	trimmed := text.StripSpace(s, text.Both)
	if trimmed == "" {
		return py.NewStr(""), nil
	}
	if err := t.Alloc(treeCost * len(trimmed)); err != nil {
		return nil, err
	}
	if j, _, err := trace.ParseValue([]byte(trimmed)); err == nil {
		v, err := FromValue(t, j)
		if err == nil || !isRaised(err) {
			return v, err
		}
	}
	v, err := parseLiteral(t, trimmed)
	if errors.Is(err, errNotLiteral) || isRaised(err) {
		return py.NewStr(s), nil
	}
	return v, err
}

var errNotLiteral = errors.New("not a Python literal")

// parseLiteral is ast.literal_eval for text without white space around it.
func parseLiteral(t *py.Thread, s string) (py.Value, error) {
	if strings.HasPrefix(s, "\ufeff") {
		return nil, errNotLiteral // a byte order mark, which only a file may have
	}
	m, err := syntax.ParseString("literal", s)
	if err != nil || len(m.Body) != 1 {
		return nil, errNotLiteral
	}
	e, ok := m.Body[0].(*syntax.ExprStmt)
	if !ok {
		return nil, errNotLiteral
	}
	if strings.Contains(s, ";") {
		// A module may end in ";", an expression may not.
		if _, err := syntax.ParseString("literal", "("+s+"\n)"); err != nil {
			return nil, errNotLiteral
		}
	}
	return evalLiteral(t, e.Value)
}

// evalLiteral computes the value of a literal expression. The parser bounds the
// depth of the tree.
func evalLiteral(t *py.Thread, e syntax.Expr) (py.Value, error) {
	switch x := e.(type) {
	case *syntax.Constant:
		return constant(x.Value)
	case *syntax.UnaryOp:
		return signed(x)
	case *syntax.List:
		items, err := evalLiterals(t, x.Elts)
		return t.NewList(items), err
	case *syntax.Tuple:
		items, err := evalLiterals(t, x.Elts)
		return py.NewTuple(items...), err
	case *syntax.Set:
		items, err := evalLiterals(t, x.Elts)
		if err != nil {
			return nil, err
		}
		return t.NewSet(items...)
	case *syntax.Call:
		if f, ok := x.Func.(*syntax.Name); ok && f.ID == "set" && len(x.Args)+len(x.Keywords) == 0 {
			return t.NewSet()
		}
	case *syntax.Dict:
		return evalDict(t, x)
	}
	return nil, errNotLiteral
}

func evalLiterals(t *py.Thread, list []syntax.Expr) ([]py.Value, error) {
	items := make([]py.Value, len(list))
	for i, e := range list {
		var err error
		if items[i], err = evalLiteral(t, e); err != nil {
			return nil, err
		}
	}
	return items, nil
}

func evalDict(t *py.Thread, x *syntax.Dict) (py.Value, error) {
	d := t.NewDict()
	for i, k := range x.Keys {
		key, err := evalLiteral(t, k) // a nil key (** unpacking) is no literal
		if err != nil {
			return nil, err
		}
		v, err := evalLiteral(t, x.Values[i])
		if err != nil {
			return nil, err
		}
		if err := d.Set(t, key, v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func constant(c syntax.Const) (py.Value, error) {
	switch x := c.(type) {
	case syntax.ConstNone:
		return py.None, nil
	case bool:
		return py.Bool(x), nil
	case *big.Int:
		return py.MakeInt(x), nil
	case float64:
		return py.Float(x), nil
	case syntax.Str:
		return py.NewStr(string(x)), nil
	case syntax.Bytes:
		return &py.Bytes{B: string(x)}, nil
	}
	return nil, errNotLiteral // Ellipsis, which YAML cannot show
}

// signed reads +1 and -1.5; a literal has one sign at most.
func signed(x *syntax.UnaryOp) (py.Value, error) {
	c, ok := x.Operand.(*syntax.Constant)
	if !ok || x.Op != syntax.UAdd && x.Op != syntax.USub {
		return nil, errNotLiteral
	}
	switch n := c.Value.(type) {
	case *big.Int:
		if x.Op == syntax.USub {
			n = new(big.Int).Neg(n)
		}
		return py.MakeInt(n), nil
	case float64:
		if x.Op == syntax.USub {
			n = -n
		}
		return py.Float(n), nil
	}
	return nil, errNotLiteral
}
