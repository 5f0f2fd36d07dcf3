package registrar

import (
	"math/rand/v2"
	"time"
)

// backoff makes pauses that double, each cut by up to a half at random so that
// those who failed together do not come back together.
type backoff struct {
	least, most time.Duration
	n           int
}

func (b *backoff) next() time.Duration {
	d := b.most
	if b.n < 20 {
		d = min(b.least<<b.n, b.most)
		b.n++
	}
	return jitter(d, 0.5, 1)
}

func (b *backoff) reset() { b.n = 0 }

func jitter(d time.Duration, from, to float64) time.Duration {
	return time.Duration(float64(d) * (from + (to-from)*rand.Float64()))
}
