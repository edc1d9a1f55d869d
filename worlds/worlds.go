// Package worlds embeds the bundled suite: worlds, scenarios and attacks as
// data. suite.yaml says who wrote them. See cards/ for what each world models.
package worlds

import "embed"

// Files holds the suite directory.
//
//go:embed suite.yaml worlds/*.py scenarios/*.yaml cards/*.md
var Files embed.FS
