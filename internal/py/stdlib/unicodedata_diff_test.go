package stdlib

import "testing"

func TestUnicodedataDiff(t *testing.T) {
	snippets := []string{
		`unicodedata.unidata_version`, `unicodedata.normalize('NFC', 'e\u0301')`, `unicodedata.normalize('NFD', 'é가')`, `unicodedata.normalize('NFKC', 'ﬁ①²Ａ\u2460')`, `unicodedata.normalize('NFKD', '\ufdfa')`,
		`unicodedata.normalize('XX', 'a')`, `unicodedata.normalize('NFC')`, `unicodedata.normalize('NFC', 5)`, `unicodedata.normalize('NFC', 'a\ud800e\u0301')`, `unicodedata.normalize('NFKC', '\U0001e030x')`, `unicodedata.normalize('NFC', '')`,
		`unicodedata.is_normalized('NFC', 'é'), unicodedata.is_normalized('NFD', 'é')`, `unicodedata.name('a')`, `unicodedata.name('\u4e00'), unicodedata.name('각'), unicodedata.name('가'), unicodedata.name('\U0001f600')`, `unicodedata.name('\n')`, `unicodedata.name('\n', None)`, `unicodedata.name('\n', 'x')`, `unicodedata.name('ab')`, `unicodedata.name('')`, `unicodedata.name(5)`,
		`unicodedata.lookup('LATIN SMALL LETTER A'), unicodedata.lookup('latin small letter a'), unicodedata.lookup('HANGUL SYLLABLE GAG'), unicodedata.lookup('CJK UNIFIED IDEOGRAPH-4E00')`, `unicodedata.lookup('NOPE')`, `unicodedata.lookup('')`, `unicodedata.lookup('a}b')`,
		`unicodedata.decimal('5'), unicodedata.decimal('٣'), unicodedata.decimal('a', None), unicodedata.decimal('²', -1)`, `unicodedata.decimal('a')`, `unicodedata.digit('²'), unicodedata.digit('①'), unicodedata.digit('5')`, `unicodedata.digit('½')`, `unicodedata.numeric('½'), unicodedata.numeric('五'), unicodedata.numeric('5'), unicodedata.numeric('Ⅷ')`, `unicodedata.numeric('a')`, `unicodedata.decimal('ab')`,
		`unicodedata.category('a'), unicodedata.category(' '), unicodedata.category('\ud800'), unicodedata.category('\U000e0fff')`, `unicodedata.category('')`, `unicodedata.category(None)`, `unicodedata.bidirectional('a'), unicodedata.bidirectional('א'), unicodedata.bidirectional('\u202e')`, `unicodedata.mirrored('('), unicodedata.mirrored('a')`, `unicodedata.combining('\u0301'), unicodedata.combining('a')`, `unicodedata.east_asian_width('a'), unicodedata.east_asian_width('漢'), unicodedata.east_asian_width('ｱ')`,
		"''.join(c for c in unicodedata.normalize('NFD', 'Crème Brûlée') if unicodedata.category(c) != 'Mn')",
	}
	// Every function over all code points, in blocks whose sum is printed.
	for _, f := range []string{"category(c)", "bidirectional(c)", "east_asian_width(c)", "combining(c)", "mirrored(c)", "decimal(c, -1)", "digit(c, -1)", "numeric(c, -1)", "name(c, '')", "normalize('NFC', c)", "normalize('NFKD', c)"} {
		for _, block := range []string{"range(0, 0x800)", "range(0x800, 0x1000)", "range(0x1000, 0x2000)", "range(0x2000, 0x3000)", "range(0x3000, 0x4000)", "range(0xA000, 0xB000)", "range(0xF000, 0x10000)", "range(0x10000, 0x11000)", "range(0x11000, 0x12000)", "range(0x16000, 0x17000)", "range(0x1D000, 0x1E000)", "range(0x1E000, 0x1F000)", "range(0x1F000, 0x20000)", "range(0xE0000, 0xE0200)"} {
			snippets = append(snippets, "h = 7\nfor i in "+block+":\n    c = chr(i)\n    for x in str(unicodedata."+f+"): h = (h * 31 + ord(x)) % 1000000007\nprint(h)")
		}
	}
	diffSnippets(t, "import unicodedata", snippets)
}
