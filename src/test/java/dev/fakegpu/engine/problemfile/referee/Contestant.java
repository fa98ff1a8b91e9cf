package dev.fakegpu.engine.problemfile.referee;

import dev.fakegpu.engine.problemfile.Oracle;

/**
 * An allocator that is compared.
 *
 * @param name the name with its version
 */
record Contestant(String name, Oracle program) {}
