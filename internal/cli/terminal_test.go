package cli

import "testing"

func TestLocaleThatIsNotUTF8(t *testing.T) {
	tests := []struct {
		env  map[string]string
		want bool
	}{
		{nil, true},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "POSIX"}, false},
		{map[string]string{"LANG": "C.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.utf8"}, true},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LANG": "C", "LC_CTYPE": "C.UTF-8"}, true},
		{map[string]string{"LANG": "C", "LC_ALL": ""}, false},
	}
	for _, tt := range tests {
		if got := isUTF8(func(name string) string { return tt.env[name] }); got != tt.want {
			t.Errorf("with %v: %v, want %v", tt.env, got, tt.want)
		}
	}
}
