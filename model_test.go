package main

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"gauntlet/internal/agent/agenttest"
	"gauntlet/internal/model/scripted"
	"gauntlet/internal/suite"
	"gauntlet/worlds"
)

// scriptModel is "model NAME [key=KEY] [faults=PERCENT] [fault=KIND]... [character=N]
// [latency=TIME] [into=FILE]":
// it starts a service whose model plays the cases of the bundled suite, and sets
// the variables NAME to its base URL and NAME_MODEL to what --model takes.
func scriptModel(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) >= 1, "model NAME [key=KEY] [faults=PERCENT] [fault=KIND] [character=N]")
	s, err := suite.LoadFS(worlds.Files, "worlds")
	ts.Check(err)
	m := agenttest.New(s)
	o := scripted.Options{Choose: m.Choose}
	file := ""
	for _, a := range args[1:] {
		name, value, _ := strings.Cut(a, "=")
		switch name {
		case "key":
			o.Key = value
		case "faults":
			n, err := strconv.Atoi(value)
			ts.Check(err)
			o.FaultRate = float64(n) / 100
		case "fault":
			o.Faults = append(o.Faults, scripted.Fault(value))
		case "into": // a file in which BASE stands for the base URL
			file = value
		case "latency":
			o.Latency, err = time.ParseDuration(value)
			ts.Check(err)
		case "character":
			n, err := strconv.Atoi(value)
			ts.Check(err)
			m.Character = agenttest.Always(agenttest.Character(n))
		default:
			ts.Fatalf("model: unknown option %s", a)
		}
	}
	address, stop, err := scripted.New(o).Start(context.Background())
	ts.Check(err)
	ts.Defer(stop)
	if file != "" {
		text := strings.ReplaceAll(ts.ReadFile(file), "BASE", address+"/v1")
		ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o666))
	}
	ts.Setenv(args[0], address+"/v1")
	ts.Setenv(args[0]+"_MODEL", address+"/v1#m")
}
