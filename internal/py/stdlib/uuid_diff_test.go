package stdlib

import "testing"

func TestUUIDTable(t *testing.T) {
	header := `
import uuid
from uuid import UUID, uuid1, uuid3, uuid4, uuid5, getnode
from uuid import NAMESPACE_DNS, NAMESPACE_URL, NAMESPACE_OID, NAMESPACE_X500
from uuid import RESERVED_NCS, RFC_4122, RESERVED_MICROSOFT, RESERVED_FUTURE
u = UUID('12345678123456781234567812345678')
`
	diffExpressions(t, header, expressions(t, "uuid.txt"))
}

// TestUUIDSeed checks that identifiers depend on the seed alone.
func TestUUIDSeed(t *testing.T) {
	const src = "import uuid\nprint(uuid.uuid4(), uuid.uuid4(), uuid.uuid1(), uuid.uuid1())\n"
	a, err := RunSource(src)
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := RunSource(src); a != b {
		t.Errorf("two runs made %q and %q", a, b)
	}
}
