/**
 * The status of a FakeGpu. The input is the result of a reconciliation. The output is conditions, totals, and events on the same topics;
 * each condition type has a class {@code *Condition}. This package never writes, and never decides what is published.
 */
@NullMarked
package dev.fakegpu.operator.publish.condition;

import org.jspecify.annotations.NullMarked;
