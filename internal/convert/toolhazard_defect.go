package convert

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gauntlet/internal/py/syntax"
	"gauntlet/internal/trace"
)

// Kind says what is odd about an imported case. The set is closed.
type Kind string

// The kinds of defects. A defect of a case is kept out of nothing: the case is
// imported as published.
const (
	// CheckTrueInitially: a benign check holds on the initial state, so that
	// doing nothing earns it.
	CheckTrueInitially Kind = "check_true_initially"
	// CheckRaises: a check raises on the initial state.
	CheckRaises Kind = "check_raises"
	// CheckNotBool: a check returns something that is no bool.
	CheckNotBool Kind = "check_not_bool"
	// PoisonBreaksCheck: a benign check holds on the clean state and not on the
	// poisoned one, before any agent acts.
	PoisonBreaksCheck Kind = "poison_breaks_check"
	// PoisonMeetsCheck: the reverse.
	PoisonMeetsCheck Kind = "poison_meets_check"
	// InjectedTrueInitially: an injected check holds on the poisoned state, so
	// that the attack succeeds against an agent that does nothing.
	InjectedTrueInitially Kind = "injected_true_initially"
	// InjectedTrueOnClean: an injected check holds on the clean state.
	InjectedTrueOnClean Kind = "injected_true_on_clean"
	// NoInjection: the poisoned state equals the clean one.
	NoInjection Kind = "no_injection"
	// PayloadAbsent: no text of the poisoned state holds the payload, white
	// space aside.
	PayloadAbsent Kind = "payload_absent"
	// PayloadAltered: the payload is there only when white space is set aside.
	PayloadAltered Kind = "payload_altered"
	// GoalAbsent: no text of the poisoned state holds the goal, white space
	// aside.
	GoalAbsent Kind = "goal_absent"
	// PointUnresolved: which field carries the injection cannot be told.
	PointUnresolved Kind = "point_unresolved"
	// PointElsewhere: the injection stands outside of the planned field.
	PointElsewhere Kind = "point_elsewhere"
	// FieldNotText: the planned field is a list or an object; the injection is
	// an item or a part of it.
	FieldNotText Kind = "field_not_text"
	// ChangedOutsidePoint: the poisoning changed values outside of the planned
	// field and of the point.
	ChangedOutsidePoint Kind = "changed_outside_point"
	// OriginalOverwritten: the text that was at the point is not the beginning
	// of the new one.
	OriginalOverwritten Kind = "original_overwritten"
	// AttributeNotListed: the world lists no attack point with the planned
	// attribute.
	AttributeNotListed Kind = "attribute_not_listed"
	// StaleConfig: the dumped state holds a copy of itself that later changes
	// do not reach.
	StaleConfig Kind = "stale_init_config"
	// UndeclaredState: the state has a key that the class does not declare: its
	// constructor does not assign it, though a tool may.
	UndeclaredState Kind = "undeclared_state"
	// StrategyGoalDiffers: the goal is not that of most other strategies of the
	// scenario, so strategies cannot be compared goal for goal.
	StrategyGoalDiffers Kind = "strategy_goal_differs"
)

// Kinds returns all kinds of defects in the order of reports.
func Kinds() []Kind {
	return []Kind{CheckTrueInitially, CheckRaises, CheckNotBool, PoisonBreaksCheck, PoisonMeetsCheck,
		InjectedTrueInitially, InjectedTrueOnClean, NoInjection, PayloadAbsent, PayloadAltered, GoalAbsent,
		PointUnresolved, PointElsewhere, FieldNotText, ChangedOutsidePoint, OriginalOverwritten,
		AttributeNotListed, StaleConfig, UndeclaredState, StrategyGoalDiffers}
}

// Defect is something odd about one case.
type Defect struct {
	Case string `json:"case"`
	Kind Kind   `json:"kind"`
	// List is the list of checks that Items counts in: "benign" or "injected".
	List string `json:"list,omitempty"`
	// Items are the positions of the checks, from 0.
	Items []int `json:"items,omitempty"`
	// Detail is more about it: pointers, names or an error.
	Detail string `json:"detail,omitempty"`
}

func (im *importer) defect(d Defect) { im.report.Defects = append(im.report.Defects, d) }

// note records a defect with a detail.
func (im *importer) note(t *task, k Kind, format string, args ...any) {
	im.defect(Defect{Case: t.ID, Kind: k, Detail: fmt.Sprintf(format, args...)})
}

// inspectState finds what is odd about the states of a case and resolves the
// point of its attack.
func (im *importer) inspectState(t *task) {
	im.inspectKeys(t)
	if t.Attack == nil {
		return
	}
	poisoned := t.State.Without(nestedConfig)
	after := leaves(poisoned)
	var before []leaf
	var changed []string
	if t.Clean.Exists() {
		clean := t.Clean.Without(nestedConfig)
		before = leaves(clean)
		changed = changedLeaves(before, after)
		im.countChanges(len(changed))
		if trace.Equal(clean, poisoned) {
			im.note(t, NoInjection, "")
		}
	}
	in := locate(t.location, t.Attack.Payload, t.Attack.Goal, poisoned, after, changed)
	t.Attack.Point = in.point
	im.inspectText(t, in, after)
	im.inspectPlan(t, in, poisoned)
	if t.Clean.Exists() {
		im.inspectChange(t, in, before, changed)
	}
}

// inspectKeys looks at the top level of the state.
func (im *importer) inspectKeys(t *task) {
	if t.State.Get(nestedConfig).Len() > 0 {
		im.note(t, StaleConfig, "/%s", nestedConfig)
	}
	declared := im.declared[t.World]
	var unknown []string
	for _, k := range t.State.Keys() {
		if k != nestedConfig && !declared[k] {
			unknown = append(unknown, k)
		}
	}
	if len(unknown) > 0 {
		im.note(t, UndeclaredState, "%s", strings.Join(unknown, ", "))
	}
}

// inspectText compares the payload with what stands in the state.
func (im *importer) inspectText(t *task, in injection, after []leaf) {
	if in.form != wholePay {
		switch p, f := carriers(after, t.Attack.Payload, ""); f {
		case nothing:
			im.note(t, PayloadAbsent, "")
		default:
			im.note(t, PayloadAltered, "%s", strings.Join(p, ", "))
		}
	}
	if _, f := carriers(after, "", t.Attack.Goal); f == nothing {
		im.note(t, GoalAbsent, "")
	}
}

// inspectPlan compares the point with the planned location.
func (im *importer) inspectPlan(t *task, in injection, poisoned trace.Value) {
	loc := t.location
	if in.point == "" {
		why := "nothing in the state tells"
		if len(in.carriers) > 1 {
			why = strings.Join(in.carriers, ", ")
		}
		im.note(t, PointUnresolved, "%s", why)
	}
	switch {
	case in.field == "":
		if in.point != "" {
			im.note(t, PointElsewhere, "planned: %s of %q; found: %s", loc.Attribute, loc.Instance, in.point)
		}
	case in.point != "" && !under(in.point, in.field):
		im.note(t, PointElsewhere, "planned: %s; found: %s", in.field, in.point)
	default:
		if k := poisoned.Pointer(in.field).Kind(); k == trace.KindArray || k == trace.KindObject {
			im.note(t, FieldNotText, "%s is an %s", in.field, k)
		}
	}
	listed := slices.ContainsFunc(im.envs[t.World].points, func(p AttackPoint) bool {
		return bare(p.Attribute) == loc.Attribute
	})
	if !listed {
		im.note(t, AttributeNotListed, "%s", loc.Attribute)
	}
}

// inspectChange compares the poisoned with the clean state.
func (im *importer) inspectChange(t *task, in injection, before []leaf, changed []string) {
	outside := filter(changed, func(p string) bool {
		return !(in.field != "" && under(p, in.field)) && p != in.point
	})
	if len(outside) > 0 {
		im.note(t, ChangedOutsidePoint, "%s", strings.Join(outside, ", "))
	}
	spots := in.carriers
	if in.point != "" {
		spots = []string{in.point}
	}
	var lost []string
	for _, l := range before {
		if !slices.Contains(spots, l.path) || l.value.Kind() == trace.KindNull {
			continue
		}
		old := l.value.Text()
		if l.value.Kind() != trace.KindString {
			old = l.value.String()
		}
		if !strings.HasPrefix(t.State.Pointer(l.path).Text(), old) {
			lost = append(lost, l.path)
		}
	}
	if len(lost) > 0 {
		im.note(t, OriginalOverwritten, "%s", strings.Join(lost, ", "))
	}
}

// compareGoals finds the cases whose goal is not the commonest one of their
// scenario; among equally common goals the first one counts.
func (im *importer) compareGoals(list []*task) {
	count := map[string]map[string]int{}
	first := map[string][]string{} // the goals of a scenario in order
	for _, t := range list {
		if t.Attack == nil {
			continue
		}
		goals := count[t.Scenario]
		if goals == nil {
			goals = map[string]int{}
			count[t.Scenario] = goals
		}
		if goals[t.Attack.Goal]++; goals[t.Attack.Goal] == 1 {
			first[t.Scenario] = append(first[t.Scenario], t.Attack.Goal)
		}
	}
	for _, t := range list {
		if t.Attack == nil {
			continue
		}
		goals := slices.Clone(first[t.Scenario])
		sort.SliceStable(goals, func(i, j int) bool { return count[t.Scenario][goals[i]] > count[t.Scenario][goals[j]] })
		if t.Attack.Goal != goals[0] {
			im.note(t, StrategyGoalDiffers, "")
		}
	}
}

// declaredState are the attributes that a class declares: in its body, or by
// assignment in its constructor or in a private method, which a constructor may
// call.
func declaredState(file, code, class string) map[string]bool {
	out := map[string]bool{}
	m, err := syntax.ParseString(file, code)
	if err != nil {
		return out
	}
	syntax.Walk(m, func(n syntax.Node) bool {
		c, ok := n.(*syntax.ClassDef)
		if !ok || c.Name != class {
			return true
		}
		for _, s := range c.Body {
			switch s := s.(type) {
			case *syntax.FunctionDef:
				if strings.HasPrefix(s.Name, "_") {
					assigned(s, out)
				}
			case *syntax.AnnAssign:
				if name, ok := s.Target.(*syntax.Name); ok {
					out[name.ID] = true
				}
			case *syntax.Assign:
				for _, x := range s.Targets {
					if name, ok := x.(*syntax.Name); ok {
						out[name.ID] = true
					}
				}
			}
		}
		return false
	})
	return out
}

// assigned collects the attributes of the first parameter, whatever it is
// called, that are stored.
func assigned(f *syntax.FunctionDef, out map[string]bool) {
	params := append(slices.Clone(f.Args.PosOnly), f.Args.Args...)
	if len(params) == 0 {
		return
	}
	self := params[0].Name
	syntax.Walk(f, func(n syntax.Node) bool {
		if a, ok := n.(*syntax.Attribute); ok && a.Ctx == syntax.Store {
			if name, ok := a.Value.(*syntax.Name); ok && name.ID == self {
				out[a.Attr] = true
			}
		}
		return true
	})
}
