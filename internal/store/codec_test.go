package store

import (
	"bytes"
	"testing"
)

func FuzzCodec(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte{0})
	f.Add([]byte("\x1f\x8b\x08\x00"))
	f.Add(bytes.Repeat([]byte(`{"a":1}`), 1000))
	var c codec
	f.Fuzz(func(t *testing.T, raw []byte) {
		encoding, data, err := c.pack(raw)
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > len(raw) {
			t.Errorf("%d bytes became %d", len(raw), len(data))
		}
		back, err := unpack(encoding, int64(len(raw)), data)
		if err != nil || !bytes.Equal(back, raw) {
			t.Errorf("came back different: %v", err)
		}
		if _, err := unpack(encoding, int64(len(raw))+1, data); err == nil {
			t.Error("a wrong size was accepted")
		}
		// Hostile: any bytes as stored ones.
		if back, err := unpack(zipped, 10, raw); err == nil && len(back) != 10 {
			t.Errorf("%d bytes instead of 10", len(back))
		}
	})
}

func TestUnpackDamaged(t *testing.T) {
	raw := bytes.Repeat([]byte("some trace, "), 1000)
	var c codec
	encoding, data, err := c.pack(raw)
	if err != nil || encoding != zipped {
		t.Fatalf("%q, %v", encoding, err)
	}
	for _, damage := range []struct {
		name     string
		encoding string
		size     int64
		data     []byte
	}{
		{"negative size", zipped, -1, data},
		{"absurd size", zipped, MaxDocument + 1, data},
		{"smaller size", zipped, int64(len(raw)) - 1, data},
		{"cut", zipped, int64(len(raw)), data[:len(data)-9]},
		{"checksum cut", zipped, int64(len(raw)), data[:len(data)-1]},
		{"checksum", zipped, int64(len(raw)), append(bytes.Clone(data[:len(data)-8]), 1, 2, 3, 4, data[len(data)-4], data[len(data)-3], data[len(data)-2], data[len(data)-1])},
		{"encoding", "zstd", int64(len(raw)), data},
		{"plain", plain, int64(len(raw)), data},
	} {
		if _, err := unpack(damage.encoding, damage.size, damage.data); err == nil {
			t.Errorf("%s: no error", damage.name)
		}
	}
}
