package stdlib

import "testing"

// TestSmallModulesDiff compares the modules that need no file of their own.
func TestSmallModulesDiff(t *testing.T) {
	for _, c := range []struct {
		header   string
		snippets []string
	}{
		{"import string", stringSnippets},
		{"import ast", astSnippets},
		{"import sys", sysSnippets},
		{"import base64", base64Snippets},
		{"import hashlib", hashlibSnippets},
		{"import bisect", bisectSnippets},
		{"import heapq", heapqSnippets},
		{"import textwrap", textwrapSnippets},
	} {
		diffSnippets(t, c.header, c.snippets)
	}
}

var stringSnippets = []string{
	`string.ascii_letters, string.ascii_lowercase, string.ascii_uppercase, string.digits, string.hexdigits, string.octdigits, string.punctuation, string.printable, string.whitespace`,
	`string.capwords('hello  world foo')`, `string.capwords('a-b c-d', '-')`, `string.capwords(' x ', None)`, `string.capwords('aXbX', 'X')`, `string.capwords(5)`, `string.capwords('a', '')`, `string.capwords()`,
	`string.Template('$a ${b} $$ $c').substitute(a=1, b='x', c=None)`, `string.Template('$a').substitute({'a': 2})`, `string.Template('$a $b').substitute({'a': 2, 'b': 1}, b=3)`, `string.Template('$a').substitute()`, `string.Template('$a').substitute({'b': 1})`,
	`string.Template('$').substitute()`, `string.Template('x\ny $ z').substitute()`, `string.Template('${a').substitute(a=1)`, `string.Template('${1}').substitute()`, `string.Template('$1').substitute()`, `string.Template('$é').substitute()`, `string.Template('$aé$Bc_9').substitute(a=1, Bc_9=2)`, `string.Template('ab\n$\n').substitute()`,
	`string.Template('$a $b ${c} $ ${ $$ $1').safe_substitute(a=1)`, `string.Template('$a').safe_substitute({'a': [1]})`, `string.Template('$self $mapping').substitute(self=1, mapping=2)`, `string.Template('$a').template`, `string.Template('$a').substitute(1)`, `string.Template('$a').substitute({}, {})`, `string.Template()`, `string.Template(5).substitute()`,
	"class T(string.Template):\n    delimiter = '%'\nprint(T('%a $b %% %{c}').substitute(a=1, c=2), T('%%').safe_substitute())", "class T(string.Template):\n    delimiter = '<<'\nprint(T('<<a <<<< <<{b}').substitute(a=1, b=2))",
	`string.Template('$a $b $a ${c} $$').get_identifiers(), string.Template('$a $').is_valid(), string.Template('$a').is_valid()`,
	"class D(dict):\n    def __missing__(self, k): return '<' + k + '>'\nprint(string.Template('$x $y').substitute(D(x=1)))", `'a' in string.ascii_letters, string.digits[3:5]`,
}

var astSnippets = []string{
	`ast.literal_eval('1')`, `ast.literal_eval("[1, 2.5, 'a', b'x', None, True, (1,), {1: {2}}, ...]")`, `ast.literal_eval('set()')`, `ast.literal_eval('{}'), ast.literal_eval('()'), ast.literal_eval('[]')`, `ast.literal_eval('-1'), ast.literal_eval('+1.5'), ast.literal_eval('-0')`,
	`ast.literal_eval('1+')`, `ast.literal_eval('')`, `ast.literal_eval('   1')`, `ast.literal_eval('\t 5')`, `ast.literal_eval('1\n')`, `ast.literal_eval('1\n2')`, `ast.literal_eval('x=1')`, `ast.literal_eval('[1,')`, `ast.literal_eval('(1')`, `ast.literal_eval('"abc')`, `ast.literal_eval('# c')`, `ast.literal_eval('1 # c')`, `ast.literal_eval('a b')`, `ast.literal_eval('pass')`, `ast.literal_eval('yield')`, `ast.literal_eval('1;')`, `ast.literal_eval('*a')`, `ast.literal_eval('\x00')`,
	`ast.literal_eval('{[]}')`, `ast.literal_eval('{[]: 1}')`, `ast.literal_eval('{**{}}')`, `ast.literal_eval(5)`, `ast.literal_eval(b'1')`, `ast.literal_eval(None)`, `ast.literal_eval()`, `ast.literal_eval('1_000, 0x1F, 1e400, 10**2' [:20])`, `ast.literal_eval("'a' 'b'")`, `ast.literal_eval("u'x'")`, `ast.literal_eval("'\\u00e9\\n'")`, `ast.literal_eval('{1: 2, 1: 3}')`, `ast.literal_eval('{"a": [1, {"b": (2, 3)}]}')`, `ast.literal_eval('((((1))))')`, `ast.literal_eval('123456789012345678901234567890')`,
	"for s in ['x', 'f\"a\"', '1+2', '[x]', 'foo()', 'a.b', 'lambda: 0', '1 if 1 else 2', '[i for i in x]', 'set(1)', '-x', '-True', '- -1', 'not 1', '1 < 2', 'a[0]', '(1,\\n x)']:\n    try:\n        print(ast.literal_eval(s))\n    except ValueError as e:\n        print(str(e).split(' at 0x')[0])",
	"try:\n    ast.literal_eval('1+')\nexcept SyntaxError as e:\n    print('syntax')",
}

var sysSnippets = []string{
	`sys.maxsize, sys.maxunicode, sys.byteorder, sys.platform, sys.getrecursionlimit(), sys.getdefaultencoding(), sys.float_repr_style`, `sys.version_info[:3], sys.version_info.major, sys.version_info >= (3, 8), sys.version_info, tuple(sys.version_info)`, `sys.float_info`, `sys.float_info.epsilon, sys.float_info.max, sys.float_info.dig`, `sys.intern('a')`, `sys.intern(5)`, "sys.stdout.write('hi\\n')\nsys.stdout.flush()",
	`sys.maxsize + 1, -sys.maxsize - 1`, `len(sys.version_info), sys.version_info.releaselevel`,
}

var base64Snippets = []string{
	`base64.b64encode(b'hello'), base64.b64encode(b''), base64.b64encode(b'a'), base64.b64encode(bytes(range(256)))`, `base64.b64encode('a')`, `base64.b64encode(5)`, `base64.b64encode(b'\xff\xfe\xfb', b'-_')`, `base64.b64encode(b'x', altchars=b'1')`,
	`base64.b64decode(b'aGVsbG8='), base64.b64decode('aGVsbG8='), base64.b64decode('')`, `base64.b64decode('aGVsbG8')`, `base64.b64decode('a')`, `base64.b64decode('aGVsb')`, `base64.b64decode('aGVs\nbG8=')`, `base64.b64decode('aGVs bG8=', validate=True)`, `base64.b64decode('é')`, `base64.b64decode(5)`, `base64.b64decode('=aaa')`, `base64.b64decode('=aaa', validate=True)`, `base64.b64decode('aGVsbG8=x', validate=True)`, `base64.b64decode('aGVsbG8=xyz')`, `base64.b64decode('aG=VsbG8', validate=True)`, `base64.b64decode('aG==VsbG8=')`, `base64.b64decode('-_-_', b'-_')`, `base64.b64decode('a===')`, `base64.b64decode('ab=')`, `base64.b64decode('ab==')`,
	`base64.urlsafe_b64encode(b'\xff\xfe\xfb\xff'), base64.urlsafe_b64decode('__77_w=='), base64.urlsafe_b64decode(b'__77_w==')`, `base64.standard_b64encode(b'ab'), base64.standard_b64decode(b'YWI=')`, `base64.b32encode(b'hello'), base64.b32encode(b'a'), base64.b32decode('NBSWY3DP'), base64.b32decode(b'ME======')`, `base64.b32decode('nbswy3dp')`, `base64.b32decode('nbswy3dp', True)`, `base64.b32decode('ME=')`, `base64.b32decode('NBSWY3D1')`, `base64.b16encode(b'\x01\xab'), base64.b16decode('01AB'), base64.b16decode('01ab', True)`, `base64.b16decode('01ab')`, `base64.b16decode('0')`,
	`base64.b64decode('a').__class__`, "import json\nprint(base64.b64encode(json.dumps({'a': 1}).encode()).decode())", `base64.b64encode()`,
}

var hashlibSnippets = []string{
	`hashlib.md5(b'abc').hexdigest(), hashlib.sha1(b'abc').hexdigest(), hashlib.sha256(b'abc').hexdigest()`, `hashlib.sha224().hexdigest(), hashlib.sha384(b'').hexdigest(), hashlib.sha512(b'abc').hexdigest()`, `hashlib.sha3_256(b'abc').hexdigest(), hashlib.sha3_224(b'').hexdigest(), hashlib.sha3_384(b'x').hexdigest(), hashlib.sha3_512(b'x').hexdigest()`,
	`hashlib.sha256(b'abc').digest()`, "h = hashlib.sha256()\nh.update(b'a')\nh.update(b'bc')\nprint(h.hexdigest(), h.name, h.digest_size, h.block_size)\ng = h.copy()\ng.update(b'd')\nprint(h.hexdigest() != g.hexdigest(), g.hexdigest())", `hashlib.new('sha256', b'abc').hexdigest()`, `hashlib.new('md5').hexdigest()`, `hashlib.new('nope')`, `hashlib.sha256('abc')`, `hashlib.sha256(5)`, `hashlib.md5(b'a', usedforsecurity=False).hexdigest()`, "h = hashlib.md5()\nh.update('x')", `int(hashlib.sha256('é'.encode()).hexdigest()[:8], 16) % 100`, `hashlib.sha1(string=b'x').hexdigest()`,
}

var bisectSnippets = []string{
	`[bisect.bisect([1, 3, 3, 5], x) for x in range(7)], [bisect.bisect_left([1, 3, 3, 5], x) for x in range(7)], [bisect.bisect_right([1, 3, 3, 5], x) for x in range(7)]`, `bisect.bisect([], 1)`, `bisect.bisect([1, 2, 3], 2, 2)`, `bisect.bisect([1, 2, 3], 2, lo=0, hi=1)`, `bisect.bisect([1, 2, 3], 2, -1)`, `bisect.bisect([1, 2, 3], 2, 0, 10)`, `bisect.bisect((1, 2, 3), 2.5), bisect.bisect('abd', 'c')`, `bisect.bisect([1], 'a')`, `bisect.bisect(5, 1)`, `bisect.bisect_left([(1, 'a'), (3, 'b')], 2, key=lambda p: p[0])`,
	"x = [1, 3, 5]\nbisect.insort(x, 4)\nbisect.insort_left(x, 3)\nbisect.insort_right(x, 0)\nprint(x)", "x = ['bb', 'a', 'ccc']\nx.sort(key=len)\nbisect.insort(x, 'zz', key=len)\nbisect.insort_left(x, 'yy', key=len)\nprint(x)", `bisect.bisect([1, 2], 1, hi=None)`, `bisect.bisect([3, 2, 1], 2, key=lambda v: -v)`, `bisect.bisect()`, `bisect.bisect([1, 2, 3], 2, 0, 3, None)`,
}

var heapqSnippets = []string{
	"h = []\nfor x in [5, 3, 8, 1, 9, 2, 7, 3, 3, 0]:\n    heapq.heappush(h, x)\n    print(h)\nwhile h:\n    print(heapq.heappop(h), h)", "h = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]\nheapq.heapify(h)\nprint(h, heapq.heapreplace(h, 99), h, heapq.heappushpop(h, -1), h, heapq.heappushpop(h, 50), h)", "h = [(x * 7919) % 1000 for x in range(300)]\nheapq.heapify(h)\nprint(h)\nprint([heapq.heappop(h) for _ in range(300)])", "h = [(x * 7919) % 97 for x in range(3000)]\nheapq.heapify(h)\nprint(h)",
	`heapq.heappop([])`, `heapq.heapreplace([], 1)`, `heapq.heappushpop([], 1)`, `heapq.heappush((1, 2), 1)`, `heapq.heapify({})`, `heapq.heappush([1], 'a')`, `heapq.heapify([1, 'a', 2])`, `heapq.heappush([], 1, 2)`,
	`heapq.nlargest(3, [1, 8, 2, 23, 7, -4, 18]), heapq.nsmallest(3, [1, 8, 2, 23, 7, -4, 18]), heapq.nlargest(0, [1]), heapq.nsmallest(-1, [1]), heapq.nsmallest(10, [2, 1]), heapq.nlargest(1, [1, 2]), heapq.nsmallest(1, [])`, `heapq.nlargest(2, ['aa', 'b', 'cc', 'd'], key=len), heapq.nsmallest(3, ['aa', 'b', 'cc', 'd'], key=len)`, `heapq.nlargest(2, {'a': 3, 'b': 1}.items(), key=lambda kv: kv[1])`, `heapq.nlargest(2, 5)`, `heapq.nsmallest(2, [1, 'a', 3])`, `heapq.nlargest()`,
	`list(heapq.merge([1, 4, 7], [2, 5, 8], [0, 9]))`, `list(heapq.merge(['dog', 'horse'], ['cat', 'fish', 'kangaroo'], key=len))`, `list(heapq.merge([7, 4, 1], [8, 5, 2], reverse=True))`, `list(heapq.merge())`, `list(heapq.merge([1], []))`, `list(heapq.merge(['aa', 'bb'], ['b', 'cc'], key=len, reverse=True))`,
	"class T:\n    def __init__(s, p, n): s.p, s.n = p, n\n    def __lt__(s, o): return s.p < o.p\nh = []\nfor i, p in enumerate([3, 1, 2, 1, 3, 2]):\n    heapq.heappush(h, T(p, i))\nprint([(t.p, t.n) for t in [heapq.heappop(h) for _ in range(6)]])", "h = []\nheapq.heappush(h, (2, 'b'))\nheapq.heappush(h, (1, 'z'))\nheapq.heappush(h, (1, 'a'))\nprint(h, heapq.heappop(h))",
}

const sampleText = `'The quick brown fox -- the fast one -- jumped over the lazy dog\'s well-known, semi-official bone. "Really?" Yes!  It did so on 2024-01-31 at foo--bar; a-b-c x-y-z pre- -post --all.\tTab\nNew   line   end.'`

var textwrapSnippets = func() []string {
	out := []string{
		`textwrap.wrap('')`, `textwrap.fill('')`, `textwrap.wrap('   ')`, `textwrap.wrap('a b c', 1)`, `textwrap.wrap('abc def', 0)`, `textwrap.wrap('abc', -1)`, `textwrap.wrap('supercalifragilistic word', 7)`, `textwrap.wrap('supercalifragilistic word', 7, break_long_words=False)`, `textwrap.wrap('a-b-c-d-e-f-g-h', 4)`, `textwrap.wrap('hyphen-ated words-here', 8, break_on_hyphens=False)`, `textwrap.wrap('aaa bbb ccc ddd', 8, initial_indent='* ', subsequent_indent='  ')`, `textwrap.wrap('aaa bbb ccc ddd eee', 8, max_lines=2)`, `textwrap.wrap('aaa bbb ccc ddd eee', 8, max_lines=1, placeholder='...')`, `textwrap.wrap('aaa bbb', 3, max_lines=1)`, `textwrap.wrap('aaaaaaaaaa bbb', 9, max_lines=1)`,
		`textwrap.wrap('a\tb\tc', 20, tabsize=4)`, `textwrap.wrap('a\tb', 20, expand_tabs=False)`, `textwrap.wrap('a\nb\nc', 20, replace_whitespace=False)`, `textwrap.wrap('  lead  and  trail  ', 8, drop_whitespace=False)`, `textwrap.wrap('One. Two.  Three? "Four." five', 40, fix_sentence_endings=True)`, `textwrap.fill('word ' * 30, 30)`, `textwrap.wrap('é' * 30 + ' ' + '😀' * 5, 8)`, `textwrap.wrap(5)`, `textwrap.wrap('a', foo=1)`, `textwrap.wrap('a', 'b')`, `textwrap.wrap()`,
		`textwrap.shorten('Hello  world!', width=12)`, `textwrap.shorten('Hello  world!', width=11)`, `textwrap.shorten('Hello world', width=10, placeholder='...')`, `textwrap.shorten('', 5)`, `textwrap.shorten('abc', 2)`, `textwrap.shorten('Hello', 4, placeholder='')`, `textwrap.shorten('a b c d e f', 7)`, `textwrap.shorten('x' * 30, 10)`,
		`textwrap.dedent('  a\n    b\n  c')`, `textwrap.dedent('\ta\n\t b\n')`, `textwrap.dedent('  a\n\tb')`, `textwrap.dedent('   \n  a\n \n  b\n')`, `textwrap.dedent('')`, `textwrap.dedent('a\n  b')`, `textwrap.dedent('  a\r\n  b')`, `textwrap.dedent(5)`, `textwrap.dedent('    \n\t\n')`, `textwrap.dedent('  hello\n \t  world')`, `textwrap.dedent('\x0c a\n b')`,
		`textwrap.indent('a\nb\n\n c', '  ')`, `textwrap.indent('a\n\nb', '> ', lambda l: True)`, `textwrap.indent('a\r\nb\x0cc', '-')`, `textwrap.indent('', 'x')`, `textwrap.indent('a', 5)`, `textwrap.indent(5, 'a')`,
		"w = textwrap.TextWrapper(width=20)\nw.initial_indent = '>> '\nprint(w.fill('some words that need wrapping, yes they do'), w.width, w.max_lines)", "w = textwrap.TextWrapper(10, '-', '+')\nprint(w.wrap('aa bb cc dd ee ff'))", `textwrap.TextWrapper(foo=1)`, `textwrap.wrap('foo  bar', 3), textwrap.wrap('foo bar  baz', 7, drop_whitespace=False)`, `textwrap.wrap('a b', width=2.5)`,
	}
	for _, w := range []string{"5", "8", "10", "13", "17", "20", "33", "50", "70"} {
		for _, o := range []string{"", ", break_on_hyphens=False", ", break_long_words=False", ", drop_whitespace=False", ", fix_sentence_endings=True", ", max_lines=3, placeholder='~'", ", initial_indent='  ', subsequent_indent=' '"} {
			out = append(out, "textwrap.wrap("+sampleText+", "+w+o+")")
		}
	}
	return out
}()
