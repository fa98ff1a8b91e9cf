/**
 * The operator process: {@link dev.fakegpu.runtime.OperatorConfig} reads the settings, {@link dev.fakegpu.runtime.OperatorWiring}
 * constructs the controllers from them, and {@link dev.fakegpu.runtime.Lifecycle} waits for the API server, starts them when this replica
 * becomes the leader ({@link dev.fakegpu.runtime.Leadership}), and stops them. Metrics and health checks are here as well.
 *
 * <ul>
 *   <li>In: configuration, signals, HTTP requests for metrics and health.
 *   <li>Out: a process that runs the configured parts.
 *   <li>It must never decide about a device or a pod. No other room uses Quarkus' dependency injection.
 * </ul>
 */
@NullMarked
package dev.fakegpu.runtime;

import org.jspecify.annotations.NullMarked;
