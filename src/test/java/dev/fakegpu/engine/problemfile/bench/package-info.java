/** The speed of this project's allocator compared with upstream's: {@code hack/bench}. */
package dev.fakegpu.engine.problemfile.bench;
