/** Between the client's model of {@code resource.k8s.io/v1} and our values. The only place that knows both. */
@NullMarked
package dev.fakegpu.dra.wire;

import org.jspecify.annotations.NullMarked;
