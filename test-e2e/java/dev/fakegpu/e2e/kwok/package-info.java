/** Nodes that KWOK keeps, with FakeGpus whose claims the operator prepares. Skipped where KWOK cannot be built. */
@NullMarked
package dev.fakegpu.e2e.kwok;

import org.jspecify.annotations.NullMarked;
