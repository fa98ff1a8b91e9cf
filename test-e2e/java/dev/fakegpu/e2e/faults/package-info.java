/**
 * The API server as it is on a bad day: {@link dev.fakegpu.e2e.faults.FaultProxy} is between the operator and the API server and loses,
 * delays, cuts and refuses what passes. Whatever it does, the operator comes to the right end once it is over.
 */
@NullMarked
package dev.fakegpu.e2e.faults;

import org.jspecify.annotations.NullMarked;
