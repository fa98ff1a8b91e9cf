/**
 * What is pending, and which item is next. The input is items, the time that each namespace used, and why attempts failed. The output is
 * the next item. Items with the same requirements form one {@code EquivalenceClass}, which records their last attempt. This package knows
 * nothing about devices or how they are chosen.
 */
@NullMarked
package dev.fakegpu.operator.schedule.queue;

import org.jspecify.annotations.NullMarked;
