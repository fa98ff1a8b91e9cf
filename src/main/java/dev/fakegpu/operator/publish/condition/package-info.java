/**
 * The status of a FakeGpu. In goes the result of a reconcile; out come conditions, totals, and events on the same topics, one class
 * {@code *Condition} for each condition type. It never writes, and never decides what is published.
 */
@NullMarked
package dev.fakegpu.operator.publish.condition;

import org.jspecify.annotations.NullMarked;
