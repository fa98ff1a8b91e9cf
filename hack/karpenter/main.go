// Command karpenter asks Karpenter's allocator for devices on an existing node: it reads allocation problems, one JSON value after
// the other, from standard input, and writes one line of JSON for each. docs/allocation-problems.md describes both.
//
// An answer is written as soon as the problem has been read, so that another program can keep this one behind a pipe.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/go-logr/logr"
	"sigs.k8s.io/controller-runtime/pkg/log"
)

func main() {
	log.SetLogger(logr.Discard())
	timeout := flag.Duration("timeout", 5*time.Second, "end a single allocation after this long; Karpenter itself does after 5 s")
	flag.Parse()
	if err := answerAll(os.Stdin, os.Stdout, *timeout); err != nil {
		fmt.Fprintln(os.Stderr, "karpenter:", err)
		os.Exit(1)
	}
}

func answerAll(in io.Reader, out io.Writer, timeout time.Duration) error {
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	encoder := json.NewEncoder(out) // does not buffer
	for {
		var p problem
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return nil
		}
		a := answer{Name: p.Name, Outcome: "invalid"}
		if err == nil {
			a = allocate(&p, timeout)
		} else {
			a.Error = err.Error()
		}
		if err := encoder.Encode(a); err != nil {
			return err
		}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF) {
			return nil // where the next problem would begin is unknown
		}
	}
}
