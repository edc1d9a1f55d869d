// Package worlds embeds the bundled suite: worlds, scenarios and attacks as
// data. suite.yaml says who wrote them; cards/ says what each world models.
// Package suite reads it with LoadFS(worlds.Files, "worlds").
package worlds

import "embed"

// Files holds the suite directory.
//
//go:embed suite.yaml worlds/*.py scenarios/*.yaml cards/*.md
var Files embed.FS
