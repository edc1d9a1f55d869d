package world

import (
	"testing"

	"gauntlet/internal/py"
	"gauntlet/internal/py/stdlib"
	"gauntlet/internal/trace"
)

// TestFromValue checks the way from JSON to Python and back.
func TestFromValue(t *testing.T) {
	tests := []struct{ json, repr, back string }{
		{`null`, `None`, `null`},
		{`[true,false]`, `[True, False]`, `[true,false]`},
		{`[1,-0,1.0,1e5,1E400,-1e999]`, `[1, 0, 1.0, 100000.0, inf, -inf]`, `[1,0,1.0,100000.0,"Infinity","-Infinity"]`},
		{`123456789012345678901234567890`, `123456789012345678901234567890`, `123456789012345678901234567890`},
		{`{"a":1,"b":2,"a":3}`, `{'a': 3, 'b': 2}`, `{"a":3,"b":2}`},
		{`"\ud800 \ud83d\ude00"`, `'\ud800 😀'`, `"\ud800 😀"`},
		{`{"":[{}]}`, `{'': [{}]}`, `{"":[{}]}`},
	}
	th := newThread()
	for _, test := range tests {
		j, _, err := trace.ParseValue([]byte(test.json))
		if err != nil {
			t.Fatal(err)
		}
		v, err := FromValue(th, j)
		if err != nil {
			t.Errorf("%s: %v", test.json, err)
			continue
		}
		if repr, err := th.Repr(v); err != nil || repr != test.repr {
			t.Errorf("%s: repr %s, %v; want %s", test.json, repr, err, test.repr)
		}
		back, err := ToValue(th, v)
		if err != nil || back.String() != test.back {
			t.Errorf("%s: back %s, %v; want %s", test.json, back, err, test.back)
		}
	}
	if v, err := FromValue(th, trace.Value{}); err != nil || v != py.None {
		t.Errorf("an absent value became %v, %v", v, err)
	}
}

// TestFromValueHostile checks depth, digits and size.
func TestFromValueHostile(t *testing.T) {
	deep := trace.Null()
	for range 2000 {
		deep = trace.Array(deep)
	}
	digits := make([]byte, 5000)
	for i := range digits {
		digits[i] = '9'
	}
	huge, err := trace.Number(string(digits))
	if err != nil {
		t.Fatal(err)
	}
	shared := trace.Null()
	for range 60 {
		shared = trace.Array(shared, shared)
	}
	th := newThread()
	for _, v := range []trace.Value{deep, huge, shared} {
		th.Refill()
		if _, err := FromValue(th, v); err == nil {
			t.Error("hostile JSON was converted")
		}
	}
}

// TestToValueObjects converts what JSON lacks.
func TestToValueObjects(t *testing.T) {
	const src = `
class Plain:
    def __init__(self):
        self.name = 'x'
        self._n = (1, {2})
class Empty:
    def __str__(self):
        return 'empty!'
class Text(str):
    pass
class Table(dict):
    pass
plain = [Plain(), Text('t'), Table(a=1), range(3), {'k': 1}.keys(), frozenset([1]), b'\xff', ValueError('bad', 1)]
odd = [Empty(), int, len]
keys = {Text('t'): 1, (1, 2): 2, b'b': 3, False: 4}
`
	checkGlobals(t, src, map[string]string{
		"plain": `[{"name":"x","_n":[1,[2]]},"t",{"a":1},[0,1,2],["k"],[1],"\udcff","('bad', 1)"]`,
		"odd":   `["empty!","<class 'int'>","<built-in function len>"]`,
		"keys":  `{"t":1,"(1, 2)":2,"b":3,"false":4}`,
	})
}

// TestToValueLibrary converts objects of the standard library.
func TestToValueLibrary(t *testing.T) {
	for _, m := range []string{"datetime", "enum", "collections", "dataclasses"} {
		if _, ok := stdlib.Library.Import(m); !ok {
			t.Skip("the library lacks ", m)
		}
	}
	const src = `
from collections import OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from enum import Enum, IntEnum

class Color(Enum):
    RED = 'red'
    PAIR = (1, 2)
class Level(IntEnum):
    LOW = 1
class Status(str, Enum):
    ON = 'on'
@dataclass
class Point:
    x: int
    y: float = 0.5
class Day(date):
    pass
P = namedtuple('P', 'a b')
times = [date(2024, 1, 2), datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone.utc), time(1, 2), Day(2024, 1, 2), timedelta(hours=1)]
enums = {'c': Color.RED, 'p': Color.PAIR, 'l': Level.LOW, 's': Status.ON, Color.RED: 1, Level.LOW: 2}
others = [Point(1), P(1, 2), OrderedDict(a=1), defaultdict(list, b=[2]), deque([1, 2])]
`
	checkGlobals(t, src, map[string]string{
		"times":  `["2024-01-02","2024-01-02T03:04:05+00:00","01:02:00","2024-01-02","1:00:00"]`,
		"enums":  `{"c":"red","p":[1,2],"l":1,"s":"on","red":1,"1":2}`,
		"others": `[{"x":1,"y":0.5},[1,2],{"a":1},{"b":[2]},[1,2]]`,
	})
}

// checkGlobals runs a module and compares the JSON of some of its globals.
func checkGlobals(t *testing.T, src string, want map[string]string) {
	t.Helper()
	th := py.NewThread(1, stdlib.Library, py.Limits{})
	p, err := py.CompileSource("test.py", src, stdlib.Library)
	if err != nil {
		t.Fatal(err)
	}
	m, err := th.Exec(p, "test")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range want {
		v, ok := m.Attrs.GetStr(name)
		if !ok {
			t.Fatalf("the module has no %s", name)
		}
		j, err := ToValue(th, v)
		if err != nil || j.String() != text {
			t.Errorf("%s: %s, %v; want %s", name, j, err, text)
		}
	}
}
