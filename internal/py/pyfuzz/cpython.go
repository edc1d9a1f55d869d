package pyfuzz

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

//go:embed harness.py
var harnessSource string

// Result is what a program did: what it printed, and the uncaught exception
// that ended it, if any.
type Result struct {
	Stdout       string `json:"stdout"`
	ErrorType    string `json:"error_type"`    // "" when the program ended normally
	ErrorMessage string `json:"error_message"` // str() of the exception
}

// The error types of a Result that are not Python exceptions.
const (
	CompileError = "CompileError" // the source does not compile
	Timeout      = "Timeout"      // the program ran too long
	Refused      = "Refused"      // valid Python that the interpreter declines to load
)

// CPython is a python3 child that runs programs one after the other. It is
// not safe for concurrent use.
type CPython struct {
	hashSeed string
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
}

// hangLimit ends a child that its own alarm cannot interrupt, for example
// inside one long operation in C.
const hangLimit = 30 * time.Second

// StartCPython starts python3 from PATH, or returns the error of
// exec.LookPath. hashSeed is the value of PYTHONHASHSEED ("random" or a
// number). Call Close when done.
func StartCPython(hashSeed string) (*CPython, error) {
	c := &CPython{hashSeed: hashSeed}
	if err := c.start(); err != nil {
		return nil, fmt.Errorf("start python3: %w", err)
	}
	return c, nil
}

func (c *CPython) start() error {
	path, err := exec.LookPath("python3")
	if err != nil {
		return err
	}
	// -s and -P isolate like -I does; -I itself would ignore PYTHONHASHSEED.
	c.cmd = exec.Command(path, "-s", "-P", "-X", "utf8", "-c", harnessSource)
	c.cmd.Env = []string{"PYTHONHASHSEED=" + c.hashSeed, "TZ=UTC", "LC_ALL=C.UTF-8", "PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.out = bufio.NewReaderSize(out, 1<<16)
	return c.cmd.Start()
}

// Run runs a program. The error is about the child, never about the program.
func (c *CPython) Run(src string) (Result, error) {
	r, _, err := c.run(src, false)
	return r, err
}

// Trace runs a program and also counts the lines it executed.
func (c *CPython) Trace(src string) (Result, int, error) {
	return c.run(src, true)
}

func (c *CPython) run(src string, trace bool) (Result, int, error) {
	request, err := json.Marshal(struct {
		Src   string `json:"src"`
		Trace bool   `json:"trace"`
	}{src, trace})
	if err != nil {
		return Result{}, 0, fmt.Errorf("encode program: %w", err)
	}
	cmd := c.cmd
	hung := time.AfterFunc(hangLimit, func() { cmd.Process.Kill() })
	defer hung.Stop()
	var line []byte
	if _, err = c.in.Write(append(request, '\n')); err == nil {
		line, err = c.out.ReadBytes('\n')
	}
	if err != nil { // the program killed or hung the child: go on with a new one
		c.Close()
		if err := c.start(); err != nil {
			return Result{}, 0, fmt.Errorf("restart python3: %w", err)
		}
		return Result{ErrorType: Timeout}, 0, nil
	}
	var answer struct {
		Result
		Lines int `json:"lines"`
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return Result{}, 0, fmt.Errorf("decode answer: %w", err)
	}
	return answer.Result, answer.Lines, nil
}

// Close ends the child.
func (c *CPython) Close() error {
	c.in.Close()
	c.cmd.Process.Kill()
	c.cmd.Wait() // the exit status of a killed child says nothing
	return nil
}
