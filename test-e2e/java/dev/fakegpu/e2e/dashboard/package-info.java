/** The dashboard, as somebody uses it in a browser, beside a real control plane with the operator. */
@NullMarked
package dev.fakegpu.e2e.dashboard;

import org.jspecify.annotations.NullMarked;
