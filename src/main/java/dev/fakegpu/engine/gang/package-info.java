/**
 * Gangs: pods that are placed all or none (KEP-4671), with their claims. {@code GangSearch} assigns members to nodes, and asks the allocator
 * for the claims of all members of a node together; {@code GangState} has what is assigned so far, and takes it back.
 */
@NullMarked
package dev.fakegpu.engine.gang;

import org.jspecify.annotations.NullMarked;
