/**
 * Gangs: pods that are placed all or none (KEP-4671), with their claims. {@code GangSearch} assigns members to nodes, and uses the
 * allocator for the claims of all members of a node together. {@code GangState} has the assignments so far, and undoes them.
 */
@NullMarked
package dev.fakegpu.engine.gang;

import org.jspecify.annotations.NullMarked;
