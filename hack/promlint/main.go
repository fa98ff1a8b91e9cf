// Promlint checks metrics as "promtool check metrics" does, with the same packages, and reads PromQL with Prometheus' own parser.
//
//	promlint metrics < scrape    prints a line for each problem, and exits with 1 if there are any
//	promlint queries < queries   reads one query per line; prints a line of JSON for each: {"metrics": {NAME: [LABEL…]}}
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

func main() {
	if len(os.Args) != 2 {
		fail("usage: promlint metrics|queries")
	}
	switch os.Args[1] {
	case "metrics":
		checkMetrics()
	case "queries":
		readQueries()
	default:
		fail("usage: promlint metrics|queries")
	}
}

func checkMetrics() {
	problems, err := promlint.New(os.Stdin).Lint()
	if err != nil {
		fail(err.Error())
	}
	for _, problem := range problems {
		fmt.Println(problem.Metric, problem.Text)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}

func readQueries() {
	lines := bufio.NewScanner(os.Stdin)
	queries := parser.NewParser(parser.Options{})
	for lines.Scan() {
		expression, err := queries.ParseExpr(lines.Text())
		if err != nil {
			fail(fmt.Sprintf("%s: %s", lines.Text(), err))
		}
		answer, _ := json.Marshal(map[string]any{"metrics": used(expression)})
		fmt.Println(string(answer))
	}
}

// The labels that a query matches or groups by, for each metric in it. A grouping counts for all metrics below it.
func used(expression parser.Expr) map[string][]string {
	found := map[string][]string{}
	parser.Inspect(expression, func(node parser.Node, path []parser.Node) error {
		selector, isSelector := node.(*parser.VectorSelector)
		if !isSelector {
			return nil
		}
		names := found[selector.Name]
		for _, matcher := range selector.LabelMatchers {
			if matcher.Name != labels.MetricName {
				names = append(names, matcher.Name)
			}
		}
		for _, above := range path {
			if aggregation, is := above.(*parser.AggregateExpr); is {
				names = append(names, aggregation.Grouping...)
			}
		}
		found[selector.Name] = append([]string{}, names...)
		return nil
	})
	return found
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "promlint:", message)
	os.Exit(2)
}
