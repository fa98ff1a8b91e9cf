/**
 * What is pending, and whose turn it is. In go items, the time that each namespace used, and why an attempt failed; out comes the next item.
 * Items that ask for the same are one {@code EquivalenceClass}, which records their last attempt. It never knows which devices there are, or
 * how they are chosen.
 */
@NullMarked
package dev.fakegpu.operator.schedule.queue;

import org.jspecify.annotations.NullMarked;
