package regex

// frameKind tells what a frame does when all that followed it has failed.
type frameKind uint8

const (
	frameBranch    frameKind = iota // try the next alternative (count) of pc
	frameRepeatOne                  // give back one of count characters
	frameLazyOne                    // take one character more
	frameRepeat                     // leave the repeat
	frameMin                        // take back an obligatory iteration
	frameMore                       // take back an optional iteration, try the tail
	frameTail                       // return into the repeat
	frameLazyTail                   // the tail failed, try one more iteration
	frameLazyMore                   // take back that iteration
	frameAtomic                     // the sub-match failed, and the match with it
	frameAssert
	frameAssertNot // the sub-match failed, go on
	frameTakeMin   // an obligatory iteration of a possessive repeat failed
	frameTakeMore  // an optional one failed, go on without it
)

// frame is an entry of the backtrack stack.
//
// The frames from frameAtomic on start a sub-match: when it succeeds, they and
// all frames above them are dropped. They are linked by prev.
type frame struct {
	kind      frameKind
	hasMarks  bool // saved holds marks 0 to lastMark from saved on
	pc        int
	ptr       int
	count     int
	repeat    int // index of a repeat; in a sub-match frame the current one
	last      int // previous value of repeat.last
	prev      int // barrier below this one
	saved     int // length of machine.saved when the frame was pushed
	repeats   int // length of machine.repeats when the frame was pushed
	lastMark  int
	lastIndex int
}

// The most that frames and saved marks may grow to; together about 80 MiB.
const (
	maxFrames = 1 << 19
	maxSaved  = 1 << 21
)

// push adds a frame and remembers in it how to restore the captures. With
// marks set it saves the marks themselves as well.
func (m *machine) push(f frame, marks bool) {
	f.saved, f.repeats = len(m.saved), len(m.repeats)
	f.lastMark, f.lastIndex = m.lastMark, m.lastIndex
	if marks {
		f.hasMarks = true
		m.saved = append(m.saved, m.marks[:m.lastMark+1]...)
		m.steps += (m.lastMark + 1) >> 3
	}
	if len(m.frames) >= maxFrames || len(m.saved) > maxSaved {
		m.full, m.steps = true, batch // run stops at its next step
	}
	m.frames = append(m.frames, f)
}

func (m *machine) top() *frame { return &m.frames[len(m.frames)-1] }

// pop drops f, which must be the top frame.
func (m *machine) pop(f *frame) {
	m.saved = m.saved[:f.saved]
	m.frames = m.frames[:len(m.frames)-1]
}

// restore sets the captures back to what they were when f was pushed.
func (m *machine) restore(f *frame) {
	if f.hasMarks {
		copy(m.marks, m.saved[f.saved:f.saved+f.lastMark+1])
		m.steps += (f.lastMark + 1) >> 3
	}
	m.lastMark, m.lastIndex = f.lastMark, f.lastIndex
}

// resume continues at the top frame f after a failure.
func (m *machine) resume(f *frame) (int, int) {
	switch f.kind {
	case frameBranch:
		m.restore(f)
		return m.nextAlternative(f)
	case frameRepeatOne:
		m.restore(f)
		f.ptr--
		f.count--
		return m.giveBack(f)
	case frameLazyOne:
		m.restore(f)
		return m.takeOneMore(f)
	case frameRepeat:
		m.current = m.repeats[f.repeat].prev
		m.repeats = m.repeats[:f.repeat]
	case frameMin:
		m.repeats[f.repeat].count = f.count - 1
	case frameMore:
		r := &m.repeats[f.repeat]
		r.last, r.count = f.last, f.count-1
		m.restore(f)
		pc, ptr, rep := f.pc, f.ptr, f.repeat
		m.pop(f)
		return m.leave(pc, ptr, rep)
	case frameTail:
		m.current = f.repeat
	case frameLazyTail:
		m.current = f.repeat
		m.restore(f)
		return m.iterate(f)
	case frameLazyMore:
		r := &m.repeats[f.repeat]
		r.last, r.count = f.last, f.count-1
	case frameAssertNot, frameTakeMore:
		m.barrier = f.prev
		m.restore(f)
		pc, ptr := m.prog[f.pc].arg, f.ptr
		m.pop(f)
		return pc, ptr
	case frameAtomic, frameAssert, frameTakeMin:
		m.barrier = f.prev
	}
	m.pop(f)
	return fail, 0
}

// nextAlternative enters the next alternative of a branch that can match the
// next character.
func (m *machine) nextAlternative(f *frame) (int, int) {
	alts := m.prog[f.pc].alts
	for f.count < len(alts) {
		pc := alts[f.count]
		f.count++
		in := &m.prog[pc]
		if in.op == opChar && (f.ptr >= m.end || !in.matches(m.char(f.ptr))) {
			m.steps++
			continue
		}
		return pc, f.ptr
	}
	m.pop(f)
	return fail, 0
}

// giveBack continues a greedy one-character repeat with the longest count not
// above f.count for which the tail can match.
func (m *machine) giveBack(f *frame) (int, int) {
	in, next := &m.prog[f.pc], &m.prog[f.pc+1]
	if next.op == opChar && next.test == testLiteral {
		from := f.ptr
		for f.count >= in.min && (f.ptr >= m.end || m.char(f.ptr) != next.r) {
			f.ptr--
			f.count--
		}
		m.steps += (from - f.ptr) >> 3
	}
	if f.count < in.min {
		m.pop(f)
		return fail, 0
	}
	return f.pc + 1, f.ptr
}

// takeOneMore extends a lazy one-character repeat.
func (m *machine) takeOneMore(f *frame) (int, int) {
	in := &m.prog[f.pc]
	if in.max != infinite && f.count >= in.max || f.ptr >= m.end || !in.matches(m.char(f.ptr)) {
		m.pop(f)
		return fail, 0
	}
	f.ptr++
	f.count++
	return f.pc + 1, f.ptr
}

// maxUntil ends an iteration of a greedy repeat.
func (m *machine) maxUntil(pc, ptr int) (int, int) {
	rep := m.current
	r := &m.repeats[rep]
	in := &m.prog[r.pc]
	count := r.count + 1
	if count < in.min {
		return m.obligatory(r, rep, count, ptr)
	}
	// An iteration that matched nothing is not repeated: it would never end.
	if (in.max == infinite || count < in.max) && ptr != r.last {
		m.push(frame{kind: frameMore, pc: pc, ptr: ptr, repeat: rep, count: count, last: r.last}, true)
		r.count, r.last = count, ptr
		return r.pc + 1, ptr
	}
	return m.leave(pc, ptr, rep)
}

// obligatory starts an iteration below the minimum.
func (m *machine) obligatory(r *repeat, rep, count, ptr int) (int, int) {
	r.count = count
	m.push(frame{kind: frameMin, repeat: rep, count: count}, false)
	return r.pc + 1, ptr
}

// leave matches what follows the repeat rep.
func (m *machine) leave(pc, ptr, rep int) (int, int) {
	m.push(frame{kind: frameTail, repeat: rep}, false)
	m.current = m.repeats[rep].prev
	return pc + 1, ptr
}

// minUntil ends an iteration of a lazy repeat.
func (m *machine) minUntil(pc, ptr int) (int, int) {
	rep := m.current
	r := &m.repeats[rep]
	count := r.count + 1
	if count < m.prog[r.pc].min {
		return m.obligatory(r, rep, count, ptr)
	}
	m.current = r.prev
	m.push(frame{kind: frameLazyTail, pc: pc, ptr: ptr, repeat: rep, count: count}, m.current >= 0)
	return pc + 1, ptr
}

// iterate runs the body of a lazy repeat once more after the tail failed.
func (m *machine) iterate(f *frame) (int, int) {
	r := &m.repeats[f.repeat]
	in := &m.prog[r.pc]
	if in.max != infinite && f.count >= in.max || f.ptr == r.last {
		m.pop(f)
		return fail, 0
	}
	ptr := f.ptr
	m.saved = m.saved[:f.saved]
	f.kind, f.hasMarks, f.last = frameLazyMore, false, r.last
	r.count, r.last = f.count, ptr
	return r.pc + 1, ptr
}

// pushBarrier starts a sub-match.
func (m *machine) pushBarrier(f frame, marks bool) {
	f.prev, f.repeat = m.barrier, m.current
	m.push(f, marks)
	m.barrier = len(m.frames) - 1
}

// enter starts an atomic group or an assertion.
func (m *machine) enter(in *inst, pc, ptr int) (int, int) {
	f := frame{kind: frameAtomic, pc: pc, ptr: ptr}
	switch in.op {
	case opAssert:
		f.kind = frameAssert
		if ptr < in.min {
			return fail, 0
		}
	case opAssertNot:
		f.kind = frameAssertNot
		if ptr < in.min {
			return in.arg, ptr
		}
	}
	m.pushBarrier(f, in.op == opAssertNot && m.current >= 0)
	return pc + 1, ptr - in.min
}

// take starts a possessive repeat.
func (m *machine) take(in *inst, pc, ptr int) (int, int) {
	if in.min > 0 {
		m.pushBarrier(frame{kind: frameTakeMin, pc: pc, ptr: ptr}, false)
		return pc + 1, ptr
	}
	return m.takeMore(in, pc, ptr, -1, 0)
}

// takeMore starts an optional iteration of a possessive repeat at ptr. The one
// before it started at last.
func (m *machine) takeMore(in *inst, pc, ptr, last, count int) (int, int) {
	if in.max != infinite && count >= in.max || ptr == last {
		return in.arg, ptr
	}
	m.pushBarrier(frame{kind: frameTakeMore, pc: pc, ptr: ptr, count: count}, true)
	return pc + 1, ptr
}

// done ends a sub-match at ptr: everything in it becomes final.
func (m *machine) done(ptr int) (int, int) {
	f := m.frames[m.barrier]
	m.frames = m.frames[:m.barrier]
	m.saved, m.repeats = m.saved[:f.saved], m.repeats[:f.repeats]
	m.barrier, m.current = f.prev, f.repeat
	in := &m.prog[f.pc]
	switch f.kind {
	case frameAtomic:
		return in.arg, ptr
	case frameAssert:
		return in.arg, f.ptr
	case frameTakeMin:
		if f.count+1 < in.min {
			m.pushBarrier(frame{kind: frameTakeMin, pc: f.pc, ptr: f.ptr, count: f.count + 1}, false)
			return f.pc + 1, ptr
		}
		return m.takeMore(in, f.pc, ptr, -1, f.count+1)
	case frameTakeMore:
		return m.takeMore(in, f.pc, ptr, f.ptr, f.count+1)
	}
	return fail, 0 // frameAssertNot
}
