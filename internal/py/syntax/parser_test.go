package syntax

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// parseError parses a text that must fail and returns the error.
func parseError(t *testing.T, src string) *Error {
	t.Helper()
	_, err := ParseString("w.py", src)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v for %.60q, want an *Error", err, src)
	}
	return e
}

func TestRefused(t *testing.T) {
	for src, want := range map[string]string{
		"async def f(): pass":                                "w.py:1:1: async functions",
		"@a\nasync def f(): pass":                            "w.py:2:1: async functions",
		"if x:\n  async with a: pass":                        "w.py:2:3: async functions",
		"async for x in y: pass":                             "w.py:1:1: async functions",
		"x = await y":                                        "w.py:1:5: async functions",
		"[x async for x in y]":                               "w.py:1:4: async functions",
		"f(x async for x in y)":                              "w.py:1:5: async functions",
		"{x: y async for x in z}":                            "w.py:1:7: async functions",
		"f'{await x}'":                                       "w.py:1:4: async functions",
		"match x:\n  case 1: pass":                           "w.py:1:1: match statements",
		"match (x):\n  case 1: pass":                         "w.py:1:1: match statements",
		"match [x, y]:\n  # c\n\n  case [1, *_]: pass":       "w.py:1:1: match statements",
		"match -x:\n  case 1: pass":                          "w.py:1:1: match statements",
		"match x, y:\n  case 1, 2: pass":                     "w.py:1:1: match statements",
		"match *x, y:\n  case 1, 2: pass":                    "w.py:1:1: match statements",
		"match (x,\n  y):\n  case 1, 2: pass":                "w.py:1:1: match statements",
		"match lambda: x:\n  case 1: pass":                   "w.py:1:1: match statements",
		"from x import *":                                    "w.py:1:15: star imports",
		"try: a\nexcept* b: c":                               "w.py:2:7: except* clauses",
		"try: a\nexcept *(b, c) as d: e":                     "w.py:2:8: except* clauses",
		"x = 1j":                                             "w.py:1:5: complex literals",
		"x = 1 + 2.5e3J":                                     "w.py:1:9: complex literals",
		"# -*- coding: latin-1 -*-\nx":                       "w.py:1:1: source encoding latin-1",
		"#!/bin/python\n# vim: set fileencoding=cp1252 :":    "w.py:2:1: source encoding cp1252",
		"from __future__ import annotations, barry_as_FLUFL": "w.py:1:37: the barry_as_FLUFL future",
	} {
		e := parseError(t, src)
		if !e.Refused || !strings.HasPrefix(e.Error(), want) {
			t.Errorf("%q: got %q (refused %v), want a refusal %q", src, e, e.Refused, want)
		}
	}
}

// TestMessages holds the messages that authors of worlds will meet most.
func TestMessages(t *testing.T) {
	for src, want := range map[string]string{
		"f() = 1":                        "1:1: cannot assign to function call here. Maybe you meant '==' instead of '='?",
		"x = (1,\n  2":                   "1:5: '(' was never closed",
		"x = [1, 2)":                     "1:10: closing parenthesis ')' does not match opening parenthesis '['",
		"x)":                             "1:2: unmatched ')'",
		"print 'x'":                      "1:1: Missing parentheses in call to 'print'. Did you mean print(...)?",
		"if x\n  y":                      "1:5: expected ':'",
		"if x:\ny":                       "2:1: expected an indented block after 'if' statement on line 1",
		"def f():\n":                     "2:1: expected an indented block after function definition on line 1",
		"x\n  y":                         "2:3: unexpected indent",
		"if x:\n    y\n  z":              "3:3: unindent does not match any outer indentation level",
		"if x:\n        y\n\tz":          "3:2: inconsistent use of tabs and spaces in indentation",
		"x = 'abc":                       "1:5: unterminated string literal (detected at line 1)",
		"x = '''abc\n":                   "1:5: unterminated triple-quoted string literal (detected at line 2)",
		"é = 'é' +":                      "1:10: invalid syntax",
		"x = 1€":                         "1:6: invalid decimal literal",
		"x = €":                          "1:5: invalid character '€' (U+20AC)",
		"x\u00a0= 1":                     "1:2: invalid non-printable character U+00A0",
		"x = 012":                        "1:5: leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers",
		"return 1":                       "1:1: 'return' outside function",
		"break":                          "1:1: 'break' outside loop",
		"def f(a, a): pass":              "1:10: duplicate argument 'a' in function definition",
		"f(a=1, a=2)":                    "1:8: keyword argument repeated: a",
		"f(a=1, b)":                      "1:8: positional argument follows keyword argument",
		"def f(a=1, b): pass":            "1:12: non-default argument follows default argument",
		"def f():\n  x = 1\n  global x":  "3:3: name 'x' is assigned to before global declaration",
		"def f():\n  nonlocal x":         "2:3: no binding for nonlocal 'x' found",
		"x = f'{a b}'":                   "1:10: f-string: invalid syntax",
		"x = f'é{}'":                     "1:8: f-string: empty expression not allowed",
		"x = f'''\n{a!x}'''":             "2:5: f-string: invalid conversion character: expected 's', 'r', or 'a'",
		"x = (1\n  2)":                   "2:3: expected ')'",
		"try: x\ny":                      "2:1: expected 'except' or 'finally' block",
		"try: a\nexcept: b\nexcept c: d": "2:1: default 'except:' must be last",
		"try: a\nexcept b, c: d":         "2:1: multiple exception types must be parenthesized",
		"\ufeffx = = 1":                  "1:5: invalid syntax",
		"x\x00":                          "1:2: source code cannot contain null bytes",
		"x = 1\ny = '\xff'":              "2:6: (unicode error) 'utf-8' codec can't decode byte 0xff",
		"# coding: ascii\nx = 'é'":       "2:6: 'ascii' codec can't decode byte 0xc3",
	} {
		e := parseError(t, src)
		if got := strings.TrimPrefix(e.Error(), "w.py:"); e.Refused || got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}

// TestSourceBytes checks what the decoder makes of bytes around the text.
func TestSourceBytes(t *testing.T) {
	want := "Module(body=[Assign(targets=[Name(id='x', ctx=Store())], value=Constant(value='a\\nb')), " +
		"Expr(value=Name(id='y', ctx=Load()))], type_ignores=[])"
	for _, src := range []string{
		"x = '''a\nb'''\ny\n",
		"x = '''a\r\nb'''\r\ny",
		"x = '''a\rb'''\ry\r",
		"\ufeffx = '''a\nb'''\ny",
		"# coding: utf-8\nx = '''a\nb'''\ny",
		"#!/bin/python\r# -*- Coding:UTF8 -*- coding=utf-8\rx = '''a\rb'''\ry",
		"\x0c# coding=US_ASCII\nx = '''a\nb'''\\\n\ny",
	} {
		m, err := Parse("w.py", []byte(src))
		if err != nil {
			t.Errorf("%q: %v", src, err)
		} else if got := Dump(m); got != want {
			t.Errorf("%q: got %s, want %s", src, got, want)
		}
	}
}

// TestDepth checks that deep and long programs are parsed or rejected, but never
// exhaust the stack.
func TestDepth(t *testing.T) {
	for _, c := range []struct {
		name, open, atom, end string
		below, above          int // numbers of repetitions that are accepted and rejected
	}{
		{"parentheses", "(", "x", ")", 200, 201},
		{"lists", "[", "x", "]", 200, 201},
		{"not", "not ", "x", "", 900, 1100},
		{"minus", "-", "x", "", 900, 1100},
		{"power", "x**", "x", "", 900, 1100},
		{"lambda", "lambda: ", "x", "", 900, 1100},
		{"conditional", "x if y else ", "z", "", 900, 1100},
		{"attribute", "", "x", ".y", 900, 1100},
		{"call", "", "x", "()", 900, 1100},
		{"subscript", "", "x", "[0]", 900, 1100},
		{"sum", "x+", "x", "", 900, 1100},
		{"elif", "", "if x: y\n", "elif x: y\n", 900, 1100},
		{"and", "x and ", "x", "", 100000, 0},
		{"comparison", "x < ", "x", "", 100000, 0},
		{"tuple", "x, ", "x", "", 100000, 0},
		{"assignment", "x = ", "x", "", 100000, 0},
		{"strings", "'a' ", "f'{x}'", " 'b'", 100000, 0},
		{"statements", "x\n", "x", "", 100000, 0},
		{"match", "match(x);", "x", "", 100000, 0},
	} {
		program := func(n int) string { return strings.Repeat(c.open, n) + c.atom + strings.Repeat(c.end, n) }
		if _, err := ParseString("w.py", program(c.below)); err != nil {
			t.Errorf("%s %d times: %v", c.name, c.below, err)
		}
		if c.above > 0 {
			parseError(t, program(c.above))
			parseError(t, program(200*c.above))
		}
	}
}

// TestTreeDepth checks that MaxDepth holds for the trees of accepted programs.
func TestTreeDepth(t *testing.T) {
	m, err := ParseString("w.py", strings.Repeat("-", 500)+"x"+strings.Repeat(".y", 400))
	if err != nil {
		t.Fatal(err)
	}
	deepest := 0
	var depth func(n Node, d int)
	depth = func(n Node, d int) {
		deepest = max(deepest, d)
		Walk(n, func(child Node) bool {
			if child != n {
				depth(child, d+1)
			}
			return child == n
		})
	}
	depth(m, 0)
	if deepest < 900 || deepest > MaxDepth {
		t.Errorf("tree is %d deep, want 900 to %d", deepest, MaxDepth)
	}
}

func TestIndentationLimit(t *testing.T) {
	program := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%sif x:\n", strings.Repeat(" ", i))
		}
		return b.String() + strings.Repeat(" ", n) + "y\n"
	}
	if _, err := ParseString("w.py", program(99)); err != nil {
		t.Error(err)
	}
	if e := parseError(t, program(100)); e.Msg != "too many levels of indentation" {
		t.Error(e)
	}
}

// TestWalkCoversTree checks that Walk visits every node that Dump prints.
func TestWalkCoversTree(t *testing.T) {
	kinds := map[string]bool{}
	for seed := range uint64(300) {
		m, err := ParseString("w.py", newGenerator(seed).program())
		if err != nil {
			continue
		}
		dump, visited := Dump(m), map[string]int{}
		Walk(m, func(n Node) bool {
			name := strings.TrimPrefix(fmt.Sprintf("%T", n), "*syntax.")
			kinds[name] = true
			visited[name]++
			return true
		})
		for name, n := range visited {
			switch name {
			case "ExprStmt":
				name = "Expr"
			case "Arg", "Alias", "Keyword", "Comprehension":
				name = strings.ToLower(name)
			}
			// A constructor follows one of these delimiters.
			printed := strings.Count(dump, " "+name+"(") + strings.Count(dump, "="+name+"(") + strings.Count(dump, "["+name+"(")
			if name != "Module" && printed != n {
				t.Fatalf("seed %d: %d %s nodes visited, %d printed", seed, n, name, printed)
			}
		}
	}
	// 22 statements, 26 expressions, and Module, Comprehension, ExceptHandler, Arg,
	// Keyword and Alias.
	if len(kinds) != 22+26+6 {
		t.Errorf("%d kinds of nodes generated, want 54: %v", len(kinds), kinds)
	}
}
