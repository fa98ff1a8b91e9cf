/**
 * Finds a node and devices for an item. The input is requirements, the nodes of the {@link dev.fakegpu.operator.schedule.cache}, and time
 * limits. The output is a {@code NodeSearch.Placement}, or why each node was refused. This package never writes, and knows nothing about
 * the order of the queue.
 */
@NullMarked
package dev.fakegpu.operator.schedule.search;

import org.jspecify.annotations.NullMarked;
