/**
 * {@code hack/bench soak}: two operators with load and all kinds of disruptions, while a checker that does not use the allocator looks at
 * every version of every claim and slice. A short run is a test.
 */
@NullMarked
package dev.fakegpu.e2e.soak;

import org.jspecify.annotations.NullMarked;
