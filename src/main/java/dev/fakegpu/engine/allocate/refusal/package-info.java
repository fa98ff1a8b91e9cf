/**
 * The reasons why a device cannot be allocated for a request, as values. {@link dev.fakegpu.engine.allocate.Diagnosis} returns a
 * {@link dev.fakegpu.engine.allocate.refusal.Refusal} for each device; {@code dev.fakegpu.engine.explain} summarizes them and formats them
 * as sentences. {@link dev.fakegpu.engine.allocate.refusal.Blockers} are the claims that would have to release something first.
 */
@NullMarked
package dev.fakegpu.engine.allocate.refusal;

import org.jspecify.annotations.NullMarked;
