package syntax

// MaxDepth is the greatest number of nodes on a path from the root of a tree to
// a leaf. Deeper programs are rejected, so that recursive code can trust the
// stack. CPython gives up at about 3000.
const MaxDepth = 1000

// Parse parses a Python source file. The file name is used in messages only.
// Errors are of type *Error.
func Parse(file string, src []byte) (m *Module, err error) {
	defer recoverError(&err)
	return parseText(file, decode(file, src)), nil
}

// ParseString is Parse for source text in a string.
func ParseString(file, src string) (*Module, error) {
	return Parse(file, []byte(src))
}

func parseText(file, text string) *Module {
	p := &parser{lexer: newLexer(file, text)}
	p.next()
	m := &Module{File: file}
	for p.tok.kind != tEOF {
		m.Body = p.statement(m.Body)
	}
	check(m)
	return m
}

// parser builds the tree from the tokens of its lexer, one token ahead.
type parser struct {
	lexer
	tok   token
	depth int // recursive calls in progress
}

// next moves to the next token.
func (p *parser) next() { p.tok = p.scan() }

// enter counts a recursive call; leave must follow.
func (p *parser) enter() {
	p.depth++
	if p.depth > MaxDepth {
		p.fail(p.tok.pos, "too many levels of nesting in source code (limit %d)", MaxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

func (p *parser) fail(at Pos, format string, args ...any) {
	fail(p.file, at, format, args...)
}

// text returns the source text of the current token.
func (p *parser) text() string { return p.src[p.tok.start:p.tok.end] }

// accept moves over a token of kind k and reports whether there was one.
func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.next()
	return true
}

// expect moves over a token of kind k; what describes it in the error message.
func (p *parser) expect(k kind, what string) {
	if !p.accept(k) {
		p.unexpected("expected " + what)
	}
}

// unexpected fails at the current token.
func (p *parser) unexpected(msg string) {
	if p.tok.kind == tIndent {
		msg = "unexpected indent"
	}
	p.fail(p.tok.pos, "%s", msg)
}

func (p *parser) syntaxError() { p.unexpected("invalid syntax") }

// refuseAsync fails at an async or await that begins a statement, a clause or an
// expression.
func (p *parser) refuseAsync() {
	word := p.tok
	p.next()
	switch p.tok.kind {
	case kwDef, kwFor, kwWith:
		if word.kind == kwAsync {
			refuse(p.file, word.pos, "async functions are")
		}
	default:
		if word.kind == kwAwait && startsExpr(p.tok.kind) {
			refuse(p.file, word.pos, "async functions are")
		}
	}
	p.fail(word.pos, "invalid syntax")
}

// name moves over an identifier and returns it.
func (p *parser) name() string {
	if p.tok.kind != tName {
		p.unexpected("invalid syntax: expected a name")
	}
	id := p.ident(p.tok)
	p.next()
	return id
}

// block parses the body of a compound statement, from its colon. The header it
// belongs to is named in error messages.
func (p *parser) block(header string, at Pos) []Stmt {
	p.expect(tColon, "':'")
	if p.tok.kind != tNewline {
		return p.simpleStmts(nil)
	}
	p.next()
	if p.tok.kind != tIndent {
		p.fail(p.tok.pos, "expected an indented block after %s on line %d", header, at.Line)
	}
	p.next()
	var body []Stmt
	for p.tok.kind != tDedent {
		body = p.statement(body)
	}
	p.next()
	return body
}

// statement parses a compound statement or a line of simple statements and
// appends the result to body.
func (p *parser) statement(body []Stmt) []Stmt {
	switch p.tok.kind {
	case kwIf:
		return append(body, p.ifStmt())
	case kwFor:
		return append(body, p.forStmt())
	case kwWhile:
		return append(body, p.whileStmt())
	case kwTry:
		return append(body, p.tryStmt())
	case kwWith:
		return append(body, p.withStmt())
	case kwDef:
		return append(body, p.funcDef(nil))
	case kwClass:
		return append(body, p.classDef(nil))
	case tAt:
		return append(body, p.decorated())
	case kwAsync:
		p.refuseAsync()
	case tName:
		if p.text() == "match" && p.isMatch() {
			refuse(p.file, p.tok.pos, "match statements are")
		}
	}
	return p.simpleStmts(body)
}

// isMatch reports whether the logical line at the current token is the head of a
// match statement: it ends with a colon, which no simple statement does, and the
// block after it begins with the word case.
func (p *parser) isMatch() (match bool) {
	ahead := p.fork()
	// An error in the text ahead is reported when the parser gets there.
	var ignored error
	defer recoverError(&ignored)
	last, t := p.tok, ahead.scan()
	if t.kind == tColon || t.kind == tAssign || t.kind == tDot {
		return false
	}
	for ; t.kind != tNewline && t.kind != tEOF; t = ahead.scan() {
		last = t
	}
	if last.kind != tColon || ahead.scan().kind != tIndent {
		return false
	}
	t = ahead.scan()
	return t.kind == tName && ahead.src[t.start:t.end] == "case"
}

// simpleStmts parses the simple statements of one line.
func (p *parser) simpleStmts(body []Stmt) []Stmt {
	for {
		body = append(body, p.simpleStmt())
		if !p.accept(tSemi) {
			break
		}
		if p.tok.kind == tNewline {
			break
		}
	}
	if p.tok.kind != tNewline {
		p.trailing(body[len(body)-1])
	}
	p.next()
	return body
}

// trailing fails at a token that cannot follow the statement s on its line.
func (p *parser) trailing(s Stmt) {
	if e, ok := s.(*ExprStmt); ok {
		if n, ok := e.Value.(*Name); ok && (n.ID == "print" || n.ID == "exec") && startsExpr(p.tok.kind) {
			p.fail(n.Pos, "Missing parentheses in call to '%s'. Did you mean %s(...)?", n.ID, n.ID)
		}
	}
	p.syntaxError()
}
