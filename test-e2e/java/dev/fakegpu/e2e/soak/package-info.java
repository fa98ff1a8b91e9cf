/**
 * {@code hack/bench soak}: two operators under load and under everything that can go wrong around them, while a checker that knows
 * nothing of the allocator looks at every version of every claim and slice. A short one is a test.
 */
@NullMarked
package dev.fakegpu.e2e.soak;

import org.jspecify.annotations.NullMarked;
