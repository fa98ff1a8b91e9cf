/** The operator process: configuration, wiring, start and stop, health. */
@NullMarked
package dev.fakegpu.runtime;

import org.jspecify.annotations.NullMarked;
