/**
 * Experiments, which are not tests: {@code hack/evidence} tests the statements of KEP-5963 and KEP-5677 with real Kubernetes components,
 * and writes {@code docs/evidence}.
 */
@NullMarked
package dev.fakegpu.evidence;

import org.jspecify.annotations.NullMarked;
