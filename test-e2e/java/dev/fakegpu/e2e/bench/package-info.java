/** Not tests: {@code hack/bench schedule} measures the companion beside kube-scheduler. */
@NullMarked
package dev.fakegpu.e2e.bench;

import org.jspecify.annotations.NullMarked;
