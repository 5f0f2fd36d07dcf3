package registrar

import (
	"fmt"
	"io"
	"os"
	"time"
)

// mostConfig is the most that a ConfigMap can hold.
const mostConfig = 1 << 20

// readFile reads a file of limited size.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%s: more than %d bytes", path, most)
	}
	return data, nil
}

// file is a file that is looked at again and again. A mounted ConfigMap changes
// by a new target of a link, which is as visible here as a write.
type file struct {
	path  string
	stat  fingerprint
	data  []byte
	known bool
}

type fingerprint struct {
	size     int64
	modified time.Time
}

// read returns the file and whether it differs from the last time. It is read
// whenever size or time say so, and otherwise at every fifth look: a file
// system may have coarse times.
func (f *file) read(again bool) (data []byte, changed bool, err error) {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil, false, err
	}
	now := fingerprint{info.Size(), info.ModTime()}
	if f.known && now == f.stat && !again {
		return f.data, false, nil
	}
	data, err = readFile(f.path, mostConfig)
	if err != nil {
		return nil, false, err
	}
	changed = !f.known || string(data) != string(f.data)
	f.stat, f.data, f.known = now, data, true
	return data, changed, nil
}
