package linstor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// How much of an answer is read at most. A node or the pools of a node have a
// few kilobytes; lists of the whole cluster are decoded one by one.
const (
	mostSingle = 4 << 20
	mostList   = 128 << 20
	mostCodes  = 1 << 20
	drained    = 64 << 10 // what is thrown away so that a connection can be used again
)

var errTooLarge = errors.New("the answer is too large")

// answer is the answer of a controller, before its body is read.
type answer struct {
	body     io.ReadCloser
	template Error
}

func (a *answer) close() {
	_, _ = io.CopyN(io.Discard, a.body, drained)
	_ = a.body.Close()
}

// fault returns the request as an error.
func (a *answer) fault(codes []ReturnCode, err error) error {
	e := a.template
	e.Codes, e.Err = codes, err
	return &e
}

// returnCodes reads the list that LINSTOR answers to every change and fault.
func (a *answer) returnCodes() ([]ReturnCode, error) {
	var codes []ReturnCode
	if err := a.decode(&codes, mostCodes); err != nil {
		return nil, err
	}
	return codes, nil
}

// decode reads one JSON value and nothing after it.
func (a *answer) decode(into any, most int64) error {
	limited := &io.LimitedReader{R: a.body, N: most}
	dec := json.NewDecoder(limited)
	err := dec.Decode(into)
	if err == nil {
		if _, err = dec.Token(); errors.Is(err, io.EOF) {
			err = nil
		} else if err == nil {
			err = errors.New("there is more than one value")
		}
	}
	switch {
	case err != nil && limited.N <= 0:
		return errTooLarge
	case err != nil:
		return unreadable(err)
	}
	return nil
}

// each decodes the elements of a JSON array one by one, so that the list of a
// thousand nodes takes no more memory than its largest element.
func each[T any](a *answer, do func(T) error) error {
	limited := &io.LimitedReader{R: a.body, N: mostList}
	dec := json.NewDecoder(limited)
	err := elements(dec, do)
	var stopped stop
	switch {
	case errors.As(err, &stopped):
		return stopped.error
	case err != nil && limited.N <= 0:
		return errTooLarge
	case err != nil:
		return unreadable(err)
	}
	return nil
}

// stop is an error of the caller's function, not of the answer.
type stop struct{ error }

func elements[T any](dec *json.Decoder, do func(T) error) error {
	if t, err := dec.Token(); err != nil {
		return err
	} else if t != json.Delim('[') {
		return fmt.Errorf("want a list, found %v", t)
	}
	for dec.More() {
		var element T
		if err := dec.Decode(&element); err != nil {
			return err
		}
		if err := do(element); err != nil {
			return stop{err}
		}
	}
	_, err := dec.Token()
	return err
}

func unreadable(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("the answer is cut off: %w", err)
	}
	return fmt.Errorf("the answer is not LINSTOR's: %w", err)
}
