package regex

// Budget is told of work that a match has done or is about to do. n is a number
// of steps, never negative; a step is of the order of ten nanoseconds. When it
// returns an error the match stops and returns that error. The same pattern
// and subject always make the same calls. A nil Budget sets no limit, so that
// a hostile pattern can run for ever.
type Budget func(n int) error

// batch is the number of steps after which the Budget is asked.
const batch = 256

// fail is the program counter after which the machine backtracks.
const fail = -1

// repeat is the state of a repeat that has been entered. The machine has a
// chain of them, linked by prev, for the repeats around the current position.
type repeat struct {
	pc    int // of the opRepeat
	count int // finished iterations, -1 before the first
	last  int // start of the iteration in progress, -1 for none
	prev  int // enclosing repeat, -1 for none
}

// machine executes a program by backtracking. What would be a recursive call
// in a textbook is a frame on an explicit stack: the frame says what to do when
// everything after it has failed.
//
// A group's span is held by two marks, its start and its end. Marks above
// lastMark are not set, whatever their value. Python saves the marks below it
// at a choice only inside a repeat, and so does the machine, because in rare
// patterns this shows in the spans.
type machine struct {
	prog []inst
	text string // the subject if one byte is one character
	wide []rune // the subject otherwise

	end     int  // end of the part of the subject that may be seen
	from    int  // where the current attempt started
	whole   bool // the match must reach end
	advance int  // an attempt that starts here must not be empty; -1 for none

	marks     []int
	lastMark  int
	lastIndex int // group closed last, 0 for none

	frames  []frame
	saved   []int // marks saved by frames
	repeats []repeat
	current int // innermost repeat, -1 for none
	barrier int // innermost frame of a sub-match, -1 for none

	steps  int // steps not yet charged
	budget Budget
	full   bool // the backtrack stack has reached its limit
}

func newMachine(re *Regexp, s *Subject, b Budget) *machine {
	return &machine{
		prog:    re.prog,
		text:    s.text,
		wide:    s.wide,
		advance: -1,
		marks:   make([]int, 2*re.groups),
		budget:  b,
	}
}

func (m *machine) char(i int) rune {
	if m.wide != nil {
		return m.wide[i]
	}
	return rune(m.text[i])
}

// spend charges the steps that have run up.
func (m *machine) spend() error {
	if m.full {
		return ErrStack
	}
	n := m.steps
	m.steps = 0
	if m.budget == nil || n == 0 {
		return nil
	}
	return m.budget(n)
}

// run tries to match at ptr. It returns the end of the match, or fail.
func (m *machine) run(ptr int) (int, error) {
	m.from = ptr
	m.lastMark, m.lastIndex = -1, 0
	m.frames, m.saved, m.repeats = m.frames[:0], m.saved[:0], m.repeats[:0]
	m.current, m.barrier = -1, -1
	pc := 0
	for {
		m.steps++
		if m.steps >= batch {
			if err := m.spend(); err != nil {
				return fail, err
			}
		}
		in := &m.prog[pc]
		switch {
		case in.op == opChar && ptr < m.end && in.matches(m.char(ptr)):
			pc++
			ptr++
			continue
		case in.op == opChar:
			pc = fail
		case in.op == opMatch && m.accept(ptr):
			return ptr, nil
		default:
			pc, ptr = m.step(in, pc, ptr)
		}
		for pc == fail {
			if len(m.frames) == 0 {
				return fail, nil
			}
			m.steps++
			pc, ptr = m.resume(&m.frames[len(m.frames)-1])
		}
	}
}

// accept tells whether a match of the whole pattern may end at ptr.
func (m *machine) accept(ptr int) bool {
	return !(m.whole && ptr != m.end) && !(m.advance == m.from && ptr == m.from)
}

// step executes an instruction other than opChar and returns where to go on.
func (m *machine) step(in *inst, pc, ptr int) (int, int) {
	switch in.op {
	case opMark:
		m.mark(in.arg, ptr)
		return pc + 1, ptr
	case opAt:
		if m.at(in, ptr) {
			return pc + 1, ptr
		}
		return fail, 0
	case opJump:
		return in.arg, ptr
	case opBranch:
		m.push(frame{kind: frameBranch, pc: pc, ptr: ptr}, m.current >= 0)
		return m.nextAlternative(m.top())
	case opRepeatOne:
		n := m.count(in, ptr, in.max)
		if n < in.min {
			return fail, 0
		}
		m.push(frame{kind: frameRepeatOne, pc: pc, ptr: ptr + n, count: n}, m.current >= 0)
		return m.giveBack(m.top())
	case opLazyOne:
		n := m.count(in, ptr, in.min)
		if n < in.min {
			return fail, 0
		}
		m.push(frame{kind: frameLazyOne, pc: pc, ptr: ptr + n, count: n}, m.current >= 0)
		return pc + 1, ptr + n
	case opTakeOne:
		n := m.count(in, ptr, in.max)
		if n < in.min {
			return fail, 0
		}
		return pc + 1, ptr + n
	case opRepeat:
		m.push(frame{kind: frameRepeat, repeat: len(m.repeats)}, false)
		m.repeats = append(m.repeats, repeat{pc: pc, count: -1, last: -1, prev: m.current})
		m.current = len(m.repeats) - 1
		return in.arg, ptr
	case opMaxUntil:
		return m.maxUntil(pc, ptr)
	case opMinUntil:
		return m.minUntil(pc, ptr)
	case opTake:
		return m.take(in, pc, ptr)
	case opAtomic, opAssert, opAssertNot:
		return m.enter(in, pc, ptr)
	case opRef:
		return m.reference(in, pc, ptr)
	case opIf:
		if _, _, ok := m.group(in.arg); ok {
			return pc + 1, ptr
		}
		return in.alts[0], ptr
	case opDone:
		return m.done(ptr)
	}
	return fail, 0 // opMatch that was not accepted
}

func (m *machine) mark(i, ptr int) {
	if i&1 == 1 {
		m.lastIndex = i/2 + 1
	}
	if i > m.lastMark {
		m.steps += (i - m.lastMark) >> 3
		for j := m.lastMark + 1; j < i; j++ {
			m.marks[j] = -1
		}
		m.lastMark = i
	}
	m.marks[i] = ptr
}

// group returns the span of group n, and false when it is not set.
func (m *machine) group(n int) (start, end int, ok bool) {
	i := 2 * (n - 1)
	if i >= m.lastMark {
		return -1, -1, false
	}
	start, end = m.marks[i], m.marks[i+1]
	return start, end, start >= 0 && end >= start
}

// at checks a position. The start of the subject counts as its beginning even
// when the search started later, as in Python.
func (m *machine) at(in *inst, ptr int) bool {
	switch in.at {
	case atBeginning, atBeginningString:
		return ptr == 0
	case atBeginningLine:
		return ptr == 0 || m.char(ptr-1) == '\n'
	case atEnd:
		return ptr == m.end || ptr == m.end-1 && m.char(ptr) == '\n'
	case atEndLine:
		return ptr == m.end || ptr < m.end && m.char(ptr) == '\n'
	case atEndString:
		return ptr == m.end
	}
	if m.end == 0 {
		return false // for \B as well: Python finds none in an empty string
	}
	before := ptr > 0 && in.isWord(m.char(ptr-1))
	after := ptr < m.end && in.isWord(m.char(ptr))
	return (before != after) == (in.at == atBoundary)
}

func (in *inst) isWord(c rune) bool {
	if in.unicode {
		return isWord(c)
	}
	return isASCIIWord(c)
}

// count returns how many characters from ptr on match in, up to limit.
func (m *machine) count(in *inst, ptr, limit int) int {
	end := m.end
	if limit != infinite && limit < end-ptr {
		end = ptr + limit
	}
	i := ptr
	switch {
	case i >= end:
		// With an end before the start not even an empty repeat matches.
		return end - ptr
	case in.test == testAnyAll:
		i = end
	case in.test == testSet && m.wide == nil:
		for bits := &in.set.bits; i < end && bits[m.text[i]>>6]&(1<<(m.text[i]&63)) != 0; i++ {
		}
	default:
		for i < end && in.matches(m.char(i)) {
			i++
		}
	}
	m.steps += (i - ptr) >> 3
	return i - ptr
}

// reference matches the text of a group again.
func (m *machine) reference(in *inst, pc, ptr int) (int, int) {
	start, end, ok := m.group(in.arg)
	if !ok {
		return fail, 0
	}
	m.steps += (end - start) >> 3
	for i := start; i < end; i++ {
		if ptr >= m.end || in.fold.lower(m.char(ptr)) != in.fold.lower(m.char(i)) {
			return fail, 0
		}
		ptr++
	}
	return pc + 1, ptr
}
