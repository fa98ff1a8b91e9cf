/**
 * Tests with API servers and schedulers without DRADeviceCompatibilityGroups (KEP-5963), and with a gate that is switched while an operator
 * runs.
 */
@NullMarked
package dev.fakegpu.e2e.versionskew;

import org.jspecify.annotations.NullMarked;
