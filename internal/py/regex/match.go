package regex

import (
	"math"
	"strings"
)

// Mode selects where a match must lie.
type Mode uint8

// Search finds the first match anywhere, Prefix one that starts at pos (Python's
// match), and FullMatch one that starts at pos and ends at endpos.
const (
	Search Mode = iota
	Prefix
	FullMatch
)

// End is the endpos that means the end of the subject.
const End = math.MaxInt

// Match is a successful match. It is immutable.
type Match struct {
	Regexp  *Regexp
	Subject *Subject

	// Spans holds the start and end of group i at 2i and 2i+1, in code points;
	// both are -1 for a group that took no part.
	Spans []int

	// LastIndex is Python's Match.lastindex: the group that was closed last,
	// 0 for none.
	LastIndex int

	// Pos and EndPos are the limits of the search, clipped to the subject.
	Pos, EndPos int
}

// Span returns the start and end of group i in code points, -1 and -1 when it
// took no part. i runs from 0 to NumGroups.
func (m *Match) Span(i int) (start, end int) { return m.Spans[2*i], m.Spans[2*i+1] }

// Group returns the text of group i, and false when it took no part.
func (m *Match) Group(i int) (string, bool) {
	start, end := m.Span(i)
	if start < 0 {
		return "", false
	}
	return m.Subject.Slice(start, end), true
}

// LastGroup returns Python's Match.lastgroup: the name of group LastIndex, ""
// if it has none.
func (m *Match) LastGroup() string {
	for _, g := range m.Regexp.names {
		if g.Index == m.LastIndex {
			return g.Name
		}
	}
	return ""
}

// Match applies the expression to the part of subject from pos to endpos, in
// code points; both are clipped to the subject, and [End] stands for its end.
// As in Python, endpos acts as the end of the subject, whereas lookbehind, ^
// and \b see what is before pos.
//
// It returns nil when there is no match. The error is that of b, [ErrStack] or
// [ErrSpan].
func (re *Regexp) Match(subject *Subject, pos, endpos int, mode Mode, b Budget) (*Match, error) {
	m := newMachine(re, subject, b)
	pos, m.end = clip(subject, pos, endpos)
	match, err := re.exec(m, subject, pos, pos, mode)
	if err == nil {
		err = m.spend()
	}
	if err != nil {
		return nil, err
	}
	return match, nil
}

func clip(s *Subject, pos, endpos int) (int, int) {
	n := s.Len()
	return min(max(pos, 0), n), min(max(endpos, 0), n)
}

// exec finds a match from start on and collects its spans.
func (re *Regexp) exec(m *machine, s *Subject, pos, start int, mode Mode) (*Match, error) {
	var end int
	var err error
	switch mode {
	case Search:
		start, end, err = m.search(&re.start, start)
	default:
		m.whole = mode == FullMatch
		end, err = m.run(start)
	}
	if err != nil || end == fail {
		return nil, err
	}
	spans := make([]int, 2*(re.groups+1))
	spans[0], spans[1] = start, end
	m.steps += re.groups >> 2
	for g := 1; g <= re.groups; g++ {
		spans[2*g], spans[2*g+1] = -1, -1
		a, b, ok := m.group(g)
		if ok {
			spans[2*g], spans[2*g+1] = a, b
		} else if a > b && b >= 0 {
			return nil, ErrSpan
		}
	}
	return &Match{Regexp: re, Subject: s, Spans: spans, LastIndex: m.lastIndex, Pos: pos, EndPos: m.end}, nil
}

// Iter walks over the matches of a subject that do not overlap, from left to
// right, by the rules Python follows since 3.7: an empty match may touch the
// match before it, but no match is empty where the one before it was empty.
type Iter struct {
	re   *Regexp
	s    *Subject
	m    *machine
	pos  int
	next int
	done bool
}

// Iter starts an iteration; see [Regexp.Match] for the arguments.
func (re *Regexp) Iter(subject *Subject, pos, endpos int, b Budget) *Iter {
	it := &Iter{re: re, s: subject, m: newMachine(re, subject, b)}
	it.pos, it.m.end = clip(subject, pos, endpos)
	it.next = it.pos
	return it
}

// Next returns the next match, and nil when there are no more. After an error
// it returns nil.
func (it *Iter) Next() (*Match, error) {
	if it.done {
		return nil, nil
	}
	match, err := it.re.exec(it.m, it.s, it.pos, it.next, Search)
	if err == nil {
		err = it.m.spend()
	}
	if err != nil || match == nil {
		it.done = true
		return nil, err
	}
	start, end := match.Span(0)
	it.next, it.m.advance = end, -1
	if start == end {
		it.m.advance = end
	}
	return match, nil
}

// FindAll returns all matches of an iteration.
func (re *Regexp) FindAll(subject *Subject, pos, endpos int, b Budget) ([]*Match, error) {
	var all []*Match
	for it := re.Iter(subject, pos, endpos, b); ; {
		m, err := it.Next()
		if err != nil || m == nil {
			return all, err
		}
		all = append(all, m)
	}
}

// Piece is a part of a split subject. It is unset (Python's None) when it
// stands for a group that took no part in its match.
type Piece struct {
	Text string
	Set  bool
}

// Split is re.split: the parts of subject between the matches, with the text
// of all groups of a match in between. A maxsplit above zero limits the number
// of matches used; zero means all, and a negative one none.
func (re *Regexp) Split(subject *Subject, maxsplit int, b Budget) ([]Piece, error) {
	var out []Piece
	last := 0
	it := re.Iter(subject, 0, End, b)
	for n := 0; maxsplit == 0 || n < maxsplit; n++ {
		m, err := it.Next()
		if err != nil {
			return nil, err
		}
		if m == nil {
			break
		}
		start, end := m.Span(0)
		out = append(out, Piece{subject.Slice(last, start), true})
		for g := 1; g <= re.groups; g++ {
			text, ok := m.Group(g)
			out = append(out, Piece{text, ok})
		}
		last = end
	}
	return append(out, Piece{subject.Slice(last, subject.Len()), true}), nil
}

// Replace is re.subn: it returns subject with the first count matches replaced
// by what repl returns for them, and how many there were. A count of zero means
// all, and a negative one none. An error of repl ends the work.
func (re *Regexp) Replace(subject *Subject, count int, b Budget, repl func(*Match) (string, error)) (string, int, error) {
	var out strings.Builder
	last, n := 0, 0
	for it := re.Iter(subject, 0, End, b); count == 0 || n < count; n++ {
		m, err := it.Next()
		if err != nil {
			return "", n, err
		}
		if m == nil {
			break
		}
		text, err := repl(m)
		if err != nil {
			return "", n, err
		}
		start, end := m.Span(0)
		out.WriteString(subject.Slice(last, start))
		out.WriteString(text)
		last = end
	}
	out.WriteString(subject.Slice(last, subject.Len()))
	return out.String(), n, nil
}
