package page

import (
	"fmt"
	"math"

	"gauntlet/internal/metrics"
)

// hues is the number of colours of the style sheet's key. A colour repeats after
// that; the number beside each point does not.
const hues = 6

// The chart is drawn in percent, so that it fits any width without scaling its
// letters. Labels have a fixed distance from their points, in pixels, and are
// placed so that they read well in the plots of the style sheet: on a small
// phone, a larger one, and a desktop.
var plots = []struct{ width, height float64 }{{254, 300}, {322, 300}, {464, 360}}

const (
	labelSize = 18.0
	dotSize   = 14.0
	margin    = 20.0 // free space on the right of a plot, where labels may stand, too
)

// chart is the view of Document.Points.
type chart struct {
	Ticks []tick
	Keys  []chartKey
	Marks []mark // of the keys that have both values
}

// tick is a line of the grid: At is its place on the x axis, Up on the y axis.
type tick struct {
	At, Up, Text string
}

// chartKey is the line of one agent below the chart.
type chartKey struct {
	Number int
	Hue    int
	Agent  string
	BR     shown
	ASR    shown
}

// mark is one point. Positions are percentages of the plot; the offset of the
// label is in pixels.
type mark struct {
	Key        chartKey
	X, Y       string
	Low, High  string // interval along x
	Top, Base  string // interval along y, from the top of the plot
	DX, DY     float64
	Leader     bool // the label is so far away that a line must lead to it
	EndX, EndY float64
	x, y       float64 // proportions of the plot, y from its top
}

func newChart(points []Point) chart {
	var c chart
	for percent := 0; percent <= 100; percent += 25 {
		c.Ticks = append(c.Ticks, tick{share(float64(percent) / 100), share(1 - float64(percent)/100), fmt.Sprint(percent)})
	}
	for i, point := range points {
		key := chartKey{i + 1, i % hues, point.Agent, showEstimate(point.BR), showEstimate(point.ASR)}
		c.Keys = append(c.Keys, key)
		x, across, okX := position(point.BR)
		y, upward, okY := position(point.ASR)
		if !okX || !okY {
			continue
		}
		c.Marks = append(c.Marks, mark{
			Key: key,
			X:   share(x), Low: share(across.Low), High: share(across.High),
			Y: share(1 - y), Top: share(1 - upward.High), Base: share(1 - upward.Low),
			x: x, y: 1 - y,
		})
	}
	place(c.Marks)
	return c
}

func position(e Estimate) (value float64, interval metrics.Interval, ok bool) {
	if e == nil {
		return 0, metrics.Interval{}, false
	}
	value, ok = e.Value()
	interval, bounded := e.Interval()
	return value, interval, ok && bounded
}

// share writes a proportion as a length of SVG.
func share(f float64) string { return fmt.Sprintf("%.2f%%", 100*f) }

// place gives each label the spot around its point that hides least: it tries
// twelve directions at growing distances, in the order of the points.
func place(marks []mark) {
	for i := range marks {
		m := &marks[i]
		least := math.Inf(1)
		for _, distance := range []float64{15, 26, 38, 52, 68, 86} {
			for twelfth := range 12 {
				sin, cos := math.Sincos(float64(twelfth-1) * math.Pi / 6)
				dx, dy := round(distance*cos), round(distance*sin)
				if cost := distance/20 + crowding(marks, i, dx, dy); cost < least {
					least = cost
					m.DX, m.DY, m.Leader = dx, dy, distance > 15
					m.EndX, m.EndY = round((distance-9)*cos), round((distance-9)*sin)
				}
			}
		}
	}
}

// crowding says how much of other things the label of marks[own] would hide at an
// offset from its point, over all plots. Labels of later marks have no place yet.
func crowding(marks []mark, own int, dx, dy float64) float64 {
	var sum float64
	for _, plot := range plots {
		b := box{marks[own].x*plot.width + dx, marks[own].y*plot.height + dy, labelSize}
		if half := b.size / 2; b.x < half || b.y < half || b.x > plot.width+margin-half || b.y > plot.height-half {
			sum += 100
		}
		for i, m := range marks {
			x, y := m.x*plot.width, m.y*plot.height
			sum += 20 * b.overlap(box{x, y, dotSize})
			if i < own {
				sum += 50 * b.overlap(box{x + m.DX, y + m.DY, labelSize})
				if math.Hypot(x+m.DX-b.x, y+m.DY-b.y) < labelSize*0.6 {
					sum += 500 // neither could be read
				}
			}
			if i != own && (math.Abs(x-b.x) < b.size/2 || math.Abs(y-b.y) < b.size/2) {
				sum += 0.5 // perhaps on an error bar
			}
		}
	}
	return sum
}

// box is a square around a centre.
type box struct{ x, y, size float64 }

// overlap returns the share of b's area that other covers, at most 1.
func (b box) overlap(other box) float64 {
	reach := (b.size + other.size) / 2
	across, down := reach-math.Abs(b.x-other.x), reach-math.Abs(b.y-other.y)
	if across <= 0 || down <= 0 {
		return 0
	}
	return min(1, across/b.size) * min(1, down/b.size)
}

func round(f float64) float64 { return math.Round(10*f) / 10 }
