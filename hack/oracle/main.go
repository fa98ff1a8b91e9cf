// Command oracle asks the allocator of kube-scheduler: it reads allocation problems, one JSON value after the other, from
// files or standard input, and writes one line of JSON for each. docs/allocation-problems.md describes both.
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
)

func main() {
	var o options
	flag.BoolVar(&o.allFeatures, "all-features", false, "turn every feature on, not only those that a problem names")
	flag.IntVar(&o.bench, "bench", 1, "how many times to repeat each problem; above 1 a first, cold run is timed apart")
	flag.DurationVar(&o.budget, "budget", 10*time.Second, "stop repeating a problem after this long")
	flag.DurationVar(&o.timeout, "timeout", 20*time.Second, "end a single allocation after this long")
	metadata := flag.Bool("metadata", false, "decode files of device metadata, which are JSON strings on standard input, instead")
	variant := flag.String("variant", "experimental", "which of upstream's allocators: stable, incubating or experimental")
	flag.Parse()
	ask := func() error { return run(newOracle(*variant, o), flag.Args()) }
	if *metadata {
		ask = func() error { return decodeAll(os.Stdin, os.Stdout) }
	}
	if err := ask(); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(oracle *oracle, paths []string) error {
	if len(paths) == 0 {
		return answerAll(oracle, os.Stdin, os.Stdout)
	}
	for _, path := range paths {
		if err := answerFile(oracle, path); err != nil {
			return err
		}
	}
	return nil
}

func answerFile(oracle *oracle, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return answerAll(oracle, file, os.Stdout)
}

func answerAll(oracle *oracle, in io.Reader, out io.Writer) error {
	decoder := json.NewDecoder(bufio.NewReaderSize(in, 1<<20))
	encoder := json.NewEncoder(out) // does not buffer
	for {
		var p problem
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return nil
		}
		a := invalid(p.Name, err)
		if err == nil {
			a = oracle.answer(&p)
		}
		if err := encoder.Encode(a); err != nil {
			return err
		}
		if brokenOff(err) {
			return nil // where the next problem would begin is unknown
		}
	}
}

func brokenOff(err error) bool {
	var syntax *json.SyntaxError
	return errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF)
}
