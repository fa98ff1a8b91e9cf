//go:build tools

// Package tools names KWOK, so that "go mod tidy" keeps what it needs.
package tools

import _ "sigs.k8s.io/kwok/cmd/kwok"
