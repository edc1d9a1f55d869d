package py

import (
	"strings"

	"gauntlet/internal/py/syntax"
	"gauntlet/internal/py/text"
)

// unparse writes an annotation expression back as text, for annotations kept
// as strings (from __future__ import annotations). Expressions that are no
// annotations come out as "...".
func unparse(x syntax.Expr) string {
	switch x := x.(type) {
	case *syntax.Name:
		return x.ID
	case *syntax.Attribute:
		return unparse(x.Value) + "." + x.Attr
	case *syntax.Subscript:
		if tup, ok := x.Slice.(*syntax.Tuple); ok && len(tup.Elts) > 0 {
			return unparse(x.Value) + "[" + unparseList(tup.Elts) + "]"
		}
		return unparse(x.Value) + "[" + unparse(x.Slice) + "]"
	case *syntax.BinOp:
		if x.Op == syntax.BitOr {
			return unparse(x.Left) + " | " + unparse(x.Right)
		}
	case *syntax.List:
		return "[" + unparseList(x.Elts) + "]"
	case *syntax.Tuple:
		if len(x.Elts) == 1 {
			return "(" + unparse(x.Elts[0]) + ",)"
		}
		return "(" + unparseList(x.Elts) + ")"
	case *syntax.Call:
		return unparse(x.Func) + "(" + unparseList(x.Args) + ")"
	case *syntax.Constant:
		switch v := constValue(x.Value).(type) {
		case *Str:
			return text.Repr(v.s)
		case Bool:
			if v {
				return "True"
			}
			return "False"
		case NoneType:
			return "None"
		case Int, Float:
			s, _ := NewThread(0, nil, Limits{}).Repr(v)
			return s
		}
	}
	return "..."
}

func unparseList(xs []syntax.Expr) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = unparse(x)
	}
	return strings.Join(parts, ", ")
}
