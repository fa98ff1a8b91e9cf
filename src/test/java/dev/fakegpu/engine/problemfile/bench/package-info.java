/** How fast this project's allocator is, beside upstream's: {@code hack/bench}. */
package dev.fakegpu.engine.problemfile.bench;
