package agent

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"gauntlet/internal/trace"
)

const (
	maxAnswer = 1 << 20 // bytes of standard output that are an answer
	maxWords  = 4 << 10 // bytes of standard error that an error shows
)

// process is an agent's program that has ended.
type process struct {
	start  error  // why it could not be started
	killed error  // why it was killed; nil if it was not
	ok     bool   // status 0
	status string // in words, such as "exit status 2"
	out    string
	errs   string
}

// spawn runs the program of an agent to its end. When it returns, none of its
// processes is left: except, on systems other than Linux, those that left their
// group.
func (a *external) spawn(ctx context.Context, ep Episode, d *door, e *errand) *process {
	ctx, cancel := context.WithTimeoutCause(ctx, a.limit(ep), errTimeLimit)
	defer cancel()
	ctx, kill := context.WithCancelCause(ctx)
	var stdout head
	var stderr tail
	cmd := exec.CommandContext(ctx, a.path(), e.arguments(a.command[1:])...)
	cmd.Dir, cmd.Env = e.dir, e.environ(a.environ)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(e.task), &stdout, &stderr
	// Also when the program has ended and a process that it left behind holds on
	// to its output.
	cmd.WaitDelay = externalTerm
	group(cmd)
	if err := cmd.Start(); err != nil {
		p := &process{start: err, killed: context.Cause(ctx)}
		kill(nil)
		return p
	}
	var waiting sync.WaitGroup
	waiting.Go(func() {
		select {
		case <-d.over:
		case <-ctx.Done():
			return
		}
		if a.clock.Sleep(ctx, externalGrace) == nil {
			kill(ErrOver)
		}
	})
	err := cmd.Wait()
	killed := context.Cause(ctx)
	sweep(cmd)
	sweepStrays(e.mark())
	kill(nil)
	waiting.Wait()
	p := &process{killed: killed, ok: cmd.ProcessState.Success(), status: cmd.ProcessState.String(), out: stdout.text(), errs: stderr.text()}
	if !p.ok || err == nil || errors.Is(err, exec.ErrWaitDelay) || killed != nil {
		return p
	}
	// The program is content, and what it was given or said got lost on the way.
	p.ok, p.status = false, err.Error()
	return p
}

// path is the program. One that is named by a path is meant from where the user
// stands, and not from the agent's folder.
func (a *external) path() string {
	name := a.command[0]
	if filepath.Base(name) == name {
		return name
	}
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// answer records what the program said as the agent's final answer.
func (p *process) answer(ep Episode) {
	if p.out != "" {
		ep.Say(trace.Step{Role: trace.RoleAssistant, Text: p.out})
	}
}

// words are the last that the program said of its troubles, for an error.
func (p *process) words() string {
	text := p.errs
	if text == "" {
		text = p.out[max(0, len(p.out)-maxWords):]
		text = strings.TrimSpace(strings.ToValidUTF8(text, ""))
	}
	if text == "" {
		return ""
	}
	return ": " + text
}

// redact takes secrets out of what the program said: it goes into the record.
func (p *process) redact(environ []string, token string) {
	pairs := []string{token, "TOKEN"}
	for _, variable := range environ {
		if name, value, _ := strings.Cut(variable, "="); secretName(name) && len(value) >= 8 {
			pairs = append(pairs, value, "["+name+"]")
		}
	}
	r := strings.NewReplacer(pairs...)
	p.out, p.errs = r.Replace(p.out), r.Replace(p.errs)
}

// secretName reports whether a variable of this name usually holds a secret.
func secretName(name string) bool {
	for _, end := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD"} {
		if strings.HasSuffix(strings.ToUpper(name), end) {
			return true
		}
	}
	return false
}

// head keeps the start of what is written to it.
type head struct {
	b   []byte
	cut bool
}

func (h *head) Write(p []byte) (int, error) {
	n := min(len(p), maxAnswer-len(h.b))
	h.b = append(h.b, p[:n]...)
	h.cut = h.cut || n < len(p)
	return len(p), nil
}

// text is what was kept, as UTF-8 and without white space around it.
func (h *head) text() string {
	b := h.b
	for i := 1; h.cut && i <= min(utf8.UTFMax, len(b)); i++ {
		if last := b[len(b)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				b = b[:len(b)-i]
			}
			break
		}
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
}

// tail keeps the end of what is written to it.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p[max(0, len(p)-maxWords):]...)
	t.b = append(t.b[:0], t.b[max(0, len(t.b)-maxWords):]...)
	return len(p), nil
}

func (t *tail) text() string {
	return strings.TrimSpace(strings.ToValidUTF8(string(t.b), "\uFFFD"))
}
