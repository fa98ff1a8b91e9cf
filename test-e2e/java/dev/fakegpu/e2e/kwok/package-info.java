/** Tests of nodes that KWOK maintains, with FakeGpus whose claims the operator prepares. They are skipped if KWOK cannot be built. */
@NullMarked
package dev.fakegpu.e2e.kwok;

import org.jspecify.annotations.NullMarked;
