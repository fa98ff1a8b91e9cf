/** Benchmarks, which are not tests: {@code hack/bench schedule} compares the companion with kube-scheduler. */
@NullMarked
package dev.fakegpu.e2e.bench;

import org.jspecify.annotations.NullMarked;
