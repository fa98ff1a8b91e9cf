package dev.fakegpu.engine.allocate;

import java.util.List;

/**
 * A complete generation of a pool that cannot be used because slices of a newer, incomplete generation exist.
 *
 * @param complete the names of the complete generation's slices
 * @param newer the names of the newer slices
 * @param sliceCount the number of slices of the newer generation, according to these
 */
public record Superseded(
        long generation, List<String> complete, long newerGeneration, List<String> newer, long sliceCount) {}
