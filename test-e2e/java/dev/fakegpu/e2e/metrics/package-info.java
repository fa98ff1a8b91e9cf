/** Tests of the metrics that Prometheus gets from a running operator. */
@NullMarked
package dev.fakegpu.e2e.metrics;

import org.jspecify.annotations.NullMarked;
