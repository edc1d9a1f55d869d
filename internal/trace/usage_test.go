package trace

import (
	"reflect"
	"testing"
)

// TestUsagePlus sums every count, also one that is added later.
func TestUsagePlus(t *testing.T) {
	var u, v Usage
	fill := func(x *Usage, n int) {
		fields := reflect.ValueOf(x).Elem()
		for i := range fields.NumField() {
			switch f := fields.Field(i); f.Kind() {
			case reflect.Int64:
				f.SetInt(int64(n * (i + 1)))
			case reflect.Float64:
				f.SetFloat(float64(n * (i + 1)))
			}
		}
	}
	fill(&u, 1)
	fill(&v, 10)
	var want Usage
	fill(&want, 11)
	if got := u.Plus(v); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v and %+v are %+v", u, v, got)
	}
}
