/**
 * Finds a node and devices for an item. In go requirements, the nodes of the {@link dev.fakegpu.operator.schedule.cache}, and limits of time;
 * out comes a {@code NodeSearch.Placement}, or why each node was refused. It never writes, and never knows the order of the queue.
 */
@NullMarked
package dev.fakegpu.operator.schedule.search;

import org.jspecify.annotations.NullMarked;
