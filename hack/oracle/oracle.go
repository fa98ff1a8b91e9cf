package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/dynamic-resource-allocation/cel"
	"k8s.io/dynamic-resource-allocation/structured"
)

// As in kube-scheduler's plugin for dynamic resources.
const compiledSelectors = 10

type options struct {
	allFeatures     bool
	bench           int
	budget, timeout time.Duration
}

type oracle struct {
	options
	// Kube-scheduler takes the most stable one that has the features. Experimental has all of them.
	variant string
	// Compiled selectors outlive a problem as they outlive a scheduling attempt; making a cache takes milliseconds.
	caches map[cel.Features]*cel.Cache
}

func newOracle(variant string, o options) *oracle {
	structured.EnableAllocators(variant)
	return &oracle{options: o, variant: variant, caches: map[cel.Features]*cel.Cache{}}
}

func (o *oracle) cache(f structured.Features) *cel.Cache {
	key := cel.Features{
		EnableConsumableCapacity: f.ConsumableCapacity,
		EnableListTypeAttributes: f.ListTypeAttributes,
	}
	if o.caches[key] == nil {
		o.caches[key] = cel.NewCache(compiledSelectors, key)
	}
	return o.caches[key]
}

// answer allocates as often as wanted and gives the last outcome, with the medians of the times.
func (o *oracle) answer(p *problem) answer {
	features, err := featureSet(o.allFeatures, p.Features)
	if err != nil {
		return invalid(p.Name, err)
	}
	cold := o.attempt(p, features)
	warm := []attempt{cold}
	if o.bench > 1 && !cold.answer.TimedOut {
		warm = o.repeat(p, features)
	}
	a := warm[len(warm)-1].answer
	a.Runs = len(warm)
	a.FirstNS = cold.allocate.Nanoseconds()
	a.NS = median(warm, func(t attempt) time.Duration { return t.allocate })
	a.NewNS = median(warm, func(t attempt) time.Duration { return t.construct })
	return a
}

func (o *oracle) repeat(p *problem, features structured.Features) []attempt {
	var done []attempt
	for start := time.Now(); len(done) < o.bench && (len(done) == 0 || time.Since(start) < o.budget); {
		done = append(done, o.attempt(p, features))
	}
	return done
}

func median(attempts []attempt, of func(attempt) time.Duration) int64 {
	var times []int64
	for _, a := range attempts {
		times = append(times, of(a).Nanoseconds())
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// An attempt is one allocation by an allocator of its own.
type attempt struct {
	answer              answer
	construct, allocate time.Duration
}

func (o *oracle) attempt(p *problem, features structured.Features) (result attempt) {
	result.answer = answer{Name: p.Name, Implementation: o.variant}
	defer func() {
		if r := recover(); r != nil {
			result.answer.Outcome, result.answer.Error = "panic", fmt.Sprint(r)
		}
	}()
	ctx, cancel := o.context(p.Context.Mode)
	defer cancel()
	state, cache := p.State.upstream(), o.cache(features)

	start := time.Now()
	allocator, err := structured.NewAllocator(ctx, features, state, p.Classes, p.Slices, cache)
	constructed := time.Now()
	if err != nil {
		result.answer = invalid(p.Name, err)
		return result
	}
	allocations, err := allocator.Allocate(ctx, &p.Node, p.Claims)
	result.construct, result.allocate = constructed.Sub(start), time.Since(constructed)

	result.answer.Steps = steps(allocator)
	result.answer.set(allocations, err, ctx.Err())
	result.answer.TimedOut = result.answer.ErrorScope == scopeContext && p.Context.Mode == ""
	return result
}

func (o *oracle) context(mode string) (context.Context, context.CancelFunc) {
	limit := o.timeout
	if mode == "timeout" || mode == "deadline" {
		limit = 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	if mode == "cancel" {
		cancel()
	}
	return ctx, cancel
}

// steps counts the calls of allocateOne. Upstream's tests look at them; the public interface does not show them.
func steps(allocator structured.Allocator) int64 {
	stats := reflect.ValueOf(allocator).MethodByName("GetStats").Call(nil)[0]
	return stats.FieldByName("NumAllocateOneInvocations").Int()
}

func (a *answer) set(allocations []resourceapi.AllocationResult, err, interrupted error) {
	switch {
	case err == nil && allocations == nil:
		a.Outcome = "none"
	case err == nil:
		a.Outcome, a.Results = "allocated", repeatable(allocations)
	default:
		a.Outcome, a.Error, a.ErrorScope = "error", err.Error(), scope(err, interrupted)
	}
}

func scope(err, interrupted error) string {
	switch {
	case errors.Is(err, structured.ErrFailedAllocationOnNode):
		return scopeNode
	case interrupted != nil && errors.Is(err, interrupted):
		return scopeContext
	default:
		return scopeFatal
	}
}
