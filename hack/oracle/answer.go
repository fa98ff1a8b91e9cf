package main

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
)

// How far an error reaches: this node, the whole attempt, or it is only the interruption of the call.
const (
	scopeNode    = "node"
	scopeFatal   = "fatal"
	scopeContext = "context"
)

// Share IDs are random; upstream's tests replace them by this one, too.
const shareID = types.UID("aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa")

// An answer is one line of output. The results are there exactly if the outcome is "allocated", also when they are empty.
type answer struct {
	Name           string                         `json:"name"`
	Implementation string                         `json:"implementation,omitempty"`
	Outcome        string                         `json:"outcome"`
	Error          string                         `json:"error,omitempty"`
	ErrorScope     string                         `json:"errorScope,omitempty"`
	Steps          int64                          `json:"steps"`
	TimedOut       bool                           `json:"timedOut,omitempty"`
	NS             int64                          `json:"ns"`
	FirstNS        int64                          `json:"firstNs"`
	NewNS          int64                          `json:"newNs"`
	Runs           int                            `json:"runs"`
	Results        []resourceapi.AllocationResult `json:"results,omitzero"`
}

func invalid(name string, err error) answer {
	a := answer{Name: name, Outcome: "invalid"}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

// repeatable takes out of allocations what differs from call to call, and what v0.37.1 writes wrongly.
func repeatable(allocations []resourceapi.AllocationResult) []resourceapi.AllocationResult {
	for _, allocation := range allocations {
		results := allocation.Devices.Results
		for i := range results {
			if results[i].ShareID != nil {
				results[i].ShareID = new(shareID)
			}
			for name, quantity := range results[i].ConsumedCapacity {
				results[i].ConsumedCapacity[name] = writable(quantity)
			}
		}
	}
	return allocations
}

// writable gives a quantity that is the same when it is read back: v0.37.1 writes "1000E" as "1" (kubernetes issue 141249).
func writable(quantity resource.Quantity) resource.Quantity {
	copied := quantity.DeepCopy() // String remembers what it returns
	back, err := resource.ParseQuantity(copied.String())
	if err == nil && back.Cmp(quantity) == 0 {
		return quantity
	}
	quantity.Format = resource.DecimalExponent
	return quantity
}
