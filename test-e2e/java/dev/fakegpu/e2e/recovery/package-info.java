/**
 * Tests of operators that are killed, suspended or replaced in the middle of their work: no device is allocated twice, and no pod is
 * forgotten.
 */
@NullMarked
package dev.fakegpu.e2e.recovery;

import org.jspecify.annotations.NullMarked;
