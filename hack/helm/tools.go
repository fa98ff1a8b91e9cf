//go:build tools

// Package tools names Helm, so that "go mod tidy" keeps what it needs.
package tools

import _ "helm.sh/helm/v4/cmd/helm"
