package stdlib

import "testing"

func TestReTable(t *testing.T) {
	diffExpressions(t, "import re\np = re.compile('a(b)?(?P<n>c)?')\nm = p.match('ab')", expressions(t, "re.txt"))
}
