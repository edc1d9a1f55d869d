package text

import "testing"

var handlers = []string{"strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "surrogateescape", "surrogatepass", "nosuch"}

func encodeAny(s, encoding, errors string) any {
	codec, err := FindCodec(encoding)
	if err != nil {
		return err
	}
	return or(Encode(s, codec, errors))
}

func decodeAny(p []byte, encoding, errors string) any {
	codec, err := FindCodec(encoding)
	if err != nil {
		return err
	}
	return or(Decode(p, codec, errors))
}

func TestCodecOracle(t *testing.T) {
	g := newGen(10)
	var calls []call
	for range rounds(3000) {
		s := g.text(8)
		encoding := g.pick("utf-8", "ascii", "latin-1")
		errors := handlers[g.IntN(len(handlers))]
		calls = append(calls, call{"encode", []any{s, encoding, errors}, func() any { return encodeAny(s, encoding, errors) }})
		p := []byte(g.text(3))
		for range g.IntN(6) {
			p = append(p, g.pick("a", "\x80", "\xbf", "\xc2", "\xe0", "\xed", "\xa0", "\xef", "\xf0", "\x90", "\xf4", "\xff", "\x8f", "é"[:1])...)
		}
		calls = append(calls, call{"decode", []any{p, encoding, errors}, func() any { return decodeAny(p, encoding, errors) }})
	}
	for _, name := range []string{"utf-8", "UTF8", "U8", "utf 8", "utf_8", "latin-1", "Latin1", "L1", "iso8859-1", "ISO-8859-1", "8859", "cp819",
		"ascii", "US-ASCII", "646", "ANSI_X3.4-1968", "UTF--8", "cp65001", "foo", "utf.8", "", "utf-8 "} {
		calls = append(calls, call{"encode", []any{"aé", name, "ignore"}, func() any { return encodeAny("aé", name, "ignore") }})
	}
	ask(t, calls)
}

// Every start of up to three bytes, where all decisions of the decoder fall.
func TestDecodeEachOracle(t *testing.T) {
	var calls []call
	add := func(p ...byte) {
		for _, errors := range []string{"strict", "replace"} {
			calls = append(calls, call{"decode", []any{p, "utf-8", errors}, func() any { return decodeAny(p, "utf-8", errors) }})
		}
	}
	edges := []byte{0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF}
	for a := range 256 {
		add(byte(a))
		for _, b := range edges {
			add(byte(a), b)
			for _, c := range []byte{'a', 0x80, 0xBF, 0xC2} {
				add(byte(a), b, c)
				add(byte(a), b, c, 0x80)
			}
		}
	}
	ask(t, calls)
}

func TestCodecTable(t *testing.T) {
	for _, c := range []struct {
		got  any
		want any
	}{
		{encodeAny("é\xed\xa0\x80", "utf-8", "strict"), `'utf-8' codec can't encode character '\ud800' in position 1: surrogates not allowed`},
		{encodeAny("aé€", "ascii", "strict"), "'ascii' codec can't encode characters in position 1-2: ordinal not in range(128)"},
		{encodeAny("é€", "latin1", "xmlcharrefreplace"), []byte("\xe9&#8364;")},
		{encodeAny("\xed\xa0\x80", "utf8", "surrogatepass"), []byte("\xed\xa0\x80")},
		{encodeAny("\xed\xb3\xbf", "utf8", "surrogateescape"), []byte("\xff")},
		{encodeAny("é", "ascii", "backslashreplace"), []byte(`\xe9`)},
		{encodeAny("é", "ascii", "nosuch"), "unknown error handler name 'nosuch'"},
		{decodeAny([]byte("\xff"), "utf-8", "strict"), "'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"},
		{decodeAny([]byte("a\xe2\x82"), "utf-8", "strict"), "'utf-8' codec can't decode bytes in position 1-2: unexpected end of data"},
		{decodeAny([]byte("\xed\xa0\x80a"), "utf-8", "replace"), "���a"},
		{decodeAny([]byte("\xed\xa0\x80a"), "utf-8", "surrogatepass"), "\xed\xa0\x80a"},
		{decodeAny([]byte("\xe9"), "latin-1", "strict"), "é"},
		{decodeAny([]byte("\xe9"), "ascii", "strict"), "'ascii' codec can't decode byte 0xe9 in position 0: ordinal not in range(128)"},
		{decodeAny([]byte("x"), "klingon", "strict"), "unknown encoding: klingon"},
	} {
		got := c.got
		if err, ok := got.(error); ok {
			got = err.Error()
		}
		if show(got) != show(c.want) {
			t.Errorf("got %s, want %s", show(got), show(c.want))
		}
	}
}
