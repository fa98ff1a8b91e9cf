/**
 * Stands for the API server and the clock. In go objects, patches and tasks; out come stored versions, changes for watchers, and what is due
 * next in {@code VirtualTime}. It never knows who acts on the objects.
 */
@NullMarked
package dev.fakegpu.simulate.memory;

import org.jspecify.annotations.NullMarked;
