/** Tests of the dashboard in a browser, with a real control plane and the operator. */
@NullMarked
package dev.fakegpu.e2e.dashboard;

import org.jspecify.annotations.NullMarked;
