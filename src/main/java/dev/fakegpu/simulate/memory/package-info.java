/**
 * Represents the API server and the clock. The input is objects, patches and tasks. The output is stored versions, changes for watchers,
 * and what is due next in {@code VirtualTime}. It never knows who uses the objects.
 */
@NullMarked
package dev.fakegpu.simulate.memory;

import org.jspecify.annotations.NullMarked;
