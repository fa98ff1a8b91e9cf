/**
 * API servers and schedulers without DRADeviceCompatibilityGroups (KEP-5963), and the gate switched under a running operator.
 */
@NullMarked
package dev.fakegpu.e2e.versionskew;

import org.jspecify.annotations.NullMarked;
