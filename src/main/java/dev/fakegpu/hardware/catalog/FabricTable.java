package dev.fakegpu.hardware.catalog;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How NVSwitches connect the GPUs of a board, as NVIDIA's Fabric Manager reports it.
 *
 * @param moduleIds the module ID of each GPU, in the order of the GPUs
 * @param partitions the sets of GPUs that can be used together
 */
public record FabricTable(Provenance provenance, List<Integer> moduleIds, List<FabricPartition> partitions) {

    private static final int MAX_GPUS = 64;
    private static final int MAX_PARTITIONS = 64;

    public FabricTable {
        moduleIds = List.copyOf(moduleIds);
        partitions = List.copyOf(partitions);
        Invalid.when(
                moduleIds.isEmpty() || moduleIds.size() > MAX_GPUS,
                "the fabric has %d GPUs, 1 to %d are possible",
                moduleIds.size(),
                MAX_GPUS);
        Invalid.when(repeats(moduleIds), "a module ID occurs twice");
        Invalid.when(moduleIds.stream().anyMatch(id -> id < 1), "a module ID is less than 1");
        Invalid.when(
                partitions.isEmpty() || partitions.size() > MAX_PARTITIONS,
                "the fabric has %d partitions, 1 to %d are possible",
                partitions.size(),
                MAX_PARTITIONS);
        Invalid.when(repeats(partitions.stream().map(FabricPartition::id).toList()), "a partition ID occurs twice");
        for (FabricPartition partition : partitions) {
            Invalid.when(
                    !moduleIds.containsAll(partition.moduleIds()),
                    "fabric partition %d names a module ID that is not in moduleIds",
                    partition.id());
        }
        for (int moduleId : moduleIds) {
            checkSizes(moduleId, partitions);
        }
    }

    /** NVIDIA's driver publishes one attribute per size, so it fails if a GPU is in two partitions of the same size. */
    private static void checkSizes(int moduleId, List<FabricPartition> partitions) {
        var sizes = new HashSet<Integer>();
        partitions.stream()
                .filter(partition -> partition.moduleIds().contains(moduleId))
                .forEach(partition -> Invalid.when(
                        !sizes.add(partition.moduleIds().size()),
                        "the GPU with module ID %d is in two fabric partitions of %d GPUs",
                        moduleId,
                        partition.moduleIds().size()));
    }

    static boolean repeats(List<Integer> values) {
        return values.stream().distinct().count() < values.size();
    }

    /** The IDs of the partitions that contain the GPU, by the number of GPUs in the partition. */
    public Map<Integer, Integer> partitionsBySize(int moduleId) {
        var bySize = new TreeMap<Integer, Integer>();
        partitions.stream()
                .filter(partition -> partition.moduleIds().contains(moduleId))
                .forEach(partition -> bySize.put(partition.moduleIds().size(), partition.id()));
        return bySize;
    }
}
