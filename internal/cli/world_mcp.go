package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"gauntlet/internal/agent"
	"gauntlet/internal/mcp"
	"gauntlet/internal/run"
	"gauntlet/internal/suite"
	"gauntlet/internal/trace"
)

// mcpFlags say which case is served to whom.
type mcpFlags struct {
	suite, id, format, defence string
	seed                       uint64
	calls                      int
	compat                     bool
	connect, http, token, out  string
}

func worldMCPCommand() *cobra.Command {
	var f mcpFlags
	c := &cobra.Command{
		Use:   "mcp --case ID",
		Short: "Serve the tools of a case to any MCP client",
		Long: `Serves the tools of a case over the Model Context Protocol, and scores what the
client did with them when it is gone.

Without --http the client starts this command and speaks to it over its standard
streams: one process is one episode. With --http the tools are served at a URL,
which is printed to standard error: each session is an episode of its own, and so is
each path /episode/NAME, which DELETE ends. Whoever reaches the URL can act there,
so an address that other machines reach demands --token, a secret part of the path.

At the end of an episode (of the input or the session, or by a signal) its trace is
appended to --out, and a line on standard error has the scores.

--connect is for agents that run as gauntlet run -- COMMAND and speak stdio only: it
passes their messages on to the episode at a URL.`,
		Example: `  gauntlet world mcp --case rush_shipments --out traces.jsonl
  gauntlet world mcp --case rush_shipments --http 127.0.0.1:8080
  gauntlet world mcp --connect http://127.0.0.1:40000/TOKEN`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return f.run(cmd.Context(), cmd)
		},
	}
	g := c.Flags()
	g.StringVar(&f.suite, "suite", "", "suite directory (default: the bundled suite)")
	g.StringVar(&f.id, "case", "", "the case to serve")
	g.StringVar(&f.format, "format", "", "form of observations: json, yaml or text (default json; with --compat text)")
	g.Uint64Var(&f.seed, "seed", 1, "seed of ids and times")
	g.BoolVar(&f.compat, "compat", false, "behave and score as the published benchmark does")
	g.StringVar(&f.defence, "defence", "", "defence of the prompt: "+strings.Join(agent.DefenceNames(), ", "))
	g.IntVar(&f.calls, "calls", 0, "most tool calls in an episode (0: 200)")
	g.StringVar(&f.http, "http", "", "serve streamable HTTP on this address, such as 127.0.0.1:8080 (port 0: a free one)")
	g.StringVar(&f.token, "token", "", "with --http: secret that must be the first part of the path")
	g.StringVar(&f.out, "out", "", "append the trace of each episode to this file")
	g.StringVar(&f.connect, "connect", "", "serve the episode at this URL to a client that speaks stdio")
	return c
}

func (f *mcpFlags) run(ctx context.Context, cmd *cobra.Command) error {
	if f.connect != "" {
		return f.bridge(ctx, cmd)
	}
	h, err := f.host(cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if f.http != "" {
		err = h.serveHTTP(ctx, f.http, f.token)
	} else {
		err = h.serveStdio(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	return errors.Join(err, h.close())
}

// bridge passes messages on to an episode that is served elsewhere.
func (f *mcpFlags) bridge(ctx context.Context, cmd *cobra.Command) error {
	for _, name := range []string{"suite", "case", "format", "seed", "compat", "defence", "calls", "http", "token", "out"} {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--connect and --%s exclude each other: the episode is served elsewhere", name)
		}
	}
	// The URL is a secret and stands in no error.
	u, err := url.Parse(f.connect)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return errors.New("--connect wants a URL, such as http://127.0.0.1:40000/TOKEN")
	}
	if err := mcp.Bridge(ctx, f.connect, cmd.InOrStdin(), cmd.OutOrStdout()); err != nil && ctx.Err() == nil {
		return fmt.Errorf("--connect: %w", err)
	}
	return nil
}

// host opens episodes of one case, and scores them when they are over.
type host struct {
	suite   *suite.Suite
	cell    run.Cell
	options run.Options
	out     *os.File // nil without --out

	mu     sync.Mutex // guards what follows, and writing to stderr and out
	stderr io.Writer
	open   map[*mcp.Server]*sitting
	opened int
	failed error // the first trace that was not written
}

// sitting is an episode that is being served.
type sitting struct {
	live  *run.Live
	label string // what tells its trace from those of others
}

func (f *mcpFlags) host(stderr io.Writer) (*host, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	s, err := openSuite(f.suite)
	if err != nil {
		return nil, err
	}
	c, ok := s.Case(f.id)
	if !ok {
		return nil, unknownCase(s, f.id)
	}
	defence, err := agent.FindDefence(f.defence)
	if err == nil {
		err = agent.Unfit(defence)
	}
	if err != nil {
		return nil, fmt.Errorf("--defence: %w", err)
	}
	h := &host{suite: s, stderr: stderr, open: map[*mcp.Server]*sitting{}, options: run.Options{Compat: f.compat, Host: hostClock()},
		cell: run.Cell{Case: c, Name: "mcp", Format: trace.Format(f.format), Defence: defence, Seed: f.seed, Limits: agent.Limits{Calls: f.calls}}}
	if f.out != "" {
		if h.out, err = os.OpenFile(f.out, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644); err != nil {
			return nil, fmt.Errorf("--out: %w", err)
		}
	}
	return h, nil
}

func (f *mcpFlags) check() error {
	switch {
	case f.format != "" && !trace.Format(f.format).Valid():
		return errors.New("--format: formats are json, yaml and text")
	case f.calls < 0:
		return errors.New("--calls is 0 (200) or more")
	case f.token != "" && f.http == "":
		return errors.New("--token goes with --http")
	case f.http != "":
		return checkAddress(f.http, f.token)
	}
	return nil
}

// unknownCase is the error for a case that the suite does not have.
func unknownCase(s *suite.Suite, id string) error {
	const most = 5
	var like, all []string
	for _, c := range s.Cases {
		all = append(all, c.ID)
		if id != "" && strings.Contains(c.ID, id) {
			like = append(like, c.ID)
		}
	}
	if len(like) == 0 {
		like = all
	}
	hint := fmt.Sprintf("; its %d cases are such as %s", len(all), strings.Join(like[:min(most, len(like))], ", "))
	if id == "" {
		return fmt.Errorf("--case ID is required; suite %s has %d cases, such as %s", s.Name, len(all), strings.Join(like[:min(most, len(like))], ", "))
	}
	return fmt.Errorf("--case: suite %s has no case %q%s", s.Name, id, hint)
}

// begin opens an episode and the server for it.
func (h *host) begin(name string) (*mcp.Server, error) {
	live, err := run.Open(h.suite, h.cell, h.options)
	if err != nil {
		return nil, err
	}
	srv := mcp.New(live, mcp.Options{Name: "world", Version: "1", Instructions: agent.Instructions(live.Episode()), Task: h.cell.Case.Task})
	h.mu.Lock()
	defer h.mu.Unlock()
	h.opened++
	x := &sitting{live: live}
	if name != "" {
		x.label = fmt.Sprintf("|episode %d %s", h.opened, name)
	} else if h.opened > 1 {
		x.label = fmt.Sprintf("|episode %d", h.opened)
	}
	h.open[srv] = x
	return srv, nil
}

// end scores an episode, writes its trace and says how it went. Nothing may act in
// it any more.
func (h *host) end(srv *mcp.Server, detail string) {
	h.mu.Lock()
	x := h.open[srv]
	delete(h.open, srv)
	h.mu.Unlock()
	if x == nil {
		return
	}
	// What has been played is scored also after a signal.
	o := x.live.Finish(context.Background(), trace.Termination{Cause: trace.CauseAgentDone, Detail: detail})
	o.Trace.ID += x.label
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.write(o.Trace); err != nil && h.failed == nil {
		h.failed = err
	}
	// A client that has closed our standard error misses a line, and no trace.
	say(h.stderr, "%s: %s", o.Trace.ID, tally(o))
}

func (h *host) write(t *trace.Trace) error {
	if h.out == nil {
		return nil
	}
	line, err := trace.Append(nil, t)
	if err == nil {
		_, err = h.out.Write(append(line, '\n')) // in one piece: several servers may share the file
	}
	if err != nil {
		return fmt.Errorf("write trace of %s: %w", t.ID, err)
	}
	return nil
}

// tally is what one episode came to, in a line.
func tally(o *run.Outcome) string {
	br, asr, exposed := string(o.Benign.Outcome), "-", "no"
	if mean, ok := o.Benign.Mean(); ok {
		br = fmt.Sprintf("%.2f (%s)", mean, br)
	}
	if o.Attack != "" {
		asr = string(o.Attack)
	}
	if o.Exposed {
		exposed = "yes"
	}
	s := fmt.Sprintf("BR %s, ASR %s, exposed %s, calls %d, ended by %s", br, asr, exposed, o.Calls, o.Ended.Cause)
	if o.Benign.Cause != "" {
		s += ", unassessed: " + o.Benign.Cause
	}
	return s
}

func (h *host) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	err := h.failed
	if h.out != nil {
		err = errors.Join(err, h.out.Close())
	}
	return err
}

// serveStdio serves one episode to the client that started this process.
func (h *host) serveStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	srv, err := h.begin("")
	if err != nil {
		return err
	}
	err = srv.ServeStdio(ctx, in, out)
	detail := ""
	if ctx.Err() != nil {
		err, detail = nil, "the server was stopped by a signal"
	}
	h.end(srv, detail)
	return err
}
