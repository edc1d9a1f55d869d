package stdlib

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"gauntlet/internal/py"
	"gauntlet/internal/py/syntax"
)

// The ast module has only literal_eval, which needs no node classes.

func buildAST() *py.Module {
	return py.NewModule("ast", pyFunc("literal_eval", "node_or_string", func(t *py.Thread, a []py.Value) (py.Value, error) {
		s, ok := py.AsStr(a[0])
		if !ok {
			return nil, malformedValue(t, a[0])
		}
		e, err := parseExpression(t, s.String())
		if err != nil {
			return nil, err
		}
		return literalValue(t, e)
	}))
}

// parseExpression reads one expression, as compile(..., mode="eval") does.
func parseExpression(t *py.Thread, src string) (syntax.Expr, error) {
	if err := t.Alloc(16 * len(src)); err != nil {
		return nil, err
	}
	if strings.ContainsRune(src, 0) {
		return nil, py.RaiseType(py.SyntaxErrorType, "source code string cannot contain null bytes")
	}
	src = strings.TrimLeft(src, " \t")
	m, err := syntax.ParseString("<unknown>", src)
	var bad *syntax.Error
	switch {
	case errors.As(err, &bad):
		msg := bad.Msg
		if strings.HasPrefix(msg, "'yield") || strings.HasPrefix(msg, "can't use starred") {
			msg = "invalid syntax" // valid as a statement only
		}
		return nil, syntaxError(msg, int(bad.Pos.Line))
	case err != nil:
		return nil, syntaxError(err.Error(), 1)
	case len(m.Body) == 0:
		return nil, syntaxError("invalid syntax", min(1, len(src)))
	case len(m.Body) > 1:
		return nil, syntaxError("invalid syntax", int(m.Body[1].At().Line))
	}
	line := int(m.Body[0].At().Line)
	e, ok := m.Body[0].(*syntax.ExprStmt)
	if !ok || strings.HasSuffix(strings.TrimSpace(src), ";") {
		return nil, syntaxError("invalid syntax", line)
	}
	switch e.Value.(type) {
	case *syntax.Starred, *syntax.Yield, *syntax.YieldFrom:
		return nil, syntaxError("invalid syntax", line)
	}
	return e.Value, nil
}

// syntaxError makes a SyntaxError whose text names the line.
func syntaxError(msg string, line int) error {
	return py.RaiseType(py.SyntaxErrorType, "%s (<unknown>, line %d)", msg, line)
}

// malformed refuses a node that is no literal. The address is the one that
// every object has here.
func malformed(n syntax.Node) error {
	name := strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax.")
	return py.ValueErrorf("malformed node or string on line %d: <ast.%s object at 0x7f0000000000>", n.At().Line, name)
}

func malformedValue(t *py.Thread, v py.Value) error {
	s, err := t.Repr(v)
	if err != nil {
		return err
	}
	return py.ValueErrorf("malformed node or string: %s", s)
}

// literalValue evaluates a literal. The parser bounds the depth of the tree.
func literalValue(t *py.Thread, e syntax.Expr) (py.Value, error) {
	if err := t.Charge(1); err != nil {
		return nil, err
	}
	switch n := e.(type) {
	case *syntax.Constant:
		return constantValue(n), nil
	case *syntax.Tuple:
		items, err := literalValues(t, n.Elts)
		return py.NewTuple(items...), err
	case *syntax.List:
		items, err := literalValues(t, n.Elts)
		return t.NewList(items), err
	case *syntax.Set:
		items, err := literalValues(t, n.Elts)
		if err != nil {
			return nil, err
		}
		return newSetValue(t, items)
	case *syntax.Call:
		if f, ok := n.Func.(*syntax.Name); ok && f.ID == "set" && len(n.Args)+len(n.Keywords) == 0 {
			return newSetValue(t, nil)
		}
	case *syntax.Dict:
		return literalDict(t, n)
	case *syntax.UnaryOp:
		if n.Op == syntax.UAdd || n.Op == syntax.USub {
			return signedNumber(t, e)
		}
	case *syntax.BinOp:
		// A sum can only be a complex number, which is refused while parsing;
		// the operand that is none is what the error names.
		if n.Op == syntax.Add || n.Op == syntax.Sub {
			if _, err := signedNumber(t, n.Left); err != nil {
				return nil, err
			}
			if _, err := literalNumber(n.Right); err != nil {
				return nil, err
			}
		}
	}
	return nil, malformed(e)
}

// signedNumber is a number with at most one sign.
func signedNumber(t *py.Thread, e syntax.Expr) (py.Value, error) {
	n, ok := e.(*syntax.UnaryOp)
	if !ok || n.Op != syntax.UAdd && n.Op != syntax.USub {
		return literalNumber(e)
	}
	v, err := literalNumber(n.Operand)
	if err != nil {
		return nil, err
	}
	return t.UnaryOp(n.Op, v)
}

func newSetValue(t *py.Thread, items []py.Value) (py.Value, error) {
	s, err := t.NewSet(items...)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func literalValues(t *py.Thread, elts []syntax.Expr) ([]py.Value, error) {
	if err := t.Alloc(16 * len(elts)); err != nil {
		return nil, err
	}
	out := make([]py.Value, len(elts))
	for i, e := range elts {
		var err error
		if out[i], err = literalValue(t, e); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func literalDict(t *py.Thread, n *syntax.Dict) (py.Value, error) {
	d := t.NewDict()
	for i, k := range n.Keys {
		if k == nil {
			return nil, malformedValue(t, py.None)
		}
		key, err := literalValue(t, k)
		if err != nil {
			return nil, err
		}
		v, err := literalValue(t, n.Values[i])
		if err != nil {
			return nil, err
		}
		if err := d.Set(t, key, v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// literalNumber is the operand of a sign: an int or float, but not a bool.
func literalNumber(e syntax.Expr) (py.Value, error) {
	if c, ok := e.(*syntax.Constant); ok {
		switch v := constantValue(c).(type) {
		case py.Int, *py.Big, py.Float:
			return v, nil
		}
	}
	return nil, malformed(e)
}

func constantValue(c *syntax.Constant) py.Value {
	switch v := c.Value.(type) {
	case bool:
		return py.Bool(v)
	case *big.Int:
		return py.MakeInt(v)
	case float64:
		return py.Float(v)
	case syntax.Str:
		return py.NewStr(string(v))
	case syntax.Bytes:
		return &py.Bytes{B: string(v)}
	case syntax.ConstEllipsis:
		return py.Ellipsis
	}
	return py.None
}
