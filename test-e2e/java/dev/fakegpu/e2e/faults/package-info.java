/**
 * Tests of faults of the API server: {@link dev.fakegpu.e2e.faults.FaultProxy} is between the operator and the API server and loses,
 * delays, cuts and refuses requests and responses. Regardless of the fault, the operator reaches the correct state after it ends.
 */
@NullMarked
package dev.fakegpu.e2e.faults;

import org.jspecify.annotations.NullMarked;
