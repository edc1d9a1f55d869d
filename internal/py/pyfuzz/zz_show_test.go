package pyfuzz

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

var showSeed = flag.Uint64("show", 0, "")

func TestShow(t *testing.T) { fmt.Print(Generate(*showSeed)) }

func TestEntries(t *testing.T) {
	py := startCPython(t, "0")
	gr := loadGrammar()
	for _, a := range gr.areas {
		for _, e := range a.entries {
			for ai := range e.alts {
				one := e
				one.alts = e.alts[ai : ai+1]
				errs := map[string]int{}
				fail := 0
				N := 24
				for i := range N {
					g := &gen{rng: rand.New(rand.NewPCG(uint64(i), 7)), gr: gr, vars: map[string][]string{}}
					lines := g.header()
					b := g.bare(one)
					lines = append(lines, "try:")
					lines = append(lines, indent(b)...)
					lines = append(lines, "except BaseException as e:", "    print('@@', type(e).__name__, e)")
					body := strings.Join(lines, "\n")
					src := imports(body) + "hold = []\n" + body + "\n"
					r, err := py.Run(src)
					if err != nil {
						t.Fatal(err)
					}
					if r.ErrorType != "" {
						fmt.Println("BAD", e.id(), ai, r, src)
					}
					if _, m, ok := strings.Cut(r.Stdout, "@@ "); ok {
						fail++
						errs[strings.TrimSpace(m)]++
					}
				}
				if fail*100 >= N*45 {
					best, bn := "", 0
					for m, n := range errs {
						if n > bn {
							best, bn = m, n
						}
					}
					fmt.Printf("%3d%% %s[%d] x%d: %.150s\n", fail*100/N, e.id(), ai, bn, best)
				}
			}
		}
	}
}
