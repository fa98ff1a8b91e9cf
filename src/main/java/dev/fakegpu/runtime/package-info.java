/**
 * The operator process: {@link dev.fakegpu.runtime.OperatorConfig} reads the settings, {@link dev.fakegpu.runtime.OperatorWiring} constructs
 * the controllers from them, and {@link dev.fakegpu.runtime.Lifecycle} starts them when this replica becomes the leader. Metrics and
 * readiness are here as well. Nothing else depends on Quarkus' dependency injection.
 */
@NullMarked
package dev.fakegpu.runtime;

import org.jspecify.annotations.NullMarked;
