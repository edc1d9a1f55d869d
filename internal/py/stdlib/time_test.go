package stdlib

import (
	"testing"
	"time"

	"gauntlet/internal/py"
)

// TestVirtualClock checks that every clock of the library is the thread's.
func TestVirtualClock(t *testing.T) {
	const src = `
import time, datetime, uuid
print(datetime.datetime.now(), datetime.datetime.utcnow(), datetime.date.today())
print(datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=2))).isoformat())
print(datetime.datetime.today() == datetime.datetime.now(), time.time(), time.time_ns(), time.monotonic())
time.sleep(5)
print(time.ctime(), time.strftime('%Y-%m-%d'), time.localtime().tm_hour, time.asctime())
u = uuid.uuid1()
print((u.time - 0x01b21dd213814000) * 100, hex(u.node), uuid.getnode() == u.node)
`
	const want = `2025-03-04 05:06:07.123456 2025-03-04 05:06:07.123456 2025-03-04
2025-03-04T07:06:07.123456+02:00
True 1741064767.1234567 1741064767123456789 1741064767.1234567
Tue Mar  4 05:06:07 2025 2025-03-04 5 Tue Mar  4 05:06:07 2025
1741064767123456700 0x16761756e74 True
`
	p, err := py.CompileSource("<string>", src, Library)
	if err != nil {
		t.Fatal(err)
	}
	th := py.NewThread(1, Library, py.Limits{})
	th.Now = func() time.Time { return time.Date(2025, 3, 4, 5, 6, 7, 123456789, time.UTC) }
	if _, err := th.Exec(p, "__main__"); err != nil {
		t.Fatal(err)
	}
	if got := th.Output(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
