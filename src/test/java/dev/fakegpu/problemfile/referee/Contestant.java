package dev.fakegpu.problemfile.referee;

import dev.fakegpu.problemfile.Oracle;

/**
 * An allocator that is compared.
 *
 * @param name with its version
 */
record Contestant(String name, Oracle program) {}
