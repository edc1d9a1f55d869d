package stdlib

import (
	"math/big"
	"math/bits"
)

// mersenne is the generator MT19937.
// Source: M. Matsumoto and T. Nishimura, "Mersenne Twister: A 623-dimensionally
// equidistributed uniform pseudo-random number generator" (1998), with the
// initialisation of 2002.
type mersenne struct {
	state [624]uint32
	next  int // state words used since the last regeneration
}

// seedWord initialises the state from one word.
func (m *mersenne) seedWord(s uint32) {
	m.state[0] = s
	for i := 1; i < len(m.state); i++ {
		s = 1812433253*(s^s>>30) + uint32(i)
		m.state[i] = s
	}
	m.next = len(m.state)
}

// seedWords initialises the state from a key of at least one word.
func (m *mersenne) seedWords(key []uint32) {
	const n = len(m.state)
	m.seedWord(19650218)
	s := &m.state
	i, j := 1, 0
	step := func(f uint32, plus uint32) {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*f) + plus
		if i++; i == n {
			s[0], i = s[n-1], 1
		}
	}
	for range max(n, len(key)) {
		step(1664525, key[j]+uint32(j))
		if j++; j == len(key) {
			j = 0
		}
	}
	for range n - 1 {
		step(1566083941, -uint32(i))
	}
	s[0] = 1 << 31
}

// seedInt seeds with the absolute value of n, 32 bits at a time from the lowest.
func (m *mersenne) seedInt(n *big.Int) {
	raw := new(big.Int).Abs(n).Bytes()
	key := make([]uint32, max(1, (len(raw)+3)/4))
	for i := range raw {
		b := raw[len(raw)-1-i]
		key[i/4] |= uint32(b) << (8 * (i % 4))
	}
	m.seedWords(key)
}

// uint32 returns the next 32 bits.
func (m *mersenne) uint32() uint32 {
	if m.next >= len(m.state) {
		m.regenerate()
	}
	y := m.state[m.next]
	m.next++
	y ^= y >> 11
	y ^= y << 7 & 0x9d2c5680
	y ^= y << 15 & 0xefc60000
	return y ^ y>>18
}

func (m *mersenne) regenerate() {
	const n = len(m.state)
	s := &m.state
	for i := range n {
		y := s[i]&(1<<31) | s[(i+1)%n]&(1<<31-1)
		s[i] = s[(i+397)%n] ^ y>>1 ^ y&1*0x9908b0df
	}
	m.next = 0
}

// float64 returns a multiple of 2^-53 in 0..1, 1 excluded.
func (m *mersenne) float64() float64 {
	a, b := m.uint32()>>5, m.uint32()>>6
	return float64(uint64(a)<<26|uint64(b)) / (1 << 53)
}

// bits returns k random bits, k at most 64.
func (m *mersenne) bits(k int) uint64 {
	switch {
	case k == 0:
		return 0
	case k <= 32:
		return uint64(m.uint32() >> (32 - k))
	}
	low := uint64(m.uint32())
	return low | uint64(m.uint32()>>(64-k))<<32
}

// bigBits returns k random bits, the lowest word drawn first.
func (m *mersenne) bigBits(k int) *big.Int {
	raw := make([]byte, (k+31)/32*4)
	for i := 0; k > 0; i, k = i+1, k-32 {
		w := m.uint32()
		if k < 32 {
			w >>= 32 - k
		}
		for b := range 4 {
			raw[len(raw)-1-4*i-b] = byte(w >> (8 * b))
		}
	}
	return new(big.Int).SetBytes(raw)
}

// below returns a number from 0 to n-1, by rejection.
func (m *mersenne) below(n uint64) uint64 {
	k := bits.Len64(n)
	for {
		if r := m.bits(k); r < n {
			return r
		}
	}
}

// bigBelow is below for n of any size.
func (m *mersenne) bigBelow(n *big.Int) *big.Int {
	for {
		if r := m.bigBits(n.BitLen()); r.Cmp(n) < 0 {
			return r
		}
	}
}
