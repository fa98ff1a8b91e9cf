/**
 * Benchmarks, which are not tests: {@code hack/bench schedule} compares the companion with kube-scheduler. The exception is
 * {@code ManifestVerdictsIT}, which compares verdicts as {@code hack/bench validation} does.
 */
@NullMarked
package dev.fakegpu.e2e.bench;

import org.jspecify.annotations.NullMarked;
