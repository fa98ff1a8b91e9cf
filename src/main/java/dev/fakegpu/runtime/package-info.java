/**
 * The operator process: {@link dev.fakegpu.runtime.OperatorConfig} reads the settings, {@link dev.fakegpu.runtime.OperatorWiring} constructs
 * the controllers from them, and {@link dev.fakegpu.runtime.Lifecycle} waits for the API server, starts them when this replica becomes the
 * leader ({@link dev.fakegpu.runtime.Leadership}), and stops them. Metrics and health checks are here as well. Nothing else depends on Quarkus' dependency injection.
 */
@NullMarked
package dev.fakegpu.runtime;

import org.jspecify.annotations.NullMarked;
