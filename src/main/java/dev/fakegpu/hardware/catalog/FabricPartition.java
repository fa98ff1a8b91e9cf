package dev.fakegpu.hardware.catalog;

import java.util.List;

/**
 * A set of GPUs that NVLink connects and that can be used together.
 *
 * @param id Fabric Manager's ID
 * @param moduleIds the module IDs of the GPUs
 */
public record FabricPartition(int id, List<Integer> moduleIds) {

    public FabricPartition {
        moduleIds = List.copyOf(moduleIds);
        Invalid.when(id < 0, "the ID %d of a fabric partition is negative", id);
        Invalid.when(moduleIds.isEmpty(), "fabric partition %d has no GPUs", id);
        Invalid.when(FabricTable.repeats(moduleIds), "fabric partition %d names a module ID twice", id);
    }
}
